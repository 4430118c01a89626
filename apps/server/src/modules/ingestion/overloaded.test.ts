import { expect, it } from 'vitest';
import { overloaded } from './overloaded.ts';

it('tells those without room different times, so that they do not come again together', () => {
  const told = Array.from({ length: 200 }, () => overloaded());
  expect(new Set(told.map(({ code }) => code))).toEqual(new Set(['OVERLOADED']));
  expect([...new Set(told.map(({ retryAfterS }) => retryAfterS))].toSorted()).toEqual([1, 2, 3, 4, 5]);
});
