import { randomUUID } from 'node:crypto';
import { findSequence } from '@airdeck/detection/counting/step-sequence';
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

type Match = { minute: number; recorded: number; value: string | null; isTaken: boolean; steps?: number };

async function insert(group: { tenant: string; policyId: string; groupKey: string }, matches: readonly Match[]) {
  const rows = matches.map(({ minute, recorded, value, isTaken, steps = 1 }) => ({
    ...{ event: randomUUID(), time: at(minute), recorded: at(recorded), value, steps },
    case: isTaken ? randomUUID() : null,
  }));
  await stores.database.system((tx) =>
    sql`
      insert into policy_match
        (tenant_id, policy_id, event_id, group_key, event_time, distinct_value, steps, case_id, recorded_at)
      select ${group.tenant}, ${group.policyId}, m."event", ${group.groupKey}, m."time", m."value", m."steps", m."case", m."recorded"
      from json_to_recordset(${JSON.stringify(rows)}::json) as m
        ("event" uuid, "time" timestamptz, "recorded" timestamptz, "value" text, "steps" int, "case" uuid)`.execute(tx),
  );
}

const minute = fc.integer({ min: 0, max: 30 });
const bound = fc.integer({ min: 1, max: 8 });
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
      fc.record({ matches: bound, values: bound, combinations: bound }),
      async (matches, questions, bounds) => {
        const group = { tenant: randomUUID(), policyId: randomUUID(), groupKey: 'group' };
        await insert(group, matches);
        await insert({ ...group, groupKey: 'another' }, [{ minute: 12, recorded: 30, value: 'other', isTaken: false }]);
        const requests = questions.map(
          ({ from, to, after, since, ...rest }, order): CountRequest => ({
            ...{ ...group, ...rest, order, steps: 0, anyOrder: false, from: at(from), to: at(to) },
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
    const found = await groupsWithEnough(tx, [three, four, five] as CountRequest[], {
      matches: 100,
      values: 50,
      combinations: 50,
    });
    expect([...found].sort()).toEqual([3, 4]);
    expect((await rowsRead(tx)) - before).toBeLessThan(500);
  });
});

type Fit = { minute: number; steps: number };
const STEPS = 3;
const fits = fc.array(fc.record<Fit>({ minute, steps: fc.integer({ min: 1, max: 2 ** STEPS - 1 }) }), { maxLength: 8 });

test('a sequence that is complete is always looked at closely, and one whose steps are not all there, in order, is not', async () => {
  let answers = { complete: 0, impossible: 0 };
  await fc.assert(
    fc.asyncProperty(fits, fc.boolean(), fc.integer({ min: 2, max: 10 }), async (events, anyOrder, combinations) => {
      const group = { tenant: randomUUID(), policyId: randomUUID(), groupKey: 'group' };
      await insert(
        group,
        events.map((event) => ({ ...event, recorded: 30, value: null, isTaken: false })),
      );
      const request = {
        ...group,
        order: 7,
        from: at(5),
        to: at(25),
        after: null,
        since: null,
        distinct: false,
        count: 1,
      };
      const found = await stores.database.system((tx) =>
        groupsWithEnough(tx, [{ ...request, steps: STEPS, anyOrder }], { matches: 5, values: 5, combinations }),
      );
      const inSpan = events.filter((event) => event.minute >= 5 && event.minute <= 25);
      if (isComplete(inSpan, anyOrder)) {
        answers = { ...answers, complete: answers.complete + 1 };
        expect([...found]).toEqual([7]);
      } else if (!canHappen(inSpan, anyOrder) && new Set(events.map(({ steps }) => steps)).size <= combinations) {
        answers = { ...answers, impossible: answers.impossible + 1 };
        expect([...found]).toEqual([]);
      }
    }),
    { numRuns: 200 },
  );
  expect(Math.min(answers.complete, answers.impossible)).toBeGreaterThan(15);
});

test('of a sequence that waits for one step, the many matches of the others are not read', async () => {
  const group = { tenant: randomUUID(), policyId: randomUUID(), groupKey: 'host' };
  const failures = Array.from({ length: 20_000 }, (_, index) => ({
    ...{ minute: 10 + index / 1_000, recorded: 30, value: null, isTaken: false, steps: 1 },
  }));
  const earlier = { minute: 9, recorded: 30, value: null, isTaken: false };
  // Somebody signed in, and made an account, before all of those failed.
  await insert(group, [{ ...earlier, steps: 2 }, { ...earlier, steps: 4 }, ...failures]);
  const ask = { ...group, from: at(0), to: at(60), after: null, since: null, distinct: false, count: 1, steps: 3 };
  await stores.database.system(async (tx) => {
    await sql`analyze policy_match`.execute(tx);
    const before = await rowsRead(tx);
    const inOrder = { ...ask, order: 1, anyOrder: false };
    const found = await groupsWithEnough(tx, [inOrder, { ...inOrder, order: 2, anyOrder: true }]);
    expect([...found]).toEqual([2]);
    expect((await rowsRead(tx)) - before).toBeLessThan(100);
  });
});

function isComplete(events: readonly Fit[], anyOrder: boolean): boolean {
  const marks = events.flatMap((event, index) =>
    stepsOf(event).map((step) => ({ eventId: `${index}`, timeMs: event.minute, step, value: null })),
  );
  const sorted = marks.toSorted((a, b) => a.timeMs - b.timeMs);
  return findSequence(sorted, { steps: STEPS, withinMs: 20, anyOrder }) !== undefined;
}

/** Step after step at the earliest minute, where one event may stand for several. */
function canHappen(events: readonly Fit[], anyOrder: boolean): boolean {
  let from = Number.NEGATIVE_INFINITY;
  for (let step = 0; step < STEPS; step++) {
    const minutes = events.filter((event) => stepsOf(event).includes(step) && event.minute >= from);
    if (minutes.length === 0) return false;
    if (!anyOrder) from = Math.min(...minutes.map((event) => event.minute));
  }
  return true;
}

function stepsOf({ steps }: Fit): number[] {
  return [0, 1, 2].filter((step) => (steps & (1 << step)) !== 0);
}

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
