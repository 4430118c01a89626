import { AppError } from '../../http/app-error.ts';

const WAITING_MAX = 200;

export type AfterAnswer = {
  /** Throws OVERLOADED when too much waits already; the same for everybody, so that it tells nothing. */
  start(work: () => Promise<void>): void;
  /** Resolves when everything begun so far has ended. */
  settled(): Promise<void>;
};

/**
 * Work that would take longer for a known address than for an unknown one: it runs when the answer is on its way, one
 * piece after the other. A crash loses what waited; the person asks again.
 */
export function createAfterAnswer(deps: { log: { error(fields: object, message: string): void } }): AfterAnswer {
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();

  return {
    start(work) {
      if (waiting >= WAITING_MAX) throw new AppError('OVERLOADED', { retryAfterS: 5 });
      waiting++;
      last = last
        .then(() => new Promise<void>((next) => setImmediate(next)))
        .then(work)
        .catch((error: unknown) => deps.log.error({ err: error }, 'work after an answer failed'))
        .finally(() => {
          waiting--;
        });
    },
    settled: () => last,
  };
}
