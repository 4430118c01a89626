import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { anyReader } from '../../ui/reader.ts';
import { shortSpanName, spanName, withinSpan } from './span-text.ts';

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z'), toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

const days = (from: string, to: string) => ({ period: 'CUSTOM', range: { from, to } }) as const;
const november = days('2026-11-03', '2026-11-09');

test('days are written in the language of the profile', () => {
  expect(spanName(november, anyReader)).toBe('Nov 3 – Nov 9');
  expect(spanName(november, { ...anyReader, locale: 'pt-BR' })).toBe('3 de nov. – 9 de nov.');
  expect(spanName(days('2025-12-30', '2026-01-02'), { ...anyReader, locale: 'en-CA' })).toBe(
    'Dec 30, 2025 – Jan 2, 2026',
  );
});

test('days of another year are named with it', () => {
  expect(spanName(days('2025-11-03', '2025-11-09'), anyReader)).toBe('Nov 3, 2025 – Nov 9, 2025');
  expect(shortSpanName(days('2025-11-03', '2025-11-03'), anyReader)).toBe('Nov 3, 2025');
  expect(withinSpan(days('2025-11-03', '2025-11-09'), anyReader)).toBe('from Nov 3, 2025 to Nov 9, 2025');
});

test('the present year is that of the reader’s zone', () => {
  vi.setSystemTime(new Date('2026-12-31T18:00:00Z'));
  expect(spanName(november, { ...anyReader, timeZone: 'America/Sao_Paulo' })).toBe('Nov 3 – Nov 9');
  expect(spanName(november, { ...anyReader, timeZone: 'Asia/Tokyo' })).toBe('Nov 3, 2026 – Nov 9, 2026');
});

test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('the days chosen are the days named, also in %s', (timeZone) => {
  expect(spanName(november, { ...anyReader, timeZone })).toBe('Nov 3 – Nov 9');
});

test('a moving period keeps its name, short in the head of a widget', () => {
  expect(shortSpanName({ period: 'LAST_7_DAYS' }, anyReader)).toBe('7 days');
  expect(withinSpan(november, anyReader)).toBe('from Nov 3 to Nov 9');
});
