import { describe, expect, test } from 'vitest';
import { formatTypedDate, parseIsoDate, parseTypedDate, parseUtcDate } from './locale-date.ts';

describe('a typed date', () => {
  test.each([
    ['en-US', '02/09/2026', '2026-02-09'],
    ['en-US', ' 12/31/1999 ', '1999-12-31'],
    ['en-US', '02/29/2024', '2024-02-29'],
    ['pt-BR', '09/02/2026', '2026-02-09'],
    ['pt-BR', '31/12/2026', '2026-12-31'],
    ['en-CA', '2026-02-09', '2026-02-09'],
    ['en-CA', '0001-01-01', '0001-01-01'],
    ['en-CA', '2000-02-29', '2000-02-29'],
  ] as const)('%s %s is %s', (locale, text, day) => {
    expect(parseTypedDate(text, locale)).toBe(day);
  });

  test.each([
    ['en-US', '31/12/2026', 'MM/dd/yyyy'],
    ['en-US', '02/29/2026', 'MM/dd/yyyy'],
    ['en-US', '2/9/2026', 'MM/dd/yyyy'],
    ['en-US', '02/09/26', 'MM/dd/yyyy'],
    ['en-US', '', 'MM/dd/yyyy'],
    ['en-US', '00/10/2026', 'MM/dd/yyyy'],
    ['pt-BR', '12/31/2026', 'dd/MM/yyyy'],
    ['pt-BR', '31/11/2026', 'dd/MM/yyyy'],
    ['pt-BR', '30/02/2024', 'dd/MM/yyyy'],
    ['en-CA', '1900-02-29', 'yyyy-MM-dd'],
    ['en-CA', '2026-02-09T00:00:00Z', 'yyyy-MM-dd'],
    ['en-CA', '0000-01-01', 'yyyy-MM-dd'],
    ['en-CA', '٢٠٢٦-٠٢-٠٩', 'yyyy-MM-dd'],
  ] as const)('%s "%s" is refused with the expected form', (locale, text, format) => {
    expect(() => parseTypedDate(text, locale)).toThrow(
      new RangeError(`Invalid date format. Expected format: ${format}`),
    );
  });
});

describe('an ISO text', () => {
  test.each([
    ['2026-02-09', '2026-02-09T00:00:00.000Z'],
    ['2026-02-09T10:20Z', '2026-02-09T10:20:00.000Z'],
    ['2026-02-09T10:20:30.123Z', '2026-02-09T10:20:30.123Z'],
    ['2026-02-09T10:20:30-03:00', '2026-02-09T13:20:30.000Z'],
  ])('%s is %s', (text, instant) => {
    expect(parseIsoDate(text).toISOString()).toBe(instant);
  });

  test.each([
    '',
    '2026',
    '02/09/2026',
    '2026-02-30',
    '2026-13-01',
    '2026-02-30T10:00:00Z',
    '2026-02-09T25:00:00Z',
    '2026-02-09T10:20:30',
    '2026-02-09 10:20:30Z',
    'Mon Feb 09 2026',
    '+020260-02-09',
  ])('"%s" is refused', (text) => {
    expect(() => parseIsoDate(text)).toThrow(new RangeError('Invalid date format. Expected ISO date string.'));
  });

  test('must be in UTC where UTC is asked for', () => {
    expect(parseUtcDate('2026-02-09T10:20:30Z').toISOString()).toBe('2026-02-09T10:20:30.000Z');
    expect(parseUtcDate('2026-02-09').toISOString()).toBe('2026-02-09T00:00:00.000Z');
    const refused = new RangeError('Invalid UTC date format. Expected ISO date string.');
    for (const text of ['2026-02-09T10:20:30-03:00', '2026-02-09T10:20:30', '2026-02-30', 'now', '']) {
      expect(() => parseUtcDate(text)).toThrow(refused);
    }
  });
});

describe('formatting', () => {
  test.each([
    ['en-US', '2026-02-09', '02/09/2026'],
    ['pt-BR', '2026-02-09', '09/02/2026'],
    ['en-CA', '2026-02-09', '2026-02-09'],
  ] as const)('%s shows the day %s as %s in every zone', (locale, text, shown) => {
    expect(formatTypedDate(text, { locale, timeZone: 'America/Sao_Paulo' })).toBe(shown);
    expect(formatTypedDate(text, { locale, timeZone: 'Asia/Tokyo' })).toBe(shown);
  });

  test('an instant is the day it has in the zone', () => {
    expect(formatTypedDate('2026-02-09T01:00:00Z', { locale: 'pt-BR', timeZone: 'America/Sao_Paulo' })).toBe(
      '08/02/2026',
    );
  });

  test.each(['en-US', 'pt-BR', 'en-CA'] as const)('what %s shows is what it reads', (locale) => {
    for (const day of ['2024-02-29', '2026-12-31', '2026-01-01', '0999-06-07']) {
      expect(parseTypedDate(formatTypedDate(day, { locale }), locale)).toBe(day);
    }
  });

  test('what is no date is refused, not shown', () => {
    expect(() => formatTypedDate('yesterday', { locale: 'en-US' })).toThrow(RangeError);
  });
});
