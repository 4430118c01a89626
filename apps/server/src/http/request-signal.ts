import type { FastifyReply } from 'fastify';

/** Aborted when the client goes away before its answer was complete. */
export function requestSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  // Gone already, while it was found out who asks.
  if (reply.raw.destroyed) controller.abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
