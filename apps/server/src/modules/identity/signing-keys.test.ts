import { exportJWK, generateKeyPair, type JSONWebKeySet } from 'jose';
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
