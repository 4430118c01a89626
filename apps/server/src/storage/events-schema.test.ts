import { randomUUID } from 'node:crypto';
import { createClient } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { applyEventsSchema } from './events-schema.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { eventRow } from './test-events.ts';

const TENANT = randomUUID();
let stores: TestDatabase;

beforeAll(async () => {
  stores = await createTestDatabase([]);
  await stores.events.insert([eventRow({ tenant: TENANT, message: 'Needle', raw: 'RAW Needle' })]);
});
afterAll(() => stores?.close());

/** The plan of a statement, as one text. */
async function planOf(condition: string): Promise<string> {
  const sql = `explain indexes = 1 select host from events where tenant = {tenant:UUID} and ${condition}`;
  const lines = await stores.events.query<{ explain: string }>({ tenant: TENANT, sql });
  return lines.map(({ explain }) => explain).join('\n');
}

describe('the store looks up', () => {
  it.each([
    ['words of messages in any case', "hasToken(lowerUTF8(message), 'needle')", 'message_words_folded'],
    ['words of original lines in any case', "hasAllTokens(lowerUTF8(raw), ['raw', 'needle'])", 'raw_words_folded'],
    ['what has just arrived', 'received_at >= now() - 10', 'received_range'],
    ['a stretch of time', 'time >= now() - 10', 'time_range'],
    ['an event by its id', `id = toUUID('${randomUUID()}')`, 'ids'],
  ])('%s by an index', async (_, condition, index) => {
    expect(await planOf(condition)).toMatch(new RegExp(`Name: ${index}\\b`));
  });
});

test('a table made before the search ignored case gets its indexes, keeps its rows, and loses what nothing asks', async () => {
  const { url, user: username, password } = stores.eventsConnection;
  const database = `former_${randomUUID().replaceAll('-', '')}`;
  const client = createClient({ url, username, password });
  const indexes = async () => {
    const query = `select name from system.data_skipping_indices where database = '${database}' order by name`;
    const answer = await client.query({ query, format: 'JSONEachRow' });
    return (await answer.json<{ name: string }>()).map(({ name }) => name);
  };
  const apply = () => applyEventsSchema(client, { database });
  try {
    await apply();
    const current = await indexes();
    const table = `${database}.events`;
    for (const { name } of [
      { name: 'raw_words_folded' },
      { name: 'message_words_folded' },
      { name: 'received_range' },
    ]) {
      await client.command({ query: `alter table ${table} drop index ${name}` });
    }
    await client.command({
      query: `alter table ${table} add index raw_words raw type text(tokenizer = 'splitByNonAlpha')`,
    });
    await client.insert({ table, values: [eventRow({ tenant: TENANT, message: 'Kept' })], format: 'JSONEachRow' });
    await apply();
    await apply();
    expect(await indexes()).toEqual(current);
    const query = `select count() as n from ${table} where hasToken(lowerUTF8(message), 'kept')`;
    const answer = await client.query({ query, format: 'JSONEachRow' });
    expect(await answer.json()).toMatchObject([{ n: expect.anything() }]);
  } finally {
    await client.command({ query: `drop database if exists ${database} sync` });
    await client.close();
  }
});
