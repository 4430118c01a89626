/**
 * Incident response at a glance, from the sums of the cases of a time range (`case-overview-cells.ts`, read from the index
 * `case_by_time_opened_figures` alone) and those that are not closed, found by `case_by_facet`; every count is one of the
 * figures the case list can be narrowed to, so that the number and the list behind it agree.
 */
import type { AirOverview } from '@airdeck/contracts/air-overview/schema';
import { type CaseSeverity, caseSeverities } from '@airdeck/contracts/statuses';
import { dayIn, startOfDay } from '@airdeck/domain/zoned-day';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { type ReportRange, rangeBefore } from '../activity-report/report-range.ts';
import { countOf, namedTechniques } from './case-figure-conditions.ts';
import { type OverviewSums, type PartSum, readSums } from './case-overview-cells.ts';

const DAY_S = 86_400;
/** Parts of a day up to this many; a longer time is cut into weeks. */
const MAX_DAYS = 62;
const SHOWN_POLICIES = 10;
const SHOWN_TECHNIQUES = 300;
const POLICIES_OF_TECHNIQUE = 50;
const SHOWN_CONNECTORS = 10;
const noCases: PartSum = {
  cases: 0,
  answered: 0,
  automated_mttd: null,
  manual_mttd: null,
  automated_mttr: null,
  manual_mttr: null,
};

export async function readOverview(tx: Tx, scope: TenantScope, range: ReportRange): Promise<AirOverview> {
  const { start, end } = range;
  const partDays = (end.getTime() - start.getTime()) / 1000 < (MAX_DAYS + 0.5) * DAY_S ? 1 : 7;
  const parts = beginsOfParts(range, partDays);
  const standing = await readStanding(tx, scope);
  const sums = await readSums(tx, scope, { before: rangeBefore(range).start, parts, end });
  return {
    start_time: start.toISOString(),
    end_time: end.toISOString(),
    as_of: standing.asOf.toISOString(),
    open: standing.open,
    sla: standing.sla,
    period: sums.period,
    previous: sums.previous,
    trend: parts.map((begin, part) => ({ t: begin.toISOString(), ...(sums.parts.get(part) ?? noCases) })),
    trend_part_s: partDays * DAY_S,
    policies: await busiestPolicies(tx, scope, sums.policies),
    techniques: await readTechniques(tx, scope, sums.policies),
    connectors: await readConnectors(tx, scope),
  };
}

type OpenRow = { severity: CaseSeverity } & Omit<AirOverview['open'][number], 'severity'> & AirOverview['sla'];

/** What is not closed, at the time of the transaction: conditions of being late read that clock too. */
async function readStanding(tx: Tx, scope: TenantScope) {
  const { rows } = await sql<OpenRow>`
    select c.severity,
      count(*) filter (where c.time_opened >= now() - interval '1 hour')::int as hour,
      count(*) filter (where c.time_opened < now() - interval '1 hour'
        and c.time_opened >= now() - interval '1 day')::int as day,
      count(*) filter (where c.time_opened < now() - interval '1 day'
        and c.time_opened >= now() - interval '7 days')::int as week,
      count(*) filter (where c.time_opened < now() - interval '7 days')::int as older,
      ${countOf('in_time')} as in_time, ${countOf('late')} as late,
      ${countOf('late_response')} as late_response, ${countOf('late_resolution')} as late_resolution
    from case_record c
    where c.tenant_id = ${scope.tenantId} and c.status in ('open', 'acknowledged')
    group by c.severity`.execute(tx);
  const clock = await sql<{ at: Date }>`select now() as at`.execute(tx);
  const sum = (key: keyof AirOverview['sla']) => rows.reduce((total, row) => total + row[key], 0);
  return {
    asOf: clock.rows[0]?.at ?? new Date(0),
    open: caseSeverities.toReversed().map((severity) => {
      const { hour = 0, day = 0, week = 0, older = 0 } = rows.find((row) => row.severity === severity) ?? {};
      return { severity, hour, day, week, older };
    }),
    sla: {
      in_time: sum('in_time'),
      late: sum('late'),
      late_response: sum('late_response'),
      late_resolution: sum('late_resolution'),
    },
  };
}

