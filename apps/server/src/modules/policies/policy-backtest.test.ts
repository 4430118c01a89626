import type { ParsedEvent } from '@airdeck/contracts/events/event';
import type { Criterion, PolicyRule } from '@airdeck/contracts/policies/schema';
import { policyBacktestResultSchema } from '@airdeck/contracts/policies/trial-schema';
import { otherNames } from '@airdeck/detection/field-names';
import { compilePolicies, evaluate } from '@airdeck/detection/policy-set';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventRow } from '../../storage/events-store.ts';
import { createTestDatabase, type TestDatabase } from '../../storage/test-database.ts';
import { eventRow } from '../../storage/test-events.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { guessingRule } from '../detection/detection-fixture.ts';
import { createPastEvents, type PastEvent } from './backtest-events.ts';
import { type BacktestBounds, backtest } from './policy-backtest.ts';

let stores: TestDatabase;

beforeAll(async () => {
  stores = await createTestDatabase();
}, 120_000);
afterAll(() => stores.close());

const startMs = Date.parse('2026-11-20T00:00:00Z');
const hour = 3_600_000;

async function held(
  rows: (tenant: string) => Partial<EventRow>[],
  rule: PolicyRule,
  options: { caseOpenForS?: number; bounds?: BacktestBounds; hours?: number } = {},
) {
  const tenant = v7();
  await stores.events.insert(rows(tenant).map((row) => eventRow({ tenant, ...row })));
  const order = {
    rule,
    start: new Date(startMs),
    end: new Date(startMs + (options.hours ?? 24) * hour),
    caseOpenForS: options.caseOpenForS ?? 3_600,
    reach: new Date(0),
  };
  const deps = { events: stores.events, elapsedMs: () => performance.now(), ...options };
  return policyBacktestResultSchema.parse(await backtest(deps, trustedTenantScope(tenant), order));
}

const failures = (times: readonly number[], parts: Partial<EventRow> = {}) =>
  times.map((seconds) => ({ time: startMs + seconds * 1000, src_ip: '203.0.113.7', ...parts }));

