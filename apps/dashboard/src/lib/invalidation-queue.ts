export type InvalidationQueue<Key extends string> = {
  add(keys: readonly Key[]): void;
  stop(): void;
};

type Deps<Key extends string> = {
  invalidate: (keys: readonly Key[]) => void;
  after: (milliseconds: number, callback: () => void) => () => void;
  /** Shortest time between two invalidations, in milliseconds. */
  gapMs: number;
};

/**
 * Gathers what changed and invalidates it together: the first change at once, those that follow within the gap in one
 * go at its end. A burst of a thousand events costs two refetches, a single one is not delayed.
 */
export function createInvalidationQueue<Key extends string>(deps: Deps<Key>): InvalidationQueue<Key> {
  const waiting = new Set<Key>();
  let cancel: (() => void) | undefined;

  function flush(): void {
    const keys = [...waiting];
    waiting.clear();
    cancel = undefined;
    if (keys.length === 0) return;
    cancel = deps.after(deps.gapMs, flush);
    deps.invalidate(keys);
  }

  return {
    add(keys) {
      for (const key of keys) waiting.add(key);
      if (cancel === undefined) flush();
    },
    stop() {
      cancel?.();
      cancel = undefined;
      waiting.clear();
    },
  };
}
