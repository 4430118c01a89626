import { describe, expect, it } from 'vitest';
import { heldRows } from './held-rows.ts';

/** Rows by their minute, newest first. */
const rows = (...minutes: number[]) =>
  minutes.map((minute) => ({
    id: `case ${minute}`,
    time_opened: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
  }));
const told = (held: ReturnType<typeof heldRows>) =>
  `${held.rows.map(({ id }) => id.slice(5)).join(' ')} +${held.newer}`;

describe('a list that is being read', () => {
  it('does not move when cases open', () => {
    expect(told(heldRows(rows(5, 4, 3), rows(7, 6, 5)))).toBe('5 4 3 +2');
  });

  it('goes on counting what came in', () => {
    expect(told(heldRows(rows(5, 4, 3), rows(9, 8, 7)))).toBe('5 4 3 +3');
  });

  it('lets go of what fits the filters no longer', () => {
    expect(told(heldRows(rows(5, 4, 3), rows(6, 5, 3)))).toBe('5 3 +1');
    expect(told(heldRows(rows(5, 4, 3), rows(5, 3, 2)))).toBe('5 3 2 +0');
  });

  it('shows the first cases there are at once', () => {
    expect(told(heldRows([], rows(5)))).toBe('5 +0');
  });
});
