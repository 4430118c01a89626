import { expect, test } from 'vitest';
import { readStartTime } from './start-time.ts';

const reading = { now: new Date('2026-11-21T17:00:00.000Z'), timeZone: 'America/Sao_Paulo' };

test('a time is that of the reader, not of the browser', () => {
  expect(readStartTime('2026-11-21T15:30', reading)).toEqual({ at: new Date('2026-11-21T18:30:00.000Z') });
});

test.each([
  ['', 'Choose a day and a time.'],
  ['2026-11-21', 'Choose a day and a time.'],
  ['2026-11-21T14:00', 'This time is past.'],
  ['2027-12-01T00:00', 'At most a year from now.'],
])('%j cannot be: %s', (text, problem) => {
  expect(readStartTime(text, reading)).toEqual({ problem });
});
