import { expect, test } from 'vitest';
import { momentText } from './moment-text.ts';

test('a time in a sentence is a date and a time of day, even when it is today', () => {
  const time = new Date('2026-11-23T02:05:00Z');
  expect(momentText(time, { locale: 'en-US', timeZone: 'America/Toronto' })).toBe('Nov 22, 2026 9:05 PM');
  expect(momentText(time, { locale: 'en-CA', timeZone: 'UTC' })).toBe('Nov 23, 2026 2:05 AM');
  expect(momentText(time, { locale: 'pt-BR', timeZone: 'UTC' })).toBe('nov 23, 2026 2:05 AM');
});
