/** Figures of the cases opened in a month; each statement finds them by `case_by_time_opened_figures`. */
import { type CaseSeverity, caseSeverities } from '@airdeck/contracts/statuses';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { countOf } from '../cases/case-figure-conditions.ts';
import { type CaseMeans, meansOfCases } from '../cases/case-means.ts';
import type { CasePeriod, CaseWeek, NotableCase, Standing } from './executive-facts.ts';
import type { NamedCounts } from './recommendations.ts';

export type Period = { start: Date; end: Date; timeZone: string };

const NOTABLE = 10;
const NOISY_NAMED = 3;
const FAILING_NAMED = 20;
const WEEK_MS = 7 * 86_400_000;

function opened(scope: TenantScope, { start, end }: Period): RawBuilder<unknown> {
  return sql`c.tenant_id = ${scope.tenantId} and c.time_opened >= ${start} and c.time_opened < ${end}`;
}

const bySeverity = sql<Record<CaseSeverity, number>>`jsonb_build_object(${sql.join(
  caseSeverities.map(
    (severity) => sql`${sql.lit(severity)}, count(*) filter (where c.severity = ${sql.lit(severity)})`,
  ),
)})`;

export async function readCasePeriod(tx: Tx, scope: TenantScope, period: Period): Promise<CasePeriod> {
  const { rows } = await sql<CasePeriod>`
    select count(*)::int as cases, count(*) filter (where c.status = 'closed')::int as closed,
      ${bySeverity} as by_severity, ${countOf('answered')} as answered,
      count(*) filter (where c.close_reason = 'false_positive')::int as false_positives, ${meansOfCases} as means,
      count(*) filter (where coalesce(c.time_acknowledged, c.time_closed, c.waiting_since, now()) > c.respond_by)::int
        as late_responses,
      count(*) filter (where coalesce(c.time_closed, c.waiting_since, now()) > c.resolve_by)::int as late_resolutions,
      count(*) filter (where c.respond_by is not null or c.resolve_by is not null)::int as with_targets
    from case_record c where ${opened(scope, period)}`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('The figures of cases came back empty.');
  return row;
}

type WeekRow = { week: string; by_severity: Record<CaseSeverity, number>; means: CaseMeans };

/** Every week the period touches, also those without cases. */
export async function readCaseWeeks(tx: Tx, scope: TenantScope, period: Period): Promise<CaseWeek[]> {
  const { rows } = await sql<WeekRow>`
    select to_char(date_trunc('week', c.time_opened at time zone ${period.timeZone}), 'YYYY-MM-DD') as week,
      ${bySeverity} as by_severity, ${meansOfCases} as means
    from case_record c where ${opened(scope, period)} group by 1`.execute(tx);
  const found = new Map(rows.map((row) => [row.week, row]));
  const days = await sql<{ first: string; last: string }>`
    select to_char(${period.start}::timestamptz at time zone ${period.timeZone}, 'YYYY-MM-DD') as first,
      to_char((${period.end}::timestamptz - interval '1 millisecond') at time zone ${period.timeZone}, 'YYYY-MM-DD') as last`.execute(
    tx,
  );
  const { first, last } = days.rows[0] ?? { first: '', last: '' };
  return weeksBetween(first, last).map(({ monday, start, end }) => {
    const { by_severity: counts, means } = found.get(monday) ?? { by_severity: noCases, means: noMeans };
    return { start, end, by_severity: counts, means };
  });
}

const noCases: Record<CaseSeverity, number> = { low: 0, medium: 0, high: 0, critical: 0 };
const noMeans: CaseMeans = { automated_mttd: null, manual_mttd: null, automated_mttr: null, manual_mttr: null };

