import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A network between two programs that can be made bad. Nothing that was passed on is changed. */
export type FaultProxy = {
  /** The same address, reached through the proxy. */
  url: string;
  /** Ends every connection: every other one at once, the rest in the middle of what comes next. Answers how many. */
  cut(): number;
  /** From now on each piece is passed on so much later. */
  delay(ms: number): void;
  /** Nothing passes any more, and nobody is told: connections stay open and new ones are taken. */
  hold(): void;
  /** Passes everything on at once again, first what was held. */
  heal(): void;
  close(): Promise<void>;
};

type Pair = { ends: readonly [Socket, Socket]; isLast: boolean };

export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(target);
  const pairs = new Set<Pair>();
  let delayMs = 0;
  let open = Promise.resolve();
  let letThrough: () => void = () => undefined;

  /** Backpressure is kept: the next piece is read when this one is passed on. */
  async function pass(pair: Pair, from: Socket, to: Socket): Promise<void> {
    for await (const piece of from as AsyncIterable<Buffer>) {
      await open;
      if (delayMs > 0) await wait(delayMs);
      if (pair.isLast) {
        await written(to, piece.subarray(0, Math.ceil(piece.length / 2)));
        return end(pair);
      }
      await written(to, piece);
    }
    to.end();
  }

  function end(pair: Pair): void {
    pairs.delete(pair);
    for (const socket of pair.ends) socket.destroy();
  }

  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const pair: Pair = { ends: [near, far], isLast: false };
    pairs.add(pair);
    for (const socket of pair.ends) {
      socket.setNoDelay(true);
      socket.on('error', () => end(pair));
    }
    const over = () => end(pair);
    void Promise.all([pass(pair, near, far), pass(pair, far, near)]).then(over, over);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  const through = new URL(target);
  through.host = `127.0.0.1:${address.port}`;

  return {
    url: through.toString(),
    cut() {
      const all = [...pairs];
      for (const [index, pair] of all.entries()) {
        if (index % 2 === 0) end(pair);
        else pair.isLast = true;
      }
      return all.length;
    },
    delay(ms) {
      delayMs = ms;
    },
    hold() {
      open = new Promise((resolve) => {
        letThrough = resolve;
      });
    },
    heal() {
      delayMs = 0;
      letThrough();
      open = Promise.resolve();
    },
    async close() {
      letThrough();
      for (const pair of pairs) end(pair);
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function written(to: Socket, piece: Buffer): Promise<void> {
  return new Promise((resolve, reject) => to.write(piece, (error) => (error ? reject(error) : resolve())));
}
