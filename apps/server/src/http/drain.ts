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

  const leave = () => {
    inFlight--;
  };
  app.addHook('onRequest', (request, reply, done) => {
    if (draining && !request.url.startsWith('/health/')) {
      void reply.header('connection', 'close');
      done(new AppError('DRAINING', { retryAfterS: 2 }));
      return;
    }
    inFlight++;
    reply.raw.once('close', leave);
    done();
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
