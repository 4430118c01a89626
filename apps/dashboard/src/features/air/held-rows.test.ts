import { describe, expect, it } from 'vitest';
import { heldRows } from './held-rows.ts';

/** Rows by their minute, newest first. */
const rows = (...minutes: number[]) => minutes.map((minute) => ({ id: `${minute}`, read: 'once' }));
/** What is shown, with what is there no more in brackets. */
const told = (shown: number[], fresh: number[], total = 100) => {
  const { rows: held, gone } = heldRows(rows(...shown), rows(...fresh), total);
  return held.map(({ id }) => (gone.has(id) ? `(${id})` : id)).join(' ');
};

describe('a list that is being read', () => {
  it('does not move when cases open', () => {
    expect(told([5, 4, 3], [7, 6, 5])).toBe('5 4 3');
    expect(told([5, 4, 3], [9, 8, 7])).toBe('5 4 3');
  });

  it('does not move when what is on its page comes from the page before, or stands elsewhere by now', () => {
    expect(told([3, 2, 1], [4, 3, 2])).toBe('3 2 1');
    expect(told([3, 2, 1], [1, 3, 2])).toBe('3 2 1');
    expect(told([3, 2, 1], [3, 7, 2])).toBe('3 2 1');
  });

  it('keeps what fits the filters no longer in its place, and knows it', () => {
    expect(told([5, 4, 3], [6, 5, 3])).toBe('5 (4) 3');
    expect(told([5, 4, 3], [5, 3, 2])).toBe('5 (4) 3');
    expect(told([5, 4, 3], [5, 4, 2])).toBe('5 4 (3)');
    expect(told([5, 4, 3], [])).toBe('(5) (4) (3)');
    // All of a list there is: nothing was pushed off its end.
    expect(told([5, 4, 3], [6, 5, 4], 3)).toBe('5 4 (3)');
  });

  it('shows each row as it is now', () => {
    const now = rows(6, 5, 4).map((row) => ({ ...row, read: 'again' }));
    expect(heldRows(rows(5, 4), now, 100).rows.map(({ read }) => read)).toEqual(['again', 'again']);
  });

  it('shows the first cases there are at once', () => {
    expect(told([], [5])).toBe('5');
  });
});