/** Days as `2026-11-02`, both ends included. */
export function weeksBetween(first: string, last: string): { monday: string; start: string; end: string }[] {
  const [from, until] = [Date.parse(first), Date.parse(last)];
  const sinceMonday = (new Date(from).getUTCDay() + 6) % 7;
  const weeks: { monday: string; start: string; end: string }[] = [];
  for (let monday = from - sinceMonday * 86_400_000; monday <= until; monday += WEEK_MS) {
    const sunday = monday + WEEK_MS - 86_400_000;
    weeks.push({ monday: day(monday), start: day(Math.max(monday, from)), end: day(Math.min(sunday, until)) });
  }
  return weeks;
}

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The most severe, and of those the ones with most events. */
export async function readNotableCases(tx: Tx, scope: TenantScope, period: Period): Promise<NotableCase[]> {
  const { rows } = await sql<Omit<NotableCase, 'opened' | 'closed'> & { opened: Date; closed: Date | null }>`
    select 'CASE-' || c.number as reference, c.name, c.severity, c.status, c.close_reason, c.event_count as events,
      c.time_opened as opened, c.time_closed as closed, c.automated_response_at is not null as answered
    from case_record c
    where ${opened(scope, period)} and c.close_reason is distinct from 'duplicate'
    order by c.severity_rank desc, c.close_reason is not distinct from 'true_positive' desc, c.event_count desc,
      c.time_opened, c.id
    limit ${NOTABLE}`.execute(tx);
  return rows.map((row) => ({
    ...row,
    opened: row.opened.toISOString(),
    closed: row.closed?.toISOString() ?? null,
  }));
}

export type PolicyTechnique = { technique: string; policy_id: string; enabled: boolean; cases: number };

/**
 * Every technique a policy names, a part of one as the technique, with the cases of the period the policy opened. By policy
 * and not summed up: one that names several stands in each of them, with all its cases.
 */
export async function readTechniques(tx: Tx, scope: TenantScope, period: Period): Promise<PolicyTechnique[]> {
  const { rows } = await sql<PolicyTechnique>`
    with n as (
      select c.policy_id, count(*)::int as cases from case_record c
      where ${opened(scope, period)} and c.policy_id is not null group by 1)
    select distinct split_part(named.technique, '.', 1) as technique, p.id as policy_id, p.enabled,
      coalesce(n.cases, 0) as cases
    from policy p
    cross join lateral jsonb_array_elements_text(p.rule -> 'techniques') as named (technique)
    left join n on n.policy_id = p.id
    where p.tenant_id = ${scope.tenantId}`.execute(tx);
  return rows;
}

type PolicyStanding = {
  standing: Pick<Standing, 'policies' | 'enabled_policies' | 'old_cases' | 'noisy_policies' | 'failing_connectors'>;
  counts: Pick<NamedCounts, 'noisy_policies' | 'failing_connectors'>;
};

export async function readPolicyStanding(tx: Tx, scope: TenantScope, period: Period): Promise<PolicyStanding> {
  const { rows } = await sql<{ policies: number; enabled: number; old: number }>`
    select count(*)::int as policies, count(*) filter (where enabled)::int as enabled,
      (select count(*)::int from case_record c where c.tenant_id = ${scope.tenantId}
        and c.status in ('open', 'acknowledged') and c.time_opened < now() - interval '7 days') as old
    from policy where tenant_id = ${scope.tenantId}`.execute(tx);
  const noisy = await sql<Standing['noisy_policies'][number] & { there: number }>`
    select p.rule ->> 'name' as name, n.cases, n.false_positives, count(*) over ()::int as there
    from (
      select c.policy_id, count(*)::int as cases,
        count(*) filter (where c.close_reason in ('false_positive', 'benign'))::int as false_positives
      from case_record c where ${opened(scope, period)} and c.policy_id is not null group by 1) n
    join policy p on p.tenant_id = ${scope.tenantId} and p.id = n.policy_id
    where n.false_positives >= 5 and n.false_positives * 2 > n.cases
    order by n.false_positives desc, 1 limit ${NOISY_NAMED}`.execute(tx);
  const connectors = await tx
    .selectFrom('connector')
    .select(['name', sql<number>`count(*) over ()::int`.as('there')])
    .where('tenant_id', '=', scope.tenantId)
    .where('enabled', '=', true)
    .where('state', '=', 'error')
    .orderBy('name')
    .limit(FAILING_NAMED)
    .execute();
  const { policies = 0, enabled = 0, old = 0 } = rows[0] ?? {};
  return {
    standing: {
      policies,
      enabled_policies: enabled,
      old_cases: old,
      noisy_policies: noisy.rows.map(({ there: _there, ...policy }) => policy),
      failing_connectors: connectors.map(({ name }) => name),
    },
    counts: { noisy_policies: noisy.rows[0]?.there ?? 0, failing_connectors: connectors[0]?.there ?? 0 },
  };
}
