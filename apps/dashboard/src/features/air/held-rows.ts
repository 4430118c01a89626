import type { Case } from '@airdeck/contracts/cases/schema';
import { useState } from 'react';

type Row = Pick<Case, 'id' | 'time_opened'>;

/**
 * The rows somebody is reading, each as it is now, without those that came in above them: how many those are is said
 * instead. Of the old rows, as many may have left the page at its end as came in; what is gone from anywhere else, or
 * beyond that, fits the filters no longer.
 */
export function heldRows<T extends Row>(
  shown: readonly T[],
  fresh: readonly T[],
): { rows: readonly T[]; newer: number } {
  const [newestShown] = shown;
  if (newestShown === undefined) return { rows: fresh, newer: 0 };
  const known = new Set(shown.map(({ id }) => id));
  const newer = fresh.filter(({ id, time_opened }) => !known.has(id) && time_opened > newestShown.time_opened);
  if (newer.length === 0) return { rows: fresh, newer: 0 };
  const now = new Map(fresh.map((row) => [row.id, row]));
  let pushedOff = newer.length;
  const kept: T[] = [];
  let isEnd = true;
  for (const row of shown.toReversed()) {
    const current = now.get(row.id);
    if (current !== undefined) {
      isEnd = false;
      kept.push(current);
    } else if (isEnd && pushedOff > 0) {
      pushedOff -= 1;
      kept.push(row);
    }
  }
  return { rows: kept.reverse(), newer: newer.length };
}

type Held<T> = { key: string; fresh: readonly T[]; rows: readonly T[]; newer: number };

/** Holds new rows back while `holds`, until `show` or another list (`key`). */
export function useHeldRows<T extends Row>(
  fresh: readonly T[],
  { key, holds }: { key: string; holds: boolean },
): { rows: readonly T[]; newer: number; show: () => void } {
  const [held, setHeld] = useState<Held<T>>({ key, fresh, rows: fresh, newer: 0 });
  let current = held;
  if (held.key !== key || held.fresh !== fresh) {
    const next = held.key === key && holds ? heldRows(held.rows, fresh) : { rows: fresh, newer: 0 };
    current = { key, fresh, ...next };
    setHeld(current);
  }
  return { rows: current.rows, newer: current.newer, show: () => setHeld({ key, fresh, rows: fresh, newer: 0 }) };
}
