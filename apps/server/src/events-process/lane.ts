/** A bounded queue with a fixed number of workers. What does not fit is refused at once, so that memory stays bounded. */
export interface Lane {
  /** Runs `work` when a worker is free; a signal aborted before that takes it out of the queue. */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  idle(): Promise<void>;
}

export class LaneFullError extends Error {
  constructor(waiting: number) {
    super(`${waiting} requests are already waiting`);
    this.name = 'LaneFullError';
  }
}

export function createLane(limits: { workers: number; waiting: number }): Lane {
  const queue: (() => void)[] = [];
  let active = 0;
  let idleWaiters: (() => void)[] = [];

  function next(): void {
    const start = queue.shift();
    if (start !== undefined) start();
    else if (active === 0) {
      for (const wake of idleWaiters) wake();
      idleWaiters = [];
    }
  }

  function admission(signal: AbortSignal): Promise<void> {
    if (active < limits.workers) {
      active++;
      return Promise.resolve();
    }
    if (queue.length >= limits.waiting) return Promise.reject(new LaneFullError(queue.length));
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', leave);
        active++;
        resolve();
      };
      const leave = () => {
        const place = queue.indexOf(start);
        if (place !== -1) queue.splice(place, 1);
        reject(signal.reason);
      };
      queue.push(start);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  return {
    async run(work, signal) {
      await admission(signal);
      try {
        return await work();
      } finally {
        active--;
        next();
      }
    },
    idle: () => (active === 0 ? Promise.resolve() : new Promise((resolve) => idleWaiters.push(resolve))),
  };
}
