/**
 * HTTP load over kept connections, one request at a time on each. On plain sockets, because on shared processors the cost
 * of a full client would be in every figure.
 */
import { connect, type Socket } from 'node:net';

export type Answer = { status: number; bytes: number; ms: number };

export type Connection = {
  ask(request: Buffer): Promise<Answer>;
  /** False once the server has ended it, as it does with one that nobody used for a while. */
  isOpen(): boolean;
  close(): void;
};

const HEAD_END = Buffer.from('\r\n\r\n');

/** A GET, or with a body the POST of it. */
export function requestFor(url: string, path: string, token: string, body?: object): Buffer {
  const head = `${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\nauthorization: Bearer ${token}\r\n`;
  if (body === undefined) return Buffer.from(`GET ${head}\r\n`);
  const text = Buffer.from(JSON.stringify(body));
  const kind = `content-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(`POST ${head}${kind}`), text]);
}

export function openConnection(url: string): Connection {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void; since: number } | undefined;
  let received: Buffer[] = [];
  let missing = Number.POSITIVE_INFINITY;
  let [status, bytes] = [0, 0];

  function readHead(): void {
    const data = received.length === 1 && received[0] !== undefined ? received[0] : Buffer.concat(received);
    const end = data.indexOf(HEAD_END);
    received = [data];
    if (end < 0) return;
    const head = data.toString('latin1', 0, end);
    status = Number(head.slice(9, 12));
    bytes = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? Number.NaN);
    if (Number.isNaN(bytes)) throw new Error('An answer came without its length.');
    missing = bytes - (data.length - end - HEAD_END.length);
  }

  socket.on('data', (chunk) => {
    if (missing === Number.POSITIVE_INFINITY) {
      received.push(chunk);
      readHead();
    } else missing -= chunk.length;
    if (missing > 0 || waiting === undefined) return;
    const { resolve, since } = waiting;
    [waiting, received, missing] = [undefined, [], Number.POSITIVE_INFINITY];
    resolve({ status, bytes, ms: performance.now() - since });
  });
  const fail = (error?: Error) => waiting?.reject(error ?? new Error('The connection ended.'));
  socket.on('error', fail);
  socket.on('close', () => fail());

  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        // Nothing more is heard of what is written to one that has ended.
        if (socket.destroyed) return reject(new Error('The connection ended.'));
        waiting = { resolve, reject, since: performance.now() };
        socket.write(request);
      }),
    isOpen: () => !socket.destroyed,
    close: () => socket.destroy(),
  };
}

export type Load = { url: string; connections: number; seconds: number; next: (n: number) => Buffer };

/** As fast as they are answered. */
export async function closedLoad({ url, connections, seconds, next }: Load): Promise<Answer[]> {
  const end = performance.now() + seconds * 1000;
  const answers: Answer[] = [];
  let n = 0;
  const drive = async () => {
    const connection = openConnection(url);
    while (performance.now() < end) answers.push(await connection.ask(next(n++)));
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, drive));
  return answers;
}

type PacedLoad = Load & {
  perSecond: number;
  /** What has found no free connection when the seconds are over is not sent any more. Otherwise all of it is, later. */
  endsInTime?: boolean;
};

/** So many a second, however long the answers take; what waits for a free connection waits in its time. */
export async function pacedLoad(load: PacedLoad): Promise<Answer[]> {
  const { url, connections, seconds, next, perSecond, endsInTime = false } = load;
  const idle = Array.from({ length: connections }, () => openConnection(url));
  const started = performance.now();
  let total = Math.round(perSecond * seconds);
  const due: number[] = [];
  const answers: Answer[] = [];
  let [sent, asked] = [0, 0];
  return await new Promise((resolve, reject) => {
    const end = () => {
      clearInterval(timer);
      due.length = 0;
      total = asked;
      finish();
    };
    const finish = () => {
      if (answers.length < total) return;
      for (const one of idle) one.close();
      resolve(answers);
    };
    const send = () => {
      for (let connection = idle.pop(); connection !== undefined; connection = idle.pop()) {
        const since = due.shift();
        if (since === undefined) {
          idle.push(connection);
          return;
        }
        const used = connection.isOpen() ? connection : openConnection(url);
        used.ask(next(asked++)).then((answer) => {
          answers.push({ ...answer, ms: performance.now() - since });
          idle.push(used);
          send();
          finish();
        }, reject);
      }
    };
    const timer = setInterval(() => {
      const now = performance.now();
      for (; sent < total && started + (sent * 1000) / perSecond <= now; sent++)
        due.push(started + (sent * 1000) / perSecond);
      if (sent === total && !endsInTime) clearInterval(timer);
      send();
      if (endsInTime && now >= started + seconds * 1000) end();
    }, 2);
  });
}
