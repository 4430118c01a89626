/** Work done one piece at a time. Whose turn it is goes round among owners, so that nobody waits for the queue of another. */
export function createFairTurns(): <T>(owner: string, work: () => Promise<T>) => Promise<T> {
  // In the order in which their next turn comes.
  const waiting = new Map<string, (() => void)[]>();
  let isBusy = false;

  function next(): void {
    const [first] = waiting;
    if (first === undefined) {
      isBusy = false;
      return;
    }
    const [owner, queue] = first;
    const resume = queue.shift();
    waiting.delete(owner);
    if (queue.length > 0) waiting.set(owner, queue);
    resume?.();
  }

  return async (owner, work) => {
    if (isBusy) {
      await new Promise<void>((resolve) => {
        const queue = waiting.get(owner);
        if (queue === undefined) waiting.set(owner, [resolve]);
        else queue.push(resolve);
      });
    } else isBusy = true;
    try {
      return await work();
    } finally {
      next();
    }
  };
}
