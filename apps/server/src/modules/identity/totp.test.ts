import { randomBytes } from 'node:crypto';
import { generate } from 'otplib';
import { describe, expect, it } from 'vitest';
import { keyOfSecret, matchingStep, newTotpSecret, toBase32, totpCode } from './totp.ts';

/** RFC 6238, appendix B, SHA-1; its codes have eight digits, ours are the last six. */
const rfcKey = '12345678901234567890';
const rfcCodes: readonly [number, string][] = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
];

describe('authenticator codes', () => {
  it.each(rfcCodes)('are those of RFC 6238 at second %i', (second, code) => {
    expect(totpCode(rfcKey, Math.floor(second / 30))).toBe(code);
  });

  it('are those an authenticator app shows for a secret we make', async () => {
    const secret = newTotpSecret(randomBytes);
    const epoch = 1_795_222_174;
    expect(await generate({ secret, epoch })).toBe(totpCode(keyOfSecret(secret), Math.floor(epoch / 30)));
  });

  it.each([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ])('of %i steps away are accepted: %s', (distance, accepted) => {
    const now = new Date(1_795_222_174_000);
    const step = Math.floor(now.getTime() / 30_000) + distance;
    expect(matchingStep(rfcKey, totpCode(rfcKey, step), now)).toBe(accepted ? step : undefined);
  });

  it('have secrets that differ and survive being written down', () => {
    const secrets = Array.from({ length: 50 }, () => newTotpSecret(randomBytes));
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) expect(toBase32(Buffer.from(keyOfSecret(secret)))).toBe(secret);
  });

  it.each(['', 'AAAA', '0189', 'not base32!', toBase32(Buffer.from([0x80, ...Buffer.alloc(20)]))])(
    'refuse %j as a secret',
    (secret) => {
      expect(() => keyOfSecret(secret)).toThrow(/TOTP secret/);
    },
  );
});
