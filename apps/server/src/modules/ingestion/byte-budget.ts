/** A bound on memory shared by everything that holds bytes of senders: bodies being read, events waiting, events in flight. */
export type ByteBudget = {
  /** False when it does not fit; nothing is taken then. What is larger than the whole budget fits when nothing else is held. */
  take(bytes: number): boolean;
  /** Whether so much would fit now beside what is held and what is expected (default 0); takes nothing. */
  hasRoom(bytes: number, expected?: number): boolean;
  /** Takes also what does not fit: for what is already in memory and cannot be refused any more. */
  hold(bytes: number): void;
  give(bytes: number): void;
  /** Calls back once, as soon as the budget is not full any more. */
  onRoom(callback: () => void): void;
  /** Wakes those who wait for room, where the reason they wait for was not the budget's own. */
  recheck(): void;
  readonly isFull: boolean;
  readonly used: number;
  readonly maxBytes: number;
};

/** `closed` keeps everybody out whatever is held, such as while the disk is nearly full. */
export function createByteBudget(maxBytes: number, closed: () => boolean = () => false): ByteBudget {
  let used = 0;
  let waiting = new Set<() => void>();
  const isFull = () => used >= maxBytes || closed();
  const hasRoom = (bytes: number, expected = 0) => {
    const held = used + expected;
    return !closed() && (held === 0 || held + bytes <= maxBytes);
  };

  function recheck(): void {
    if (waiting.size === 0 || isFull()) return;
    const callbacks = waiting;
    waiting = new Set();
    for (const callback of callbacks) callback();
  }

  return {
    take(bytes) {
      if (!hasRoom(bytes)) return false;
      used += bytes;
      return true;
    },
    hasRoom,
    hold(bytes) {
      used += bytes;
    },
    give(bytes) {
      used -= bytes;
      recheck();
    },
    onRoom(callback) {
      if (isFull()) waiting.add(callback);
      else callback();
    },
    recheck,
    maxBytes,
    get isFull() {
      return isFull();
    },
    get used() {
      return used;
    },
  };
}
