import { connect, type Socket } from 'node:net';
import { CommandError } from './command-error.ts';
import type { DemoSource } from './demo-workspace.ts';
import { reach } from './local-stage.ts';
import type { Surroundings } from './surroundings.ts';

const MAX_WAIT_MS = 30_000;
/** How long the syslog server has to take the rest and end its half. */
const MAX_END_MS = 5000;

/** Sends records through the HTTP door of a source, waiting as long as an overloaded server asks. */
export function createHttpDoor({ fetch, wait }: Pick<Surroundings, 'fetch' | 'wait'>, url: string, source: DemoSource) {
  const address = new URL(`/api/${source.tenant}/event/ingest/${source.id}`, url);
  return async (lines: readonly string[]): Promise<void> => {
    for (;;) {
      const answer = await reach(url, () =>
        fetch(address, {
          method: 'POST',
          headers: { authorization: `Bearer ${source.token}`, 'content-type': 'application/x-ndjson' },
          body: lines.join('\n'),
        }),
      );
      if (answer.status === 202) return;
      if (answer.status !== 503 && answer.status !== 429) {
        throw new CommandError('INGEST_REFUSED', `The server answered ${answer.status}: ${await answer.text()}`);
      }
      const seconds = Number(answer.headers.get('retry-after') ?? 1);
      await wait(Math.min(Number.isFinite(seconds) ? seconds * 1000 : 1000, MAX_WAIT_MS));
    }
  };
}

export type SyslogDoor = {
  send(line: string): Promise<void>;
  /** Ends the connection; rejects where the server dropped it instead, for then what was sent may be lost. */
  close(): Promise<void>;
};

/** Sends lines over syslog TCP with octet counting; a full socket makes the sender wait. */
export async function openSyslogDoor(host: string, port: number): Promise<SyslogDoor> {
  const socket = await connected(host, port);
  let lost: Error | undefined;
  socket.on('error', (error) => {
    lost = error;
  });
  // Nothing is answered over syslog, yet only what reads hears of the other side's end.
  socket.resume();
  return {
    send: (line) =>
      new Promise((resolve, reject) => {
        if (lost !== undefined) return reject(connectionLost(lost));
        const bytes = Buffer.from(line);
        socket.write(Buffer.concat([Buffer.from(`${bytes.length} `), bytes]), (error) =>
          error ? reject(connectionLost(error)) : resolve(),
        );
      }),
    close: () =>
      new Promise((resolve, reject) => {
        const settle = () => (lost === undefined ? resolve() : reject(connectionLost(lost)));
        if (socket.closed) return settle();
        socket.once('close', settle);
        socket.setTimeout(MAX_END_MS, () => socket.destroy(new Error('The other side does not end its half.')));
        socket.end();
      }),
  };
}

function connectionLost(cause: Error): CommandError {
  return new CommandError('SERVER_UNREACHABLE', 'The syslog server ended the connection.', { cause });
}

function connected(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
    socket.once('error', (cause) =>
      reject(new CommandError('SERVER_UNREACHABLE', `No syslog server answers at ${host} port ${port}.`, { cause })),
    );
  });
}
