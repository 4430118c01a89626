import { randomBytes } from 'node:crypto';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { expect, it } from 'vitest';
import { createPasswordHashes, olderCost, type PasswordCost, presentCost, restOf, workOf } from './password-hash.ts';

const PASSWORD = 'a harbour full of ships';
const cheap: PasswordCost = { n: 2 ** 8, r: 8, p: 1 };

const hashesAt = (cost: PasswordCost) => createPasswordHashes({ cost: async () => cost, randomBytes });

it('costs what OWASP asks for unless told otherwise, and no more memory than two at a time may take', async () => {
  // The least of the costs in OWASP's cheat sheet with 32 MiB; all of them are about as much work.
  expect([presentCost.n, presentCost.r, presentCost.p]).toEqual([2 ** 15, 8, 3]);
  expect(128 * presentCost.n * presentCost.r).toBe(32 * 2 ** 20);
  const hash = await hashesAt(presentCost).make(PASSWORD);
  expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
  expect(await hashesAt(presentCost).verify(hash, PASSWORD)).toBe(true);
});

it('takes the right password only, also when its letters are composed otherwise, and salts each hash', async () => {
  const hashes = hashesAt(cheap);
  const hash = await hashes.make('Übermut im Hafen');
  expect(await hashes.verify(hash, 'Übermut im Hafen')).toBe(true);
  expect(await hashes.verify(hash, 'übermut im Hafen')).toBe(false);
  expect(await hashes.make('Übermut im Hafen')).not.toBe(hash);
});

it('verifies hashes of other costs with the cost they were made with, and knows which are cheap', async () => {
  const older = await hashesAt(olderCost).make(PASSWORD);
  const costly = hashesAt({ n: 2 ** 15, r: 8, p: 2 });
  for (const hash of [older, await hashPassword(PASSWORD), await hashesAt(cheap).make(PASSWORD)]) {
    expect(await costly.verify(hash, PASSWORD)).toBe(true);
    expect(await costly.verify(hash, 'not the password')).toBe(false);
    expect(await costly.isCheap(hash)).toBe(true);
  }
  expect(await hashesAt(cheap).isCheap(older)).toBe(false);
  expect(await costly.isCheap(await costly.make(PASSWORD))).toBe(false);
});

it('makes hashes the release before can verify while those are asked for', async () => {
  const hash = await hashesAt(olderCost).make(PASSWORD);
  expect(await verifyPassword({ hash, password: PASSWORD })).toBe(true);
  expect(await verifyPassword({ hash, password: 'not the password' })).toBe(false);
});

it('does the work of a present hash for an older one, so that the time does not tell which accounts exist', () => {
  const rest = restOf(olderCost, presentCost);
  expect(rest).toEqual({ ...olderCost, p: 2 });
  expect(workOf(olderCost) + workOf(rest ?? cheap)).toBe(workOf(presentCost));
  expect(restOf(presentCost, presentCost)).toBeUndefined();
  expect(restOf(presentCost, cheap)).toBeUndefined();
});

it.each([
  ['nothing', ''],
  ['half a hash', '00:11'],
  ['a cost that would take a gigabyte', `$scrypt$ln=20,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`],
  ['a cost of nothing', `$scrypt$ln=0,r=0,p=0$${'A'.repeat(22)}$${'A'.repeat(43)}`],
])('refuses every password where %s is kept', async (_what, hash) => {
  expect(await hashesAt(cheap).verify(hash, PASSWORD)).toBe(false);
  expect(await hashesAt(presentCost).isCheap(hash)).toBe(false);
});
