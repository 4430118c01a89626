import { describe, expect, it } from 'vitest';
import { retryAfterSeconds } from './retry-after.ts';
import { clipped, jsonObjectOf, throwForStatus } from './vendor-answer.ts';
import type { VendorError } from './vendor-error.ts';

const answer = (status: number, text: string) => ({ status, text, headers: {}, retryAfterS: 9 });

function codeOf(work: () => unknown): string {
  try {
    work();
    return 'fine';
  } catch (error) {
    return (error as VendorError).code;
  }
}

describe("a vendor's answer", () => {
  it.each([
    [200, '{"a":1}', 'fine'],
    [200, '<html>', 'VENDOR_ANSWER_UNREADABLE'],
    [200, '[1]', 'VENDOR_ANSWER_UNREADABLE'],
    [200, '', 'VENDOR_ANSWER_UNREADABLE'],
    [502, '<html>', 'VENDOR_UNAVAILABLE'],
    [401, '', 'VENDOR_CREDENTIALS_REFUSED'],
    [404, '<html>', 'VENDOR_NOT_FOUND'],
  ])('%i with %s is %s', (status, text, code) => {
    expect(codeOf(() => jsonObjectOf('Vendor', answer(status, text)))).toBe(code);
  });

  it.each([
    [399, 'fine'],
    [400, 'VENDOR_REJECTED'],
    [403, 'VENDOR_PERMISSION_MISSING'],
    [409, 'VENDOR_CONFLICT'],
    [422, 'VENDOR_REJECTED'],
    [429, 'VENDOR_RATE_LIMITED'],
    [500, 'VENDOR_UNAVAILABLE'],
  ])('status %i is %s', (status, code) => {
    expect(codeOf(() => throwForStatus('Vendor', answer(status, ''), 'why'))).toBe(code);
  });

  it('is quoted in one line of bounded length', () => {
    expect(clipped('a\r\nb\u0000c\u001b[31m')).toBe('a b c [31m');
    expect(clipped('x'.repeat(1000))).toHaveLength(300);
  });
});

describe('Retry-After', () => {
  const now = new Date('2026-11-20T12:00:00Z');
  it.each([
    ['120', 120],
    [' 0 ', 0],
    ['Fri, 20 Nov 2026 12:00:30 GMT', 30],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['999999999', 86_400],
    ['soon', undefined],
    ['-5', undefined],
    [undefined, undefined],
  ])('%s is %s seconds', (value, seconds) => {
    expect(retryAfterSeconds(value, now)).toBe(seconds);
  });
});
