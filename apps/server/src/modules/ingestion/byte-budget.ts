/** A bound on memory shared by everything that holds bytes of senders: bodies being read, events waiting, events in flight. */
export type ByteBudget = {
  /** False when it does not fit; nothing is taken then. What is larger than the whole budget fits when nothing else is held. */
  take(bytes: number): boolean;
  /** Takes also what does not fit: for what is already in memory and cannot be refused any more. */
  hold(bytes: number): void;
  give(bytes: number): void;
  /** Calls back once, as soon as the budget is not full any more. */
  onRoom(callback: () => void): void;
  readonly isFull: boolean;
  readonly used: number;
};

export function createByteBudget(maxBytes: number): ByteBudget {
  let used = 0;
  let waiting = new Set<() => void>();
  return {
    take(bytes) {
      if (used > 0 && used + bytes > maxBytes) return false;
      used += bytes;
      return true;
    },
    hold(bytes) {
      used += bytes;
    },
    give(bytes) {
      used -= bytes;
      if (used >= maxBytes || waiting.size === 0) return;
      const callbacks = waiting;
      waiting = new Set();
      for (const callback of callbacks) callback();
    },
    onRoom(callback) {
      if (used < maxBytes) callback();
      else waiting.add(callback);
    },
    get isFull() {
      return used >= maxBytes;
    },
    get used() {
      return used;
    },
  };
}
