import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTxtResolver, findProof, proofRecord, type ResolveTxt } from './domain-records.ts';
import { type NameServer, startNameServer } from './name-server-stand-in.ts';

let names: NameServer;
let texts: NameServer['texts'];
let resolveTxt: ResolveTxt;

beforeAll(async () => {
  names = await startNameServer();
  ({ texts } = names);
  resolveTxt = createTxtResolver([names.address]);
});
afterAll(() => names.close());

const record = proofRecord({ domain: 'harbour.example', token: 'right' });

it('finds the record among others, also where it comes in pieces', async () => {
  texts.set(record.name, [['v=spf1 -all'], ['airdeck-ver', 'ify=right']]);
  expect(await findProof(resolveTxt, record)).toBe('found');
});

it('takes nothing else for it', async () => {
  for (const text of ['airdeck-verify=rightly', 'airdeck-verify=', 'airdeck-verify=RIGHT', 'x airdeck-verify=right']) {
    texts.set(record.name, [[text]]);
    expect(await findProof(resolveTxt, record), text).toBe('missing');
  }
  texts.delete(record.name);
  texts.set('harbour.example', [[record.value]]);
  expect(await findProof(resolveTxt, record)).toBe('missing');
});

it('tells no record from no answer', async () => {
  texts.set(record.name, 'failed');
  expect(await findProof(resolveTxt, record)).toBe('unreachable');
  texts.set(record.name, []);
  expect(await findProof(resolveTxt, record)).toBe('missing');
});

it('does not ask for a name no server could have', async () => {
  const never = () => Promise.reject(new Error('asked'));
  const domain = `${'a'.repeat(60)}.`.repeat(4).slice(0, 240);
  expect(await findProof(never, proofRecord({ domain, token: 'right' }))).toBe('missing');
});
