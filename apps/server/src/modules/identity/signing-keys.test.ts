import { exportJWK, generateKeyPair, type JSONWebKeySet, SignJWT } from 'jose';
import { expect, it } from 'vitest';
import { createSigningKeys } from './signing-keys.ts';

async function setOf(...ids: string[]): Promise<JSONWebKeySet> {
  const { publicKey } = await generateKeyPair('EdDSA', { extractable: true });
  const key = await exportJWK(publicKey);
  return { keys: ids.map((kid) => ({ ...key, kid, alg: 'EdDSA' })) };
}

it('signing keys are read again for an unknown key, but once in ten seconds however many tokens ask', async () => {
  let clock = 0;
  let reads = 0;
  let set = await setOf('one');
  const keys = createSigningKeys({
    now: () => new Date(clock),
    load: async () => {
      reads++;
      return set;
    },
  });
  expect(await Promise.all(Array.from({ length: 50 }, () => keys.knows('one')))).not.toContain(false);
  expect(reads).toBe(1);
  set = await setOf('one', 'two');
  expect(await Promise.all(Array.from({ length: 50 }, (_, n) => keys.knows(`../${n}`)))).not.toContain(true);
  expect(reads).toBe(1);
  clock = 10_000;
  expect(await keys.knows('two')).toBe(true);
  await Promise.all(Array.from({ length: 50 }, (_, n) => keys.knows(`../${n}`)));
  expect(reads).toBe(2);
});

it('signing keys that could not be read are asked for again', async () => {
  let fails = true;
  const set = await setOf('one');
  const keys = createSigningKeys({
    now: () => new Date(0),
    load: () => (fails ? Promise.reject(new Error('no store')) : Promise.resolve(set)),
  });
  await expect(keys.knows('one')).rejects.toThrow('no store');
  fails = false;
  expect(await keys.knows('one')).toBe(true);
});

it('signing keys lack a key only while that is certain: not before they are read, nor when reading again may help', async () => {
  let clock = 0;
  let set = await setOf('one');
  let release: (() => void) | undefined;
  let wait = Promise.resolve();
  const load = async () => {
    await wait;
    return set;
  };
  const keys = createSigningKeys({ now: () => new Date(clock), load });
  expect(keys.lacks('two')).toBe(false);
  await keys.knows('one');
  expect([keys.lacks('one'), keys.lacks('two')]).toEqual([false, true]);
  clock = 10_000;
  expect(keys.lacks('two')).toBe(false);
  wait = new Promise((resolve) => {
    release = resolve;
  });
  set = await setOf('one', 'two');
  const reading = keys.knows('two');
  expect(keys.lacks('two')).toBe(false);
  release?.();
  expect(await reading).toBe(true);
  expect([keys.lacks('two'), keys.lacks('three')]).toEqual([false, true]);
});

it('signing keys tell a signature of theirs from another, and leave other kinds of keys to the full check', async () => {
  const [mine, foreign] = await Promise.all([generateKeyPair('EdDSA'), generateKeyPair('EdDSA')]);
  const rsa = await generateKeyPair('RS256');
  const set = {
    keys: [
      { ...(await exportJWK(mine.publicKey)), kid: 'mine', alg: 'EdDSA' },
      { ...(await exportJWK(rsa.publicKey)), kid: 'rsa', alg: 'RS256' },
    ],
  };
  const keys = createSigningKeys({ now: () => new Date(0), load: async () => set });
  await keys.knows('mine');
  const signed = (key: Parameters<SignJWT['sign']>[0]) =>
    new SignJWT({ sub: 'a' }).setProtectedHeader({ alg: 'EdDSA' }).sign(key);
  const right = await signed(mine.privateKey);
  expect(await keys.maySign('mine', right)).toBe(true);
  expect(await keys.maySign('mine', await signed(foreign.privateKey))).toBe(false);
  expect(await keys.maySign('mine', right.replace(/.{10}$/, ''))).toBe(false);
  expect(await keys.maySign('mine', `x${right}`)).toBe(false);
  expect(await keys.maySign('rsa', await signed(foreign.privateKey))).toBe(true);
});
