/**
 * Incident response at a glance. Each part is one statement over the cases of a tenant in a time range, found by
 * `case_by_time_opened`, or over those that are not closed, found by `case_by_facet`; every count is one of the figures the
 * case list can be narrowed to, so that the number and the list behind it agree.
 */
import type { AirOverview, PeriodFigures } from '@airdeck/contracts/air-overview/schema';
import { minutesSavedBy } from '@airdeck/contracts/cases/figures';
import { type CaseSeverity, caseSeverities } from '@airdeck/contracts/statuses';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { countOf } from './case-figure-conditions.ts';
import { type CaseMeans, meansOfCases } from './case-means.ts';

const DAY_MS = 24 * 3_600_000;
/** Parts of a day up to this many; a longer time is cut into weeks. */
const MAX_DAYS = 62;
const SHOWN_POLICIES = 10;
const SHOWN_TECHNIQUES = 300;
const POLICIES_OF_TECHNIQUE = 50;
const SHOWN_CONNECTORS = 10;

type Range = { start: Date; end: Date };

export async function readOverview(tx: Tx, scope: TenantScope, { start, end }: Range): Promise<AirOverview> {
  const before = { start: new Date(2 * start.getTime() - end.getTime()), end: start };
  const partMs = end.getTime() - start.getTime() <= MAX_DAYS * DAY_MS ? DAY_MS : 7 * DAY_MS;
  const standing = await readStanding(tx, scope);
  return {
    start_time: start.toISOString(),
    end_time: end.toISOString(),
    as_of: standing.asOf.toISOString(),
    open: standing.open,
    sla: standing.sla,
    period: await readPeriod(tx, scope, { start, end }),
    previous: await readPeriod(tx, scope, before),
    trend: await readTrend(tx, scope, { start, end }, partMs),
    trend_part_s: partMs / 1000,
    policies: await readBusiestPolicies(tx, scope, { start, end }),
    techniques: await readTechniques(tx, scope, { start, end }),
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

function openedWithin(scope: TenantScope, { start, end }: Range): RawBuilder<unknown> {
  return sql`c.tenant_id = ${scope.tenantId} and c.time_opened >= ${start} and c.time_opened < ${end}`;
}

const measured = ['automated_mttd', 'manual_mttd', 'automated_mttr', 'manual_mttr'] as const;

type PeriodRow = { means: CaseMeans } & Record<(typeof measured)[number], number> &
  Omit<PeriodFigures, (typeof measured)[number]>;

async function readPeriod(tx: Tx, scope: TenantScope, range: Range): Promise<PeriodFigures> {
  const within = openedWithin(scope, range);
  const counts = [...measured, 'answered', 'answer_failed', 'answering', 'unanswered'] as const;
  const { rows } = await sql<PeriodRow>`
    select count(*)::int as cases, count(*) filter (where c.status = 'closed')::int as closed,
      ${meansOfCases} as means,
      ${sql.join(counts.map((figure) => sql`${countOf(figure)} as ${sql.ref(figure)}`))},
      (select coalesce(sum(case r.response_type when 'action' then ${minutesSavedBy.action}::int
          else ${minutesSavedBy.playbook}::int end), 0)::int
        from case_record c join case_response r on r.case_id = c.id
        where ${within} and r.status = 'success') as time_saved_minutes
    from case_record c where ${within}`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('The figures of a period came back empty.');
  const { means, ...counted } = row;
  const meanOf = (name: (typeof measured)[number]) => ({ seconds: means[name], cases: counted[name] });
  return {
    ...counted,
    automated_mttd: meanOf('automated_mttd'),
    manual_mttd: meanOf('manual_mttd'),
    automated_mttr: meanOf('automated_mttr'),
    manual_mttr: meanOf('manual_mttr'),
  };
}

async function readTrend(tx: Tx, scope: TenantScope, range: Range, partMs: number): Promise<AirOverview['trend']> {
  const { start, end } = range;
  const startS = start.getTime() / 1000;
  const { rows } = await sql<{ part: number; cases: number; answered: number; means: CaseMeans }>`
    select floor((extract(epoch from c.time_opened) - ${startS}::numeric) / ${partMs / 1000}::numeric)::int as part,
      count(*)::int as cases, ${countOf('answered')} as answered, ${meansOfCases} as means
    from case_record c where ${openedWithin(scope, range)} group by 1`.execute(tx);
  const found = new Map(rows.map((row) => [row.part, row]));
  return Array.from({ length: Math.ceil((end.getTime() - start.getTime()) / partMs) }, (_, part) => {
    const { cases = 0, answered = 0, means } = found.get(part) ?? {};
    return {
      t: new Date(start.getTime() + part * partMs).toISOString(),
      cases,
      answered,
      automated_mttd: means?.automated_mttd ?? null,
      manual_mttd: means?.manual_mttd ?? null,
      automated_mttr: means?.automated_mttr ?? null,
      manual_mttr: means?.manual_mttr ?? null,
    };
  });
}

async function readBusiestPolicies(tx: Tx, scope: TenantScope, range: Range): Promise<AirOverview['policies']> {
  const { rows } = await sql<AirOverview['policies'][number]>`
    select p.id, p.rule ->> 'name' as name, p.rule ->> 'severity' as severity, n.cases, n.open, n.answered, n.false_positives
    from (
      select c.policy_id, count(*)::int as cases, count(*) filter (where c.status <> 'closed')::int as open,
        ${countOf('answered')} as answered,
        count(*) filter (where c.close_reason = 'false_positive')::int as false_positives
      from case_record c where ${openedWithin(scope, range)} and c.policy_id is not null
      group by c.policy_id order by 2 desc, 1 limit ${SHOWN_POLICIES}) n
    join policy p on p.tenant_id = ${scope.tenantId} and p.id = n.policy_id
    order by n.cases desc, lower(p.rule ->> 'name'), p.id`.execute(tx);
  return rows;
}

/** Parts of a technique count as the technique: a policy that names several of them is one. */
async function readTechniques(tx: Tx, scope: TenantScope, range: Range): Promise<AirOverview['techniques']> {
  const { rows } = await sql<AirOverview['techniques'][number]>`
    with n as (
      select c.policy_id, count(*)::int as cases from case_record c
      where ${openedWithin(scope, range)} and c.policy_id is not null group by 1)
    select t.technique, count(*)::int as policies, count(*) filter (where t.enabled)::int as enabled_policies,
      sum(t.cases)::int as cases,
      (array_agg(t.id order by t.cases desc, t.id))[1:${sql.lit(POLICIES_OF_TECHNIQUE)}] as policy_ids
    from (
      select distinct split_part(named.technique, '.', 1) as technique, p.id, p.enabled, coalesce(n.cases, 0) as cases
      from policy p
      cross join lateral jsonb_array_elements_text(p.rule -> 'techniques') as named (technique)
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