describe('a backtest', () => {
  test('counts by the threshold of the rule, by group, in event time', async () => {
    const result = await held(
      () => [
        ...failures([10, 20, 30, 40, 50, 7_000]),
        ...failures([10, 20, 30, 4_000, 4_010], { src_ip: '198.51.100.9' }),
        ...failures([15, 25], { outcome: 'success' }),
        ...failures([15], { integration: 'okta' }),
        ...failures([-5, 86_400]),
      ],
      guessingRule(),
    );
    expect(result).toMatchObject({ matched_events: 11, cases: 1, groups: 1, scanned_events: 13, partial: false });
    expect(result.by_hour).toEqual([
      { t: '2026-11-20T00:00:00.000Z', matched: 8, cases: 1 },
      { t: '2026-11-20T01:00:00.000Z', matched: 3, cases: 0 },
    ]);
    expect(result.sample).toHaveLength(11);
    expect(result.sample[0]).toMatchObject({ time: '2026-11-20T01:56:40.000Z', raw: expect.stringContaining('sshd') });
  });

  test('says what the suppression keeps away', async () => {
    const rule = guessingRule({ threshold: { count: 2, within_s: 60 }, suppress_for_s: 1_800 });
    const times = [0, 10, 600, 610, 1_200, 1_210, 4_000, 4_010];
    const result = await held(() => failures(times), rule, { caseOpenForS: 60 });
    expect(result).toMatchObject({ cases: 2, groups: 1, suppressed: { cases: 2, events: 4 } });
    const open = await held(() => failures(times), rule, { caseOpenForS: 86_400 });
    expect(open).toMatchObject({ cases: 1, suppressed: { cases: 2, events: 4 } });
  });

  test('counts different values', async () => {
    const rule = guessingRule({ threshold: { count: 3, within_s: 60, distinct_field: 'user' } });
    const users = (names: string[], at: number) => names.flatMap((user, index) => failures([at + index], { user }));
    const same = await held(() => users(['a', 'b', 'a', 'b'], 0), rule);
    expect(same.cases).toBe(0);
    expect((await held(() => users(['a', 'b', 'a', 'c'], 0), rule)).cases).toBe(1);
    expect((await held(() => [...users(['a', 'b'], 0), ...users(['c'], 100)], rule)).cases).toBe(0);
  });

  test('follows the steps of a sequence, each from its own source', async () => {
    const { threshold: _none, ...logic } = guessingRule().logic;
    const step = (outcome: string, integration: string) => ({
      filter_criteria: [{ field: 'outcome', operator: 'equals' as const, value: outcome }],
      source: { source_type: 'log' as const, connector_definition_id: integration, event_type: '' },
    });
    const rule = {
      ...guessingRule(),
      logic: {
        ...logic,
        filter_criteria: [],
        sequence: { steps: [step('failure', 'sshd'), step('success', 'okta')], within_s: 60 },
      },
    };
    const success = (times: readonly number[]) => failures(times, { outcome: 'success', integration: 'okta' });
    const result = await held(
      () => [
        ...failures([0, 10, 20]),
        ...success([70, 5_000]),
        ...failures([5_010, 9_000], { outcome: 'success' }),
        ...failures([9_000]),
        ...success([9_060]),
      ],
      rule,
    );
    expect(result).toMatchObject({ matched_events: 7, cases: 2, groups: 1, scanned_events: 9 });
    expect(result.by_hour.map(({ cases }) => cases)).toEqual([1, 0, 1]);
  });

  test('at its bounds says up to when it holds', async () => {
    const rows = Array.from({ length: 9_000 }, (_, n) => n * 2);
    const bounds = { totalMs: 60_000, events: 4_000, groups: 10 };
    const result = await held(() => failures(rows), guessingRule(), { bounds });
    expect(result.partial).toBe(true);
    expect(result.scanned_events).toBe(9_000);
    expect(result.matched_events).toBeGreaterThanOrEqual(4_000);
    expect(result.matched_events).toBeLessThan(9_000);
    expect(Date.parse(result.complete_until)).toBeGreaterThan(startMs + 7_000_000);
    const whole = await held(() => failures(rows), guessingRule());
    expect(whole).toMatchObject({ matched_events: 9_000, partial: false });
  });

  test.each([
    [-1, /after the start/],
    [32 * 24, /31 days/],
  ])('%d hours are refused', async (hours, message) => {
    await expect(held(() => [], guessingRule(), { hours })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringMatching(message),
    });
  });

  test('finds what stands under another name of the field, also one with a space', async () => {
    const threat = 'Trojan:Win32/Meterpreter';
    const rule = guessingRule({
      filter_criteria: [{ field: 'ThreatName', operator: 'equals', value: threat }],
      threshold: { count: 4, within_s: 60 },
    });
    const shapes = [{ ThreatName: threat }, { 'Threat Name': threat }, { EventData: { 'Threat Name': threat } }];
    const result = await held(
      () =>
        [{}, { 'Threat Name': 'EICAR' }, ...shapes, { 'Threat Name': threat }].flatMap((fields, at) =>
          failures([at], { fields }),
        ),
      rule,
    );
    expect(result).toMatchObject({ matched_events: 4, cases: 1, scanned_events: 6 });
  });

  test.each(['event system.id', 'event-system.id'])('%s is a field, and no table of the store', async (field) => {
    const rule = guessingRule({ filter_criteria: [{ field, operator: 'equals', value: '7' }] });
    const [key = '', inner = ''] = field.split('.');
    const result = await held(() => failures([0, 1], { fields: { [key]: { [inner]: 7 } } }), rule);
    expect(result).toMatchObject({ matched_events: 2 });
  });

  test("reads no other tenant's events", async () => {
    const other = v7();
    await stores.events.insert(failures([1, 2, 3, 4, 5]).map((row) => eventRow({ tenant: other, ...row })));
    expect(await held(() => [], guessingRule())).toMatchObject({ matched_events: 0, scanned_events: 0 });
  });
});

