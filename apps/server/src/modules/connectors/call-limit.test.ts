import { expect, it } from 'vitest';
import { createCallLimit } from './call-limit.ts';

it('what a tenant may do in a minute it may do again after it, and when the clock was set back', () => {
  let at = Date.parse('2026-11-21T12:00:00.000Z');
  const mayDo = createCallLimit({ now: () => new Date(at), perMinute: 2 });
  const thrice = () => [mayDo('acme'), mayDo('acme'), mayDo('acme')];
  expect(thrice()).toEqual([true, true, false]);
  expect(mayDo('globex')).toBe(true);
  at += 59_999;
  expect(mayDo('acme')).toBe(false);
  at += 1;
  expect(thrice()).toEqual([true, true, false]);
  at -= 3_600_000;
  expect(thrice()).toEqual([true, true, false]);
});
