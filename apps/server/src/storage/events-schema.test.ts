import { randomUUID } from 'node:crypto';
import { createClient } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { tenantFence } from './events-fence.ts';
import { applyEventsSchema, eventsSchema } from './events-schema.ts';
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
    ['what has just been stored', 'stored_at >= now() - 10', 'stored_range'],
    ['a stretch of time', 'time >= now() - 10', 'time_range'],
    ['an event by its id', `id = toUUID('${randomUUID()}')`, 'ids'],
  ])('%s by an index', async (_, condition, index) => {
    expect(await planOf(condition)).toMatch(new RegExp(`Name: ${index}\\b`));
  });
});

test('a table made by earlier versions gets its column and indexes, keeps its rows, and loses what nothing asks', async () => {
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
    for (const { name } of [{ name: 'raw_words_folded' }, { name: 'message_words_folded' }, { name: 'stored_range' }]) {
      await client.command({ query: `alter table ${table} drop index ${name}` });
    }
    await client.command({ query: `alter table ${table} drop column stored_at` });
    await client.command({ query: `alter table ${table} add index received_range received_at type minmax` });
    await client.command({
      query: `alter table ${table} add index raw_words raw type text(tokenizer = 'splitByNonAlpha')`,
    });
    await client.insert({ table, values: [eventRow({ tenant: TENANT, message: 'Kept' })], format: 'JSONEachRow' });
    await apply();
    await apply();
    expect(await indexes()).toEqual(current);
    const query = `select toUnixTimestamp64Milli(stored_at) as at from ${table} where hasToken(lowerUTF8(message), 'kept')`;
    const answer = await client.query({ query, format: 'JSONEachRow' });
    // Never "just now", which every live tail would take it for.
    expect(await answer.json()).toEqual([{ at: 0 }]);
  } finally {
    await client.command({ query: `drop database if exists ${database} sync` });
    await client.close();
  }
});

/** Read as text only: nothing here can start several servers. */
describe('on a cluster', () => {
  const placement = { database: 'siem', cluster: 'air' };
  const statements = eventsSchema(placement);

  it('every statement goes to all of its servers', () => {
    expect(statements.filter((statement) => !/ on cluster air\b/.test(statement))).toEqual([]);
    expect(eventsSchema({ database: 'siem' }).join('\n')).not.toMatch(/cluster|Replicated|Distributed|events_local/);
  });

  it('the rows are in replicated tables that drop what was sent again, one on each shard', () => {
    const created = statements.filter((statement) =>
      statement.startsWith('create table if not exists siem.events_local'),
    );
    expect(created).toHaveLength(1);
    expect(created[0]).toContain(
      "engine = ReplicatedMergeTree('/clickhouse/tables/{shard}/siem/events_local', '{replica}')",
    );
    expect(created[0]).toMatch(/(?<!non_)replicated_deduplication_window = 10000/);
    expect(created[0]).not.toContain('non_replicated');
    const changes = statements.filter((statement) => statement.startsWith('alter '));
    expect(changes.every((statement) => /^alter table siem\.events(_local)? on cluster air /.test(statement))).toBe(
      true,
    );
  });

  it('what is read and written is the table over all shards, made after them, and gets the same columns', () => {
    expect(statements.slice(-2)).toEqual([
      `create table if not exists siem.events on cluster air as siem.events_local
engine = Distributed(air, siem, events_local, cityHash64(id))`,
      expect.stringContaining('alter table siem.events on cluster air add column if not exists stored_at '),
    ]);
    const ofShards = statements.findIndex((statement) => statement.includes('events_local on cluster air add column'));
    expect(ofShards).toBeGreaterThan(0);
    expect(ofShards).toBeLessThan(statements.length - 2);
  });

  it('the fence stands around the tables of the shards', () => {
    const { additional_table_filters: filters } = tenantFence(placement, TENANT);
    expect(String(filters)).toContain("'siem.events_local'");
    expect(String(filters)).toContain("'events_local'");
  });

  it('its name cannot carry a statement', () => {
    expect(() => eventsSchema({ database: 'siem', cluster: 'air; drop' })).toThrow('Not a name');
  });
});
