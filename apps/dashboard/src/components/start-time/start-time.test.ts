import { describe, expect, it } from 'vitest';
import { startLabel, startOf, startPresets } from './start-time.ts';

const reader = { locale: 'en-US', timeZone: 'America/New_York' } as const;

describe('start of the time range', () => {
  const morning = new Date('2026-11-21T08:15:00-05:00');
  const evening = new Date('2026-11-21T23:59:00-05:00');

  it('gives the same address all day', () => {
    for (const each of startPresets) expect(startOf(each, morning, reader)).toBe(startOf(each, evening, reader));
  });

  it("begins at midnight in the profile's zone, across months and the change of clocks", () => {
    expect(startOf('30d', morning, reader)).toBe('2026-10-23T04:00:00.000Z');
    expect(startOf('today', evening, { ...reader, timeZone: 'Asia/Tokyo' })).toBe('2026-11-21T15:00:00.000Z');
  });

  it('is named by its preset on that day, by its date later and when typed by hand', () => {
    const week = startOf('7d', morning, reader);
    const next = new Date('2026-11-22T01:00:00-05:00');
    expect(startLabel(week, evening, reader)).toBe('Last 7 days');
    expect(startLabel(week, next, reader)).toBe('Since Nov 15, 2026');
    expect(startLabel(week, next, { ...reader, locale: 'pt-BR' })).toContain('15 de nov');
    expect(startLabel(undefined, morning, reader)).toBe('Any time');
  });
});
