import type { Case } from '@airdeck/contracts/cases/schema';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { caseQueries } from '../../queries/cases.ts';
import { useTenantApi } from '../../session/app-context.ts';

type Row = { id: string };

/**
 * The rows somebody is reading, in their places, each as it is now. Those the newest answer lacks stay as they were last: as
 * many at the end as others came in above them were pushed off the page where the list has more, the rest (`gone`) does not fit
 * the list any more.
 */
export function heldRows<T extends Row>(
  shown: readonly T[],
  fresh: readonly T[],
  total: number,
): { rows: readonly T[]; gone: ReadonlySet<string> } {
  const isAsShown = shown.length === fresh.length && shown.every(({ id }, index) => fresh[index]?.id === id);
  if (shown.length === 0 || isAsShown) return { rows: fresh, gone: NONE };
  const now = new Map(fresh.map((row) => [row.id, row]));
  const known = new Set(shown.map(({ id }) => id));
  const lastKnown = fresh.findLastIndex(({ id }) => known.has(id));
  // Those below the last known one came up from the next page.
  const above = lastKnown === -1 ? fresh : fresh.slice(0, lastKnown);
  const isWhole = total <= fresh.length;
  const pushedOff = isWhole ? 0 : above.filter(({ id }) => !known.has(id)).length;
  const kept = shown.findLastIndex(({ id }) => now.has(id)) + 1;
  const end = Math.max(kept, shown.length - pushedOff);
  return {
    rows: shown.map((row) => now.get(row.id) ?? row),
    gone: new Set(shown.slice(0, end).flatMap(({ id }) => (now.has(id) ? [] : [id]))),
  };
}
const NONE: ReadonlySet<string> = new Set();

type Answer<T> = {
  fresh: readonly T[];
  /** How many the whole list has. */
  total: number;
  /** When it was answered, milliseconds since the epoch. */
  answeredAt: number;
};

/** What is shown, the answer it was made of, and of the list as it was taken: its total and how often one had changed cases. */
type Held<T> = Answer<T> & {
  key: string;
  rows: readonly T[];
  gone: ReadonlySet<string>;
  taken: number;
  changes: number;
};

export type HeldRows<T> = {
  rows: readonly T[];
  /** Shown, and not in the list any more. */
  gone: ReadonlySet<string>;
  /** How many have opened above the first row since. */
  opened: number;
  /** How many cases the list has more than when its rows were placed, whether they opened or came to fit it. */
  more: number;
  /** The list as it is now has other rows, or in another order. */
  isOther: boolean;
  /** Takes the list as it is now. */
  show: () => void;
};

/**
 * Keeps rows where they are read, whatever others do, until `show`, another list (`key`), or a change one made oneself: the
 * next answer after it is taken as it is. With `newestFirst` nothing is above the first row but what has opened since.
 */
export function useHeldRows<T extends Pick<Case, 'id' | 'time_opened'>>(
  answer: Answer<T>,
  { key, newestFirst }: { key: string; newestFirst: boolean },
): HeldRows<T> {
  const { data: changes = 0 } = useQuery(caseQueries.ownChanges(useTenantApi()));
  const asAnswered: Held<T> = { ...answer, key, rows: answer.fresh, gone: NONE, taken: answer.total, changes };
  const [held, setHeld] = useState(asAnswered);
  let current = held;
  const isAnother = held.key !== key;
  if (isAnother || held.fresh !== answer.fresh || held.answeredAt !== answer.answeredAt) {
    const isTaken = isAnother || held.changes !== changes;
    const kept = heldRows(held.rows, answer.fresh, answer.total);
    current = isTaken || kept.rows === answer.fresh ? asAnswered : { ...held, ...answer, ...kept };
    setHeld(current);
  }
  const { rows, gone, fresh, total, taken } = current;
  const [first] = rows;
  const onTop =
    newestFirst && first !== undefined ? fresh.filter(({ time_opened }) => time_opened > first.time_opened).length : 0;
  return {
    rows,
    gone,
    opened: onTop,
    more: Math.max(0, total - taken),
    isOther: rows !== fresh,
    show: () => setHeld({ ...asAnswered, changes: current.changes }),
  };
}