describe('what the store leaves out', () => {
  const shapes: Record<string, unknown>[] = [
    {},
    { user: 'Ana', Image: 'C:\\Windows\\System32\\cmd.exe', count: 4625, ratio: 0.5, flag: true },
    { Event: { System: { EventID: 4625 }, EventData: { Image: 'C:\\Temp\\evil.exe', TargetUserName: 'bo' } } },
    { Event: { System: { EventID: { '#text': 4625 } }, UserData: { LogFileCleared: { SubjectUserName: 'ana' } } } },
    { winlog: { event_id: 4625, event_data: { Image: 'cmd.exe' } } },
    { 'actor.alternateId': 'ana@example.com', outcome: 'failure' },
    { actor: { alternateId: 'Ana@Example.com' }, targets: [{ id: 'one' }, { id: 'two' }], tags: ['a', 'b'] },
    { NewProcessName: 'C:\\Windows\\System32\\cmd.exe', note: 'café', kelvin: 'K', path: '/etc/passwd' },
    { targets: [{ ids: ['one', 'three'] }], count: '4625', action: 'delete' },
  ];
  const fields = [
    ...['user', 'Image', 'EventID', 'count', 'ratio', 'flag', 'actor.alternateId', 'targets.id', 'targets.ids', 'tags'],
    ...['fields.outcome', 'outcome', 'action', 'SubjectUserName', 'TargetUserName', 'note', 'c-uri', 'host', 'src_ip'],
  ];
  const values = [
    'ana',
    '4625',
    'cmd.exe',
    'one',
    'a',
    'true',
    '0.5',
    'café',
    'failure',
    'delete',
    '/etc',
    '192.0.2.7',
  ];
  const criteria: Criterion[] = fields.flatMap((field) => [
    ...(['equals', 'contains', 'startswith', 'endswith'] as const).flatMap((operator) =>
      values.map((value) => ({ field, operator, value })),
    ),
    { field, operator: 'in', value: values },
    { field, operator: 'in', value: [4625, 'ANA'], case_sensitive: true },
    { field, operator: 'contains', value: ['a', 'n'], match: 'all' },
    {
      any: [
        { field, operator: 'equals', value: 'ANA' },
        { field: 'tags', operator: 'equals', value: 'b' },
      ],
    },
    { not: { field, operator: 'contains', value: 'a' } },
    { field, operator: 'exists' },
    { field, operator: 'wildcard', value: '*a*' },
    { field, operator: 'gt', value: 1 },
  ]);

  test('never fits the policy, whatever shape its fields have', async () => {
    const tenant = v7();
    const rows = shapes.flatMap((own, index) => [
      eventRow({ tenant, time: startMs + index, fields: own }),
      eventRow({ tenant, time: startMs + index, fields: own, user: '', host: '', action: '', outcome: '', src_ip: '' }),
    ]);
    await stores.events.insert(rows);
    const period = { fromMs: startMs, toMs: startMs + hour };
    const wrong: Criterion[] = [];
    let leftOut = 0;
    let all: PastEvent[] | undefined;
    const ids = rows.map(({ id }) => id);
    // Every eleventh: in time all operators meet all fields, and the test stays short.
    const tried = criteria.filter((_, index) => index % 11 === 0);
    for (const criterion of tried) {
      const rule = guessingRule({
        filter_criteria: [criterion],
        group_by: [],
        source: { source_type: 'log', connector_definition_id: '', event_type: '' },
      });
      const set = compilePolicies([{ id: 'p', rule }]);
      const fits = (event: Omit<ParsedEvent, 'time_source'>) =>
        evaluate(set, { ...event, time_source: 'event' }).length > 0;
      const past = createPastEvents({ events: stores.events }, trustedTenantScope(tenant), rule);
      const candidates = (await past.page(period, { after: undefined, timeoutMs: 10_000 })).events;
      all ??= await past.byIds(period, ids);
      const known = new Set(candidates.map(({ id }) => id));
      if (all.some((event) => fits(event) && !known.has(event.id))) wrong.push(criterion);
      leftOut += all.length - candidates.length;
    }
    expect(wrong).toEqual([]);
    expect(leftOut).toBeGreaterThan((tried.length * rows.length) / 3);
  }, 300_000);

  test('is never what stands under another name of the field', async () => {
    const tenant = v7();
    const value = 'sought';
    const under = (name: string) =>
      name.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Record<string, unknown>;
    const rowsOf = new Map(
      [...otherNames].map(([field, others]) => [
        field,
        others.map((name) => eventRow({ tenant, time: startMs, fields: under(name) })),
      ]),
    );
    const rows = [...rowsOf.values()].flat();
    await stores.events.insert(rows);
    const period = { fromMs: startMs, toMs: startMs + hour };
    for (const [field, own] of rowsOf) {
      const rule = guessingRule({ filter_criteria: [{ field, operator: 'equals', value }] });
      const past = createPastEvents({ events: stores.events }, trustedTenantScope(tenant), rule);
      const { events } = await past.page(period, { after: undefined, timeoutMs: 10_000 });
      const known = new Set(events.map(({ id }) => id));
      expect(
        own.filter(({ id }) => !known.has(id)).map(({ fields }) => fields),
        field,
      ).toEqual([]);
      expect(events.length, field).toBeLessThan(rows.length);
    }
  }, 120_000);
});