/** When each part of a time begins: the first with the time, the others with a day of the zone. */
export function beginsOfParts({ start, end, timeZone }: ReportRange, partDays: number): [Date, ...Date[]] {
  const begins: [Date, ...Date[]] = [start];
  const { year, month, day } = dayIn(start, timeZone);
  for (let days = partDays; ; days += partDays) {
    const next = startOfDay({ year, month, day: day + days }, timeZone);
    if (next >= end) return begins;
    begins.push(next);
  }
}

async function busiestPolicies(
  tx: Tx,
  scope: TenantScope,
  sums: OverviewSums['policies'],
): Promise<AirOverview['policies']> {
  const busiest = sums
    .toSorted((a, b) => b.cases - a.cases || (a.policy_id < b.policy_id ? -1 : 1))
    .slice(0, SHOWN_POLICIES);
  if (busiest.length === 0) return [];
  const { rows } = await sql<Pick<AirOverview['policies'][number], 'id' | 'name' | 'severity'>>`
    select p.id, p.rule ->> 'name' as name, p.rule ->> 'severity' as severity from policy p
    where p.tenant_id = ${scope.tenantId} and p.id = any(${busiest.map(({ policy_id }) => policy_id)}::uuid[])
    order by lower(p.rule ->> 'name'), p.id`.execute(tx);
  const shown = rows.flatMap((policy) => {
    const sum = busiest.find(({ policy_id }) => policy_id === policy.id);
    if (sum === undefined) return [];
    const { policy_id: _, ...figures } = sum;
    return [{ ...policy, ...figures }];
  });
  return shown.toSorted((a, b) => b.cases - a.cases);
}

/** Parts of a technique count as the technique: a policy that names several of them is one. */
async function readTechniques(
  tx: Tx,
  scope: TenantScope,
  sums: OverviewSums['policies'],
): Promise<AirOverview['techniques']> {
  const [ids, cases] = [sums.map(({ policy_id }) => policy_id), sums.map((sum) => sum.cases)];
  const { rows } = await sql<AirOverview['techniques'][number]>`
    with n as (select * from unnest(${ids}::uuid[], ${cases}::int[]) as u (policy_id, cases))
    select t.technique, count(*)::int as policies, count(*) filter (where t.enabled)::int as enabled_policies,
      sum(t.cases)::int as cases,
      (array_agg(t.id order by t.cases desc, t.id))[1:${sql.lit(POLICIES_OF_TECHNIQUE)}] as policy_ids
    from (
      select distinct named.technique, p.id, p.enabled, coalesce(n.cases, 0) as cases
      from policy p
      cross join lateral ${namedTechniques} named
      left join n on n.policy_id = p.id
      where p.tenant_id = ${scope.tenantId}) t
    group by t.technique order by cases desc, t.technique limit ${SHOWN_TECHNIQUES}`.execute(tx);
  return rows;
}

async function readConnectors(tx: Tx, scope: TenantScope): Promise<AirOverview['connectors']> {
  type Row = AirOverview['connectors']['troubled'][number] & { of_state: number; place: number };
  const { rows } = await sql<Row>`
    select s.*, count(*) over (partition by s.state)::int as of_state,
      row_number() over (partition by s.state order by lower(s.name), s.id)::int as place
    from (
      select id, name, definition_id, case when enabled then state else 'paused' end as state
      from connector where tenant_id = ${scope.tenantId}) s
    order by s.state, place`.execute(tx);
  const counts = { active: 0, paused: 0, error: 0, pending: 0 };
  for (const { state, of_state: count } of rows) counts[state] = count;
  const troubled = rows
    .filter(({ state }) => state === 'error' || state === 'paused')
    .slice(0, SHOWN_CONNECTORS)
    .map(({ id, name, definition_id, state }) => ({ id, name, definition_id, state }));
  return { counts, troubled };
}
