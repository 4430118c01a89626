/**
 * What is not read of an answer is held in memory, and a client that only asks would fill it. So a connection on which nothing
 * of an answer is taken for a while is ended, and when long answers together are too much, those of whoever has the most of them.
 * An answer that is still being made may take as long as it takes.
 */
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export type UnreadBounds = {
  /** Nobody's connection takes so long for the next part of an answer without being gone. */
  readonly ms: number;
  /** Of long answers together, in one process. */
  readonly bytes: number;
};

export const unreadBounds: UnreadBounds = { ms: 60_000, bytes: 128 * 1_048_576 };

/** Shorter ones hardly count: there are no more of them than connections. */
const LONG_BYTES = 65_536;

/**
 * `nameOf` is whose request it is: what belongs to one name is ended together. Bytes are not counted, because those that are sent
 * whole are there once for all who read them (`KeptAnswer`, the description of the API).
 */
export function installUnreadAnswers(
  app: FastifyInstance,
  bounds: UnreadBounds,
  nameOf: (request: FastifyRequest) => string,
): void {
  const answers = createHeldAnswers(bounds.bytes);
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    // Node.js counts from the last part that was taken, and from the last that was written.
    reply.raw.setTimeout(bounds.ms, () => {
      if (socket.writableLength > 0) socket.destroy();
    });
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const { socket } = request.raw;
    // Whoever is gone by now reads nothing, and nothing tells of their end any more.
    const isHeld =
      typeof payload === 'string' && payload.length >= LONG_BYTES && !socket.destroyed && !reply.raw.destroyed;
    if (isHeld) reply.raw.once('close', answers.hold(nameOf(request), socket, payload.length));
    done(null, payload);
  });
}

type Held = { readonly socket: Socket; readonly bytes: number };

function createHeldAnswers(bytesMax: number): { hold(name: string, socket: Socket, bytes: number): () => void } {
  const byName = new Map<string, { bytes: number; held: Set<Held> }>();
  let total = 0;

  function release(name: string, one: Held): void {
    const own = byName.get(name);
    if (own?.held.delete(one) !== true) return;
    own.bytes -= one.bytes;
    total -= one.bytes;
    if (own.held.size === 0) byName.delete(name);
  }

  function endMost(): void {
    const [name, own] = [...byName].reduce((most, each) => (each[1].bytes > most[1].bytes ? each : most));
    for (const one of own.held) {
      release(name, one);
      one.socket.destroy();
    }
  }

  return {
    hold(name, socket, bytes) {
      const one = { socket, bytes };
      const own = byName.get(name) ?? { bytes: 0, held: new Set() };
      own.held.add(one);
      own.bytes += bytes;
      total += bytes;
      byName.set(name, own);
      while (total > bytesMax) endMost();
      return () => release(name, one);
    },
  };
}
