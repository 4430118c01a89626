import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** Hands each call to the next of its targets, as what stands before several processes does; it tries nothing twice. */
export type Balancer = {
  url: string;
  /** From now on it is among the targets. */
  add(target: string): void;
  /** Gets no call any more; resolves when those it has are answered. */
  remove(target: string): Promise<void>;
  close(): Promise<void>;
};

export async function startBalancer(): Promise<Balancer> {
  const targets: string[] = [];
  const underWay = new Map<string, Set<Promise<unknown>>>();
  let turn = 0;

  function handOn(call: IncomingMessage, answer: ServerResponse): void {
    const target = targets[turn++ % targets.length];
    if (target === undefined) return void answer.writeHead(502).end('There is nobody to ask.');
    const calls = underWay.get(target) ?? new Set();
    underWay.set(target, calls);
    const over = once(answer, 'close').finally(() => calls.delete(over));
    calls.add(over);
    const { method, headers, url = '/' } = call;
    const passed = request(new URL(url, target), { method, headers, agent: false }, (told) => {
      answer.writeHead(told.statusCode ?? 502, told.headers);
      told.pipe(answer);
      told.on('error', () => answer.destroy());
    });
    passed.on('error', ({ message }) => {
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end(message);
    });
    call.pipe(passed);
  }

  const server = createServer(handOn).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The balancer has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    add: (target) => void targets.push(target),
    async remove(target) {
      targets.splice(targets.indexOf(target), 1);
      await Promise.all(underWay.get(target) ?? []);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
