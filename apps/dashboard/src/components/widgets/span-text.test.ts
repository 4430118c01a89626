import { expect, test } from 'vitest';
import { anyReader } from '../../ui/reader.ts';
import { shortSpanName, spanName, withinSpan } from './span-text.ts';

const days = (from: string, to: string) => ({ period: 'CUSTOM', range: { from, to } }) as const;
const november = days('2026-11-03', '2026-11-09');

test('days are written in the language of the profile', () => {
  expect(spanName(november, anyReader)).toBe('Nov 3 – Nov 9');
  expect(spanName(november, { ...anyReader, locale: 'pt-BR' })).toBe('3 de nov. – 9 de nov.');
  expect(spanName(days('2025-12-30', '2026-01-02'), { ...anyReader, locale: 'en-CA' })).toBe(
    'Dec 30, 2025 – Jan 2, 2026',
  );
});

test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('the days chosen are the days named, also in %s', (timeZone) => {
  expect(spanName(november, { ...anyReader, timeZone })).toBe('Nov 3 – Nov 9');
});

test('a moving period keeps its name, short in the head of a widget', () => {
  expect(shortSpanName({ period: 'LAST_7_DAYS' }, anyReader)).toBe('7 days');
  expect(withinSpan(november, anyReader)).toBe('from Nov 3 to Nov 9');
});
