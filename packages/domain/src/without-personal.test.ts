import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutPersonal } from './without-personal.ts';

test.each([
  ['GET /confirm-code?email=ann@example.com&code=123456 failed', 'GET /confirm-code?… failed'],
  ['No account for ann.lee+x@example.com.', 'No account for [e-mail]'],
  ['case 018f0000-0000-7000-8000-000000000001 is gone', 'case [id] is gone'],
  ['Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIx.c2ln', 'Bearer [token]'],
  ['code 402913 is wrong', 'code [number] is wrong'],
  ['Cannot read properties of undefined (reading "map")', 'Cannot read properties of undefined (reading "map")'],
])('%j becomes %j', (text, clean) => {
  expect(withoutPersonal(text)).toBe(clean);
});

test('whatever surrounds it, no address, code or token passes', () => {
  const secret = fc.constantFrom('ann@example.com', '482913', 'aird_3fN9vK2pQx7LmZ8cT1wYbR4dHs6GjU0e');
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), secret, fc.string({ maxLength: 60 }), (before, hidden, after) => {
      expect(withoutPersonal(`${before} ${hidden} ${after}`)).not.toContain(hidden);
    }),
  );
});
