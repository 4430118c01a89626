import { describe, expect, it } from 'vitest';
import { totpCode } from './totp.ts';

/** The secret of RFC 6238's test vectors, "12345678901234567890". */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('authenticator codes', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %i s are those of RFC 6238', (seconds, code) => {
    expect(totpCode(secret, seconds * 1000)).toBe(code);
  });

  it('take the secret as people copy it: small letters, blanks, padding', () => {
    expect(totpCode('gezd gnbv gy3t qojq gezd gnbv gy3t qojq====', 59_000)).toBe('287082');
  });

  it('refuse a secret that is not base32 rather than computing a wrong code', () => {
    expect(() => totpCode('not-base-32!', 0)).toThrow(RangeError);
  });
});
