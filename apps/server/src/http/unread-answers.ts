import type { FastifyInstance } from 'fastify';

/** Nobody's connection takes so long for the next part of an answer without being gone. */
export const UNREAD_MS = 60_000;

/**
 * Ends connections on which nothing of an answer was taken for `unreadMs`: what is not read is held in memory, and a client
 * that only asks would fill it. An answer that is still being made may take as long as it takes.
 */
export function installUnreadAnswers(app: FastifyInstance, unreadMs: number): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    // Node.js counts from the last part that was taken, and from the last that was written.
    reply.raw.setTimeout(unreadMs, () => {
      if (socket.writableLength > 0) socket.destroy();
    });
    done();
  });
}
