import type { FastifyInstance } from 'fastify';
import { AppError } from './app-error.ts';

const DRAIN_MS = 10_000;
const LOOK_EVERY_MS = 20;

export type Drain = {
  readonly isDraining: () => boolean;
  /** Refuses new requests and waits for those in flight, at most ten seconds. Returns how many were left. */
  drain(): Promise<number>;
};

/** Requests in flight are counted from their arrival until their answer is out, streams excepted. */
export function installDrain(app: FastifyInstance): Drain {
  let draining = false;
  let inFlight = 0;

  app.addHook('onRequest', async (request, reply) => {
    if (!draining || request.url.startsWith('/health/')) return;
    void reply.header('connection', 'close');
    throw new AppError('DRAINING', { retryAfterS: 2 });
  });
  app.addHook('onRequest', async (_request, reply) => {
    inFlight++;
    let counted = true;
    const leave = () => {
      if (counted) inFlight--;
      counted = false;
    };
    reply.raw.once('close', leave);
  });

  return {
    isDraining: () => draining,
    async drain() {
      draining = true;
      const until = Date.now() + DRAIN_MS;
      while (inFlight > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      return inFlight;
    },
  };
}
