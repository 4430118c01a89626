/**
 * Answers by key, each kept for a moment, and asked for once however many ask at the same time. Off until switched on.
 *
 * `clear` draws a line: nothing read before it is given to who asks after it. A read under way at that moment answers
 * those who are waiting for it, but is neither kept nor joined.
 */
import { isStillAhead } from '../still-ahead.ts';

export type ReadCache<V> = {
  get(key: string, read: () => Promise<V>): Promise<V>;
  /** Reads anew and keeps that. */
  refresh(key: string, read: () => Promise<V>): Promise<V>;
  /** Answers whose keys begin so; all of them by default. */
  clear(beginning?: string): void;
  /** Switching either way clears. While off, every answer is read. */
  setOn(isOn: boolean): void;
};

export function createReadCache<V>(options: { keptForMs: number; max: number; now: () => Date }): ReadCache<V> {
  const { keptForMs, max, now } = options;
  const kept = new Map<string, { value: V; until: number }>();
  const reading = new Map<string, Promise<V>>();
  let isOn = false;

  function keep(key: string, value: V, from: number): void {
    kept.delete(key);
    if (kept.size >= max) {
      const oldest = kept.keys().next();
      if (!oldest.done) kept.delete(oldest.value);
    }
    kept.set(key, { value, until: from + keptForMs });
  }

  async function refresh(key: string, read: () => Promise<V>): Promise<V> {
    const from = now().getTime();
    const answer = read();
    reading.set(key, answer);
    try {
      const value = await answer;
      // No longer there after a clear, or replaced by a read begun later.
      if (isOn && reading.get(key) === answer) keep(key, value, from);
      return value;
    } finally {
      if (reading.get(key) === answer) reading.delete(key);
    }
  }

  const cache: ReadCache<V> = {
    async get(key, read) {
      if (!isOn) return await read();
      const found = kept.get(key);
      const at = now().getTime();
      if (found !== undefined && isStillAhead(found.until, { at, lastsMs: keptForMs })) return found.value;
      return await (reading.get(key) ?? refresh(key, read));
    },
    refresh,
    clear(beginning = '') {
      for (const answers of [kept, reading]) {
        if (beginning === '') answers.clear();
        else for (const key of answers.keys()) if (key.startsWith(beginning)) answers.delete(key);
      }
    },
    setOn(on) {
      isOn = on;
      cache.clear();
    },
  };
  return cache;
}
