import { AppError } from '../../http/app-error.ts';

/**
 * Lets `parallel` pieces of work run at a time and `waiting` more stand in line; refuses the rest with OVERLOADED.
 * Hashing a password takes a quarter of a second of processor time and 32 MiB: without a bound, sign-ins could starve everything.
 */
export function createWorkLimit(bounds: {
  parallel: number;
  waiting: number;
}): <T>(work: () => Promise<T>) => Promise<T> {
  const line: (() => void)[] = [];
  let running = 0;

  return async (work) => {
    if (running >= bounds.parallel) {
      if (line.length >= bounds.waiting) throw new AppError('OVERLOADED', { retryAfterS: 5 });
      await new Promise<void>((go) => line.push(go));
    } else {
      running++;
    }
    try {
      return await work();
    } finally {
      // The place is handed over, not freed: a newcomer cannot overtake the line.
      const next = line.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
