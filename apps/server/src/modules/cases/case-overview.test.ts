import { type AirOverview, airOverviewSchema } from '@airdeck/contracts/air-overview/schema';
import { caseFigures } from '@airdeck/contracts/cases/figures';
import { caseSeverities } from '@airdeck/contracts/statuses';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { starterPolicies } from '../policies/starter-policies.ts';
import { beginsOfParts } from './case-overview.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;

let server: TestServer;
let tenant: string;
let reader: Actor;
let policyId: string;
const start = new Date(Date.now() - 30 * DAY_MS).toISOString();
const end = new Date(Date.now() + HOUR_MS).toISOString();

beforeAll(async () => {
  server = await createTestServer();
  tenant = await server.createTenant();
  reader = await server.createActor({ home: tenant, roles: { [tenant]: 'ReadOnly' } });
  const other = await server.createTenant();
  policyId = await addPolicy(tenant);
  await addCases(tenant, 120);
  await addCases(other, 7);
});
afterAll(() => server.close());

function addPolicy(to: string): Promise<string> {
  const [rule] = starterPolicies;
  if (rule === undefined) throw new Error('There is no starter policy.');
  const { policies } = server.composition.work;
  const named = { ...rule, techniques: ['T1110', 'T1059.001', 'T1059.003'] };
  return server.stores.database.tenant(to, (tx) => policies.create(tx, trustedTenantScope(to), { rule: named }, by));
}

/** Cases of every kind a figure tells apart, the oldest seventy days ago; which is which follows from their number. */
async function addCases(to: string, count: number): Promise<void> {
  await server.stores.database.tenant(to, async (tx) => {
    for (let n = 0; n < count; n++) {
      const id = v7();
      const opened = new Date(Date.now() - n * 14 * HOUR_MS - 1000);
      const later = (hours: number) => new Date(opened.getTime() + hours * HOUR_MS);
      const status = (['open', 'acknowledged', 'closed'] as const)[n % 3] ?? 'open';
      const severity = caseSeverities[n % 4] ?? 'low';
      await tx
        .insertInto('case_record')
        .values({
          ...{ id, tenant_id: to, number: n + 1, group_key: String(n), status, severity },
          policy_id: to === tenant && n % 2 === 0 ? policyId : null,
          alert_type: n % 2 === 0 ? 'policy' : 'manual',
          ...{ name: `Case ${n}`, description: '', category: 'test', search_text: `case ${n}` },
          severity_rank: caseSeverities.indexOf(severity),
          ...{ log_sources: ['sshd'], meta: '{}', time_updated: opened, time_opened: opened },
          opened_at: new Date(opened.getTime() - 60_000),
          time_acknowledged: status === 'open' ? null : later(1),
          time_closed: status === 'closed' ? later(2) : null,
          closed_by_person: status === 'closed' ? n % 6 === 2 : null,
          close_reason: status === 'closed' ? 'false_positive' : null,
          automated_response_at: n % 5 === 0 ? later(0.5) : null,
          respond_by: n % 7 === 0 ? null : later(4),
          resolve_by: n % 11 === 0 ? null : later(48),
          waiting_since: n % 13 === 0 ? later(0.1) : null,
        })
        .execute();
      const statuses = { 0: 'success', 1: 'error', 2: 'waiting' } as const;
      const byHand = n % 4 === 3 && n % 5 !== 0;
      // Of what automation has not answered, people did something in every second one.
      if (byHand && n % 8 === 3) continue;
      await tx
        .insertInto('case_response')
        .values({
          ...{ tenant_id: to, case_id: id, run_id: v7(), response_name: 'Block', started_at: opened },
          response_type: n % 2 === 0 ? 'action' : 'playbook',
          by_hand: byHand,
          status: n % 5 === 0 ? 'success' : (statuses[((n % 2) + 1) as 1 | 2] ?? 'error'),
        })
        .execute();
    }
  });
}

type Reader = { of: string; by: Actor };

