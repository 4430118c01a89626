import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { keptRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';

it('makes ten different codes of at least 128 bits each', () => {
  const codes = newRecoveryCodes(randomBytes);
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^(?:[A-Z2-7]{4}-){6}[A-Z2-7]{4}$/);
    expect(code.replaceAll('-', '').length * 5).toBeGreaterThanOrEqual(128);
  }
});

it('uses every bit: a code differs when any of its letters does', () => {
  const fixed = (byte: number) => newRecoveryCodes((size) => Buffer.alloc(size, byte))[0];
  expect(fixed(0)).toBe('AAAA-AAAA-AAAA-AAAA-AAAA-AAAA-AAAA');
  expect(fixed(255)).toBe('7777-7777-7777-7777-7777-7777-7777');
});

it('keeps a hash, the same for every way to write the code', () => {
  const code = 'ABOI-EFGB-2345-ABCD-EFGH-IJKL-MNOP';
  const kept = keptRecoveryCode(code);
  expect(kept).toMatch(/^sha256:[\w-]{43}$/);
  for (const written of [
    code.toLowerCase(),
    code.replaceAll('-', ''),
    code.replaceAll('-', ' – '),
    'ab01-efg8-2345abcdefghijklmnop',
  ])
    expect(keptRecoveryCode(written)).toBe(kept);
  expect(keptRecoveryCode('ABOI-EFGB-2345-ABCD-EFGH-IJKL-MNOQ')).not.toBe(kept);
});

it('knows the shorter codes of before as they are kept, also in capitals', () => {
  expect(keptRecoveryCode('0123ABCD-4567ef89 ')).toBe('0123abcd-4567ef89');
});

it('takes nothing else for a code: not what is kept of one, which a thief of the list would type', () => {
  const kept = keptRecoveryCode('ABOI-EFGB-2345-ABCD-EFGH-IJKL-MNOP') ?? '';
  for (const typed of ['', kept, kept.slice(7), 'ABOI-EFGB', '0123abcd-4567ef8', 'ÄBOI-EFGB-2345-ABCD-EFGH-IJKL-MNOP'])
    expect(keptRecoveryCode(typed)).toBeUndefined();
});
