import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { createKeyedAnswers, type KeyedRequest } from './keyed-answers.ts';

const HOUR_MS = 3_600_000;
let server: TestServer;
let tenant: string;
let clock = Date.parse('2026-11-24T12:00:00.000Z');

beforeAll(async () => {
  server = await createTestServer();
  tenant = await server.createTenant();
});
afterAll(() => server?.close());

function setUp(key: string | undefined) {
  const db = server.stores.database;
  const answers = createKeyedAnswers({ db, secret: 'for tests', now: () => new Date(clock) });
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const context = { raw: { request: { headers } }, caller: { userId: v7() } } as unknown as KeyedRequest['context'];
  const acted: number[] = [];
  const act = async () => {
    acted.push(acted.length);
    return { turn: acted.length };
  };
  const once = (asked: unknown = 'the same', work: () => Promise<object> = act) =>
    db.tenant(tenant, (tx) => answers.once(tx, { route: 'policies.import', tenant, context, asked }, work));
  return { answers, once, acted };
}

it('answers a request that comes again without acting, for a day', async () => {
  const { answers, once, acted } = setUp('one');
  expect(await once()).toEqual({ turn: 1 });
  clock += 23 * HOUR_MS;
  await answers.purge();
  expect(await once()).toEqual({ turn: 1 });
  clock += 2 * HOUR_MS;
  await answers.purge();
  expect(await once()).toEqual({ turn: 2 });
  expect(acted).toHaveLength(2);
});

it('acts each time without a key', async () => {
  const { once } = setUp(undefined);
  expect([await once(), await once()]).toEqual([{ turn: 1 }, { turn: 2 }]);
});

it('remembers an answer with characters that the store does not take', async () => {
  const { once } = setUp('odd');
  const work = async () => ({ title: 'a\0b', cut: 'half \ud83d' });
  await once('odd', work);
  expect(await once('odd', work)).toEqual({ title: 'a\ufffdb', cut: 'half \ufffd' });
});

it('remembers nothing of what failed', async () => {
  const { once } = setUp('two');
  await expect(once('the same', () => Promise.reject(new Error('No room.')))).rejects.toThrow('No room.');
  expect(await once()).toEqual({ turn: 1 });
});

it('keeps nothing of the request that could be guessed from it', async () => {
  const { once } = setUp('three');
  await once({ client_secret: 'a secret of four' });
  const rows = await server.stores.database.system((tx) => tx.selectFrom('keyed_answer').selectAll().execute());
  expect(JSON.stringify(rows)).not.toContain('a secret of four');
  const plain = await crypto.subtle.digest(
    'SHA-256',
    Buffer.from(JSON.stringify({ client_secret: 'a secret of four' })),
  );
  const hashes = rows.map((row) => row.request_hash);
  expect(hashes).not.toContain(Buffer.from(plain).toString('base64url'));
});
