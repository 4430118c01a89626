import { describe, expect, it } from 'vitest';
import { startLabel, startOf, startPresets } from './start-time.ts';

describe('start of the time range', () => {
  const morning = new Date(2026, 10, 21, 8, 15);
  const evening = new Date(2026, 10, 21, 23, 59);

  it('gives the same address all day', () => {
    for (const { days } of startPresets) expect(startOf(days, morning)).toBe(startOf(days, evening));
  });

  it("begins at midnight in the reader's zone, across months", () => {
    expect(startOf(30, morning)).toBe(new Date(2026, 9, 22).toISOString());
  });

  it('is named by its preset on that day, by its date later and when typed by hand', () => {
    const week = startOf(7, morning);
    expect(startLabel(week, evening)).toBe('Last 7 days');
    expect(startLabel(week, new Date(2026, 10, 22, 1))).toBe('Since Nov 14, 2026');
    expect(startLabel(undefined, morning)).toBe('Any time');
  });
});
