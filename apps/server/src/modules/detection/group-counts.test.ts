import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '../../storage/schema.ts';
import { createTestDatabase, type TestDatabase } from '../../storage/test-database.ts';
import { type CountRequest, groupsWithEnough } from './group-counts.ts';

let stores: TestDatabase;
beforeAll(async () => {
  stores = await createTestDatabase();
});
afterAll(() => stores.close());

const START = Date.UTC(2026, 10, 1);
const at = (minute: number) => new Date(START + minute * 60_000).toISOString();

type Match = { minute: number; recorded: number; value: string | null; isTaken: boolean };

async function insert(group: { tenant: string; policyId: string; groupKey: string }, matches: readonly Match[]) {
  const rows = matches.map(({ minute, recorded, value, isTaken }) => ({
    ...{ event: randomUUID(), time: at(minute), recorded: at(recorded), value },
    case: isTaken ? randomUUID() : null,
  }));
  await stores.database.system((tx) =>
    sql`
      insert into policy_match
        (tenant_id, policy_id, event_id, group_key, event_time, distinct_value, steps, case_id, recorded_at)
      select ${group.tenant}, ${group.policyId}, m."event", ${group.groupKey}, m."time", m."value", 1, m."case", m."recorded"
      from json_to_recordset(${JSON.stringify(rows)}::json) as m
        ("event" uuid, "time" timestamptz, "recorded" timestamptz, "value" text, "case" uuid)`.execute(tx),
  );
}

const minute = fc.integer({ min: 0, max: 30 });
const match = fc.record<Match>({
  minute,
  recorded: minute,
  value: fc.constantFrom('a', 'b', 'c', 'd', '', null),
  isTaken: fc.constantFrom(false, false, false, true),
});
type Question = Pick<CountRequest, 'distinct' | 'count'> & {
  from: number;
  to: number;
  after: number | null;
  since: number | null;
};

const question = fc.record<Question>({
  from: fc.integer({ min: 0, max: 15 }),
  to: fc.integer({ min: 10, max: 30 }),
  after: fc.option(minute),
  since: fc.option(minute),
  distinct: fc.boolean(),
  count: fc.integer({ min: 1, max: 6 }),
});

test('whether a group has enough is what counting all of its matches says, whatever the bounds', async () => {
  let answers = { yes: 0, no: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(match, { maxLength: 25 }),
      fc.array(question, { minLength: 1, maxLength: 6 }),
      fc.record({ matches: fc.integer({ min: 1, max: 8 }), values: fc.integer({ min: 1, max: 6 }) }),
      async (matches, questions, bounds) => {
        const group = { tenant: randomUUID(), policyId: randomUUID(), groupKey: 'group' };
        await insert(group, matches);
        await insert({ ...group, groupKey: 'another' }, [{ minute: 12, recorded: 30, value: 'other', isTaken: false }]);
        const requests = questions.map(
          ({ from, to, after, since, ...rest }, order): CountRequest => ({
            ...{ ...group, ...rest, order, steps: 0, from: at(from), to: at(to) },
            after: after === null ? null : at(after),
            since: since === null ? null : at(since),
          }),
        );
        const expected = questions.flatMap((asked, order) => {
          const counted = matches.filter((one) => !one.isTaken && counts(one, asked));
          const values = new Set(counted.flatMap(({ value }) => value ?? []));
          return (asked.distinct ? values.size : counted.length) >= asked.count ? [order] : [];
        });
        const found = await stores.database.system((tx) => groupsWithEnough(tx, requests, bounds));
        expect([...found].sort()).toEqual(expected);
        answers = { yes: answers.yes + expected.length, no: answers.no + requests.length - expected.length };
      },
    ),
    { numRuns: 150 },
  );
  expect(Math.min(answers.yes, answers.no)).toBeGreaterThan(20);
});

test('of a group that repeats itself, matches are not read one by one', async () => {
  const group = { tenant: randomUUID(), policyId: randomUUID(), groupKey: 'host' };
  const repeated = Array.from({ length: 20_000 }, (_, index) => ({
    ...{ minute: 10 + index / 1_000, recorded: 30, value: `account ${index % 3}`, isTaken: false },
  }));
  await insert(group, [...repeated, { minute: 9, recorded: 30, value: 'rare', isTaken: false }]);
  const ask = { ...group, order: 0, from: at(0), to: at(60), after: null, since: null, distinct: true, steps: 0 };
  const [three, four, five] = [3, 4, 5].map((count) => ({ ...ask, count, order: count }));
  await stores.database.system(async (tx) => {
    await sql`analyze policy_match`.execute(tx);
    const before = await rowsRead(tx);
    const found = await groupsWithEnough(tx, [three, four, five] as CountRequest[], { matches: 100, values: 50 });
    expect([...found].sort()).toEqual([3, 4]);
    expect((await rowsRead(tx)) - before).toBeLessThan(500);
  });
});

function counts({ minute: time, recorded }: Match, { from, to, after, since }: Question): boolean {
  return time >= from && time <= to && (after === null || time > after) && (since === null || recorded >= since);
}

/** Rows and index entries of the table this transaction has looked at. */
async function rowsRead(tx: Tx): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_xact_user_tables
    where relname = 'policy_match'`.execute(tx);
  return rows[0]?.read ?? 0;
}
