import { describe, expect, it, test } from 'vitest';
import { isRangeEnd, rangePresets, rangeText, windowOf, windowText } from './time-range.ts';

const zone = 'Europe/Lisbon';
/** 00:30 on the 1st of November in Lisbon, which left summer time on the 25th of October. */
const now = new Date('2026-11-01T00:30:00Z');

function ends(start: string, end = 'now'): string[] | undefined {
  const window = windowOf({ start, end }, now, zone);
  return window === undefined ? undefined : [window.start.toISOString(), window.end.toISOString()];
}

describe('a range', () => {
  it.each([
    ['now-15m', 'now', '2026-11-01T00:15:00.000Z', '2026-11-01T00:30:00.000Z'],
    ['now-7d', 'now', '2026-10-25T00:30:00.000Z', '2026-11-01T00:30:00.000Z'],
    // The day and the month are the reader's.
    ['now/d', 'now', '2026-11-01T00:00:00.000Z', '2026-11-01T00:30:00.000Z'],
    ['now-8d/d', 'now/d', '2026-10-23T23:00:00.000Z', '2026-11-01T00:00:00.000Z'],
    ['now/M', 'now', '2026-11-01T00:00:00.000Z', '2026-11-01T00:30:00.000Z'],
    // October began in summer time.
    ['now-1M/M', 'now/M', '2026-09-30T23:00:00.000Z', '2026-11-01T00:00:00.000Z'],
    ['now-11M/M', 'now', '2025-12-01T00:00:00.000Z', '2026-11-01T00:30:00.000Z'],
    // Typed by hand without a zone it is the reader's, too: summer time until the 25th of October.
    ['2026-10-20T10:00', '2026-10-31T10:00:30.5', '2026-10-20T09:00:00.000Z', '2026-10-31T10:00:30.000Z'],
    ['2026-10-31T10:00:00+01:00', 'now', '2026-10-31T09:00:00.000Z', '2026-11-01T00:30:00.000Z'],
  ])('from %s to %s', (start, end, from, to) => {
    expect(ends(start, end)).toEqual([from, to]);
  });

  test('that ends before it begins, or where it begins, is none', () => {
    expect(ends('now', 'now')).toBeUndefined();
    expect(ends('now', 'now-1h')).toBeUndefined();
    expect(ends('2026-11-02T00:00:00Z', '2026-11-01T00:00:00Z')).toBeUndefined();
  });

  it.each([
    'yesterday',
    'now-',
    'now-1M',
    'now-5x',
    'now-1h/d',
    'now+1h',
    '2026-13-40T00:00:00Z',
    '2026-02-31T00:00',
    '2026-11-01',
    '',
  ])('cannot end at %j', (text) => {
    expect(isRangeEnd(text)).toBe(false);
    expect(ends(text)).toBeUndefined();
  });

  test('every preset is one, and is shown by its name', () => {
    const reader = { locale: 'en-US', timeZone: zone } as const;
    for (const preset of rangePresets) {
      // At the very beginning of a month "last month" still has an end.
      expect(windowOf(preset, new Date('2026-11-15T10:00:00Z'), zone), preset.name).toBeDefined();
      expect(rangeText(preset, now, reader)).toBe(preset.label);
    }
  });

  test('of two moments is written as the reader writes them, with seconds only where they matter', () => {
    const window = { start: new Date('2026-10-31T10:00:00Z'), end: new Date('2026-10-31T11:30:00Z') };
    expect(windowText(window, { locale: 'en-US', timeZone: zone })).toMatch(/Oct 31, 2026, 10:00.*11:30/);
    expect(windowText(window, { locale: 'pt-BR', timeZone: zone })).toMatch(/31 de out/);
    const exact = { ...window, end: new Date('2026-10-31T11:30:05Z') };
    expect(windowText(exact, { locale: 'en-US', timeZone: zone })).toMatch(/11:30:05/);
  });
});
