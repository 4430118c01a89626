/** A bound on memory shared by everything that holds bytes of senders: bodies being read, events waiting, events in flight. */
export type ByteBudget = {
  /** False when it does not fit; nothing is taken then. What is larger than the whole budget fits when nothing else is held. */
  take(bytes: number): boolean;
  give(bytes: number): void;
  readonly isFull: boolean;
  readonly used: number;
};

export function createByteBudget(maxBytes: number, onRoom: () => void = () => undefined): ByteBudget {
  let used = 0;
  return {
    take(bytes) {
      if (used > 0 && used + bytes > maxBytes) return false;
      used += bytes;
      return true;
    },
    give(bytes) {
      used -= bytes;
      if (used < maxBytes) onRoom();
    },
    get isFull() {
      return used >= maxBytes;
    },
    get used() {
      return used;
    },
  };
}