async function overview(
  query: string = `start_time=${start}&end_time=${end}`,
  { of, by }: Reader = { of: tenant, by: reader },
): Promise<AirOverview> {
  const answer = await server.inject({ url: `/api/tenants/${of}/air/overview?${query}`, headers: by.headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return airOverviewSchema.parse(answer.json());
}

async function listed(query: Record<string, string>, { of, by }: Reader = { of: tenant, by: reader }): Promise<number> {
  const parameters = new URLSearchParams({ limit: '1', ...query });
  const url = `/api/tenants/${of}/case?${parameters}`;
  const answer = await server.inject({ url, headers: by.headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().total;
}

test('every figure of a period counts the cases of the list it opens', async () => {
  const { period } = await overview();
  const within = { start_time: start, end_time: end };
  expect(period.cases).toBe(await listed(within));
  expect(period.closed).toBe(await listed({ ...within, status: 'closed' }));
  for (const figure of ['automated_mttd', 'manual_mttd', 'automated_mttr', 'manual_mttr'] as const) {
    expect(period[figure].cases, figure).toBe(await listed({ ...within, figure }));
    expect(period[figure].seconds, figure).toBeGreaterThan(0);
  }
  for (const figure of ['answered', 'answer_failed', 'answering', 'unanswered'] as const) {
    expect(period[figure], figure).toBe(await listed({ ...within, figure }));
    expect(period[figure], figure).toBeGreaterThan(0);
  }
  const { answered, answer_failed, answering, unanswered, cases } = period;
  expect(answered + answer_failed + answering + unanswered).toBe(cases);
  expect(await listed({ ...within, figure: 'ended' }), 'what the success rate is taken over').toBe(
    answered + answer_failed,
  );
  // What people run by hand is no answer of automation.
  const { count } = await server.stores.database.tenant(tenant, (tx) =>
    tx
      .selectFrom('case_response')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('by_hand', '=', true)
      .executeTakeFirstOrThrow(),
  );
  expect(Number(count)).toBeGreaterThan(0);
});

test('what is open now is counted whatever period is looked at, by age and by lateness', async () => {
  const { open, sla, as_of } = await overview();
  const open_ = { status: 'open,acknowledged' };
  const ago = (ms: number) => new Date(Date.parse(as_of) - ms).toISOString();
  for (const { severity, hour, day, week, older } of open) {
    const of = { ...open_, severity };
    expect(hour).toBe(await listed({ ...of, start_time: ago(HOUR_MS) }));
    expect(day).toBe(await listed({ ...of, start_time: ago(DAY_MS), end_time: ago(HOUR_MS) }));
    expect(week).toBe(await listed({ ...of, start_time: ago(7 * DAY_MS), end_time: ago(DAY_MS) }));
    expect(older).toBe(await listed({ ...of, end_time: ago(7 * DAY_MS) }));
  }
  for (const figure of ['in_time', 'late', 'late_response', 'late_resolution'] as const) {
    expect(sla[figure], figure).toBe(await listed({ figure }));
    expect(sla[figure], figure).toBeGreaterThan(0);
  }
  const standing = open.reduce((sum, { hour, day, week, older }) => sum + hour + day + week + older, 0);
  expect(sla.in_time + sla.late).toBe(standing);
  const short = await overview(`start_time=${ago(HOUR_MS)}&end_time=${end}`);
  expect(short.open).toEqual(open);
});

test('a case is late where its list says so', async () => {
  const url = `/api/tenants/${tenant}/case?limit=100&figure=late`;
  const late = (await server.inject({ url, headers: reader.headers })).json();
  expect(late.cases.every((one: { sla: { breached: boolean } }) => one.sla.breached)).toBe(true);
  const inTime = (await server.inject({ url: url.replace('late', 'in_time'), headers: reader.headers })).json();
  expect(inTime.cases.some((one: { sla: { breached: boolean } }) => one.sla.breached)).toBe(false);
});

test('policies and techniques count the cases their list shows, of this tenant alone', async () => {
  const { policies, techniques, period } = await overview();
  const count = await listed({ start_time: start, end_time: end, policy: policyId });
  expect(policies).toMatchObject([{ id: policyId, cases: count }]);
  const falseOnes = await listed({ start_time: start, end_time: end, policy: policyId, figure: 'false_positive' });
  expect(falseOnes).toBeGreaterThan(0);
  expect(falseOnes).toBeLessThan(count);
  expect(policies[0]?.false_positives).toBe(falseOnes);
  expect(count).toBeLessThan(period.cases);
  expect(techniques).toMatchObject([
    { technique: 'T1059', policies: 1, enabled_policies: 1, cases: count, policy_ids: [policyId] },
    { technique: 'T1110', cases: count },
  ]);
});

/** A policy each that names these techniques, with as many cases of the last hour as its place in the list. */
async function addPoliciesWithCases(to: string, named: readonly string[][]): Promise<void> {
  await server.stores.database.tenant(to, async (tx) => {
    for (const techniques of named) {
      const rule = JSON.stringify({ name: 'Watch', severity: 'low', techniques, sources: [] });
      const id = v7();
      await tx.insertInto('policy').values({ id, tenant_id: to, rule }).execute();
    }
    await sql`
      insert into case_record (id, tenant_id, number, alert_type, policy_id, group_key, name, description, category, severity,
        severity_rank, status, log_sources, meta, opened_at, time_opened, time_updated, search_text)
      select gen_random_uuid(), ${to}, row_number() over (order by p.id, n), 'policy', p.id, n::text, 'Watched', '', 'test',
        'low', 0, 'open', '{}', '{}', at, at, at, 'watched'
      from (select id, row_number() over (order by id) as place from policy where tenant_id = ${to}) p,
        generate_series(1, p.place) as n, lateral (select now() - interval '1 hour' as at) as times`.execute(tx);
  });
}

describe('a technique that more policies name than an answer has room for', () => {
  const COUNT = 60;
  let crowded: Reader;

  beforeAll(async () => {
    const of = await server.createTenant();
    crowded = { of, by: await server.createActor({ home: of, roles: { [of]: 'Analyst' } }) };
    const ways = [['T1110'], ['T1110.003'], ['T1110.001', 'T1110.003', 'T1078']];
    const named = Array.from({ length: COUNT }, (_, n) => ways[n % ways.length] ?? []);
    await addPoliciesWithCases(of, [...named, ['T1059.001'], []]);
  });

  test('opens every case its number counts, each once', async () => {
    const { techniques, period } = await overview(undefined, crowded);
    const found = techniques.find(({ technique }) => technique === 'T1110');
    expect(found).toMatchObject({ policies: COUNT, cases: (COUNT * (COUNT + 1)) / 2 });
    expect(found?.policy_ids.length).toBeLessThan(COUNT);
    expect(period.cases).toBeGreaterThan(found?.cases ?? 0);
    const within = { start_time: start, end_time: end };
    for (const { technique, cases } of techniques) {
      expect(await listed({ ...within, technique }, crowded), technique).toBe(cases);
    }
  });

  test('narrows the list with its other filters, its facets and its pages, and nothing of another tenant is in it', async () => {
    const of = { technique: 'T1110', status: 'open', limit: '100' };
    const all = await listed(of, crowded);
    expect(await listed({ ...of, q: 'watched', severity: 'low' }, crowded)).toBe(all);
    expect(await listed({ ...of, status: 'closed' }, crowded)).toBe(0);
    expect(await listed({ ...of, end_time: start }, crowded)).toBe(0);
    expect(await listed({ ...of, technique: 'T1486' }, crowded)).toBe(0);
    const url = `/api/tenants/${crowded.of}/case?${new URLSearchParams({ ...of, page: String(Math.ceil(all / 100)) })}`;
    const last = (await server.inject({ url, headers: crowded.by.headers })).json();
    expect(last.cases).toHaveLength(all % 100);
    expect(last.facets.severity).toContainEqual({ value: 'low', count: all });
  });

  test('is what a change of all that match reaches', async () => {
    const answer = await server.inject({
      method: 'POST',
      url: `/api/tenants/${crowded.of}/case/bulk`,
      headers: crowded.by.headers,
      payload: { matching: { technique: 'T1059' }, change: { add_tags: ['seen'] } },
    });
    expect(answer.json()).toMatchObject({ matched: COUNT + 1 });
  });

  test.each(['T1110.001', '1110', 'T1110,T1059'])('is given whole and alone: "%s" is refused', async (technique) => {
    const url = `/api/tenants/${crowded.of}/case?${new URLSearchParams({ technique })}`;
    const answer = await server.inject({ url, headers: crowded.by.headers });
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { details: [{ path: 'query.technique' }] }]);
  });
});

test('a technique has the cases of a policy no more as soon as that names it no more', async () => {
  const of = await server.createTenant();
  const alone = { of, by: await server.createActor({ home: of, roles: { [of]: 'ReadOnly' } }) };
  await addPoliciesWithCases(of, [['T1078'], ['T1078.004']]);
  expect(await listed({ technique: 'T1078' }, alone)).toBe(3);
  await server.stores.database.tenant(of, (tx) =>
    tx
      .updateTable('policy')
      .set({ rule: JSON.stringify({ name: 'Watch', severity: 'low', sources: [] }) })
      .where('tenant_id', '=', of)
      .execute(),
  );
  expect(await listed({ technique: 'T1078' }, alone)).toBe(0);
  expect((await overview(undefined, alone)).techniques).toEqual([]);
});

test('the parts of the trend make up the period, and the period before is as long', async () => {
  const { trend, period, previous, trend_part_s: partS } = await overview();
  const listedOf = trend.map(({ t }, part) => listed({ start_time: t, end_time: trend[part + 1]?.t ?? end }));
  expect(trend.map(({ cases }) => cases)).toEqual(await Promise.all(listedOf));
  for (const [part, { t, answered }] of trend.entries()) {
    const within = { start_time: t, end_time: trend[part + 1]?.t ?? end };
    expect(await listed({ ...within, figure: 'answered' }), t).toBe(answered);
  }
  expect(trend.reduce((sum, { cases }) => sum + cases, 0)).toBe(period.cases);
  expect(trend.reduce((sum, { answered }) => sum + answered, 0)).toBe(period.answered);
  expect(partS).toBe(DAY_MS / 1000);
  const before = new Date(2 * Date.parse(start) - Date.parse(end)).toISOString();
  expect(previous.cases).toBe(await listed({ start_time: before, end_time: start }));
  const year = await overview(`start_time=${new Date(Date.parse(end) - 365 * DAY_MS).toISOString()}&end_time=${end}`);
  expect(year.trend.length).toBeLessThan(60);
});

test('a part is a day of the zone, however long clocks make it', async () => {
  // Thirty days of the calendar and an hour: clocks go back on the 25th.
  const october = { start: '2026-10-01T23:00:00.000Z', end: '2026-11-01T00:00:00.000Z', zone: 'Europe/Lisbon' };
  const { trend } = await overview(`start_time=${october.start}&end_time=${october.end}&time_zone=${october.zone}`);
  expect(trend).toHaveLength(30);
  expect(trend.slice(22, 25).map(({ t }) => t)).toEqual([
    '2026-10-23T23:00:00.000Z',
    '2026-10-24T23:00:00.000Z',
    '2026-10-26T00:00:00.000Z',
  ]);
});

test('a long time is cut into seven days of the zone each', () => {
  const range = { start: new Date('2026-02-28T23:00:00Z'), end: new Date('2026-05-03T22:00:00Z') };
  const begins = (days: number) =>
    beginsOfParts({ ...range, timeZone: 'Europe/Berlin' }, days).map((time) => time.toISOString());
  expect(begins(1)).toHaveLength(64);
  expect(begins(7).slice(3, 6)).toEqual([
    '2026-03-21T23:00:00.000Z',
    '2026-03-28T23:00:00.000Z',
    '2026-04-04T22:00:00.000Z',
  ]);
});

test('takes 366 days also where clocks are set back on the first and on the last but one', async () => {
  const times = 'start_time=2025-11-02T04:00:00Z&end_time=2026-11-03T05:00:00Z';
  const { trend } = await overview(`${times}&time_zone=America/New_York`);
  expect(trend[0]?.t).toBe('2025-11-02T04:00:00.000Z');
});

test.each([
  'start_time=yesterday',
  'time_zone=Mars/Olympus',
  'time_zone=IST',
  'time_zone=CTT',
  `start_time=${end}&end_time=${start}`,
  'start_time=2020-01-01T00:00:00Z&end_time=2025-01-01T00:00:00Z',
])('refuses %s', async (query) => {
  const url = `/api/tenants/${tenant}/air/overview?${query}`;
  expect((await server.inject({ url, headers: reader.headers })).statusCode).toBe(400);
});

test.each([
  ['turned round', { start_time: end, end_time: start }],
  ['of nothing', { start_time: end, end_time: end }],
])('the list of cases refuses a time %s, and names where it begins', async (_name, times) => {
  const url = `/api/tenants/${tenant}/case?${new URLSearchParams(times)}`;
  const answer = await server.inject({ url, headers: reader.headers });
  expect([answer.statusCode, answer.json()]).toMatchObject([
    400,
    { details: [{ path: 'query.start_time', message: 'The start must lie before the end.' }] },
  ]);
});

test('every figure finds its cases by a condition the database takes', async () => {
  for (const figure of caseFigures) expect(await listed({ figure }), figure).toBeGreaterThanOrEqual(0);
});
