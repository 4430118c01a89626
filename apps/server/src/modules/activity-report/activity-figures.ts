/**
 * What actions and playbooks did in a time, as one statement over the engine's steps and one over its runs. Both find their
 * rows by id: ids begin with the time they were made at, and the tables have no index of times. The clock that makes ids
 * may differ from the one that dates rows, so ids are asked for with room and the time decides.
 */
import { type ActivityReport, minutesSavedByEffect } from '@airdeck/contracts/reports/activity-report';
import { type ActionStatus, actionStatuses, type RunStatus, runStatuses } from '@airdeck/contracts/statuses';
import { LIST_ITERATION } from '@airdeck/engine/definition';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { firstIdAt } from '../../unique-ids.ts';
import { daysOf, type ReportRange } from './report-range.ts';

const CLOCKS_DIFFER_MS = 3_600_000;
const SHOWN = 20;

type Effect = keyof typeof minutesSavedByEffect;
const effects = Object.keys(minutesSavedByEffect) as Effect[];

type Counts<S extends string> = { status: S; count: number }[];
type Top = { name: string; count: number; success: number; error: number };

type ActionRow = {
  results: Counts<ActionStatus>;
  days: { day: string; count: number; minutes: number }[];
  top: (Top & { minutes: number })[];
  effects: { effect: Effect; count: number }[];
};
type RunRow = { results: Counts<RunStatus>; days: { day: string; count: number }[]; top: Top[] };

export type ActivityFigures = Omit<ActivityReport, 'top_actions'> & {
  top_actions: Omit<ActivityReport['top_actions'][number], 'label'>[];
};

export async function activityFigures(tx: Tx, scope: TenantScope, range: ReportRange): Promise<ActivityFigures> {
  const actions = await only<ActionRow>(tx, actionsQuery(scope, range));
  const runs = await only<RunRow>(tx, runsQuery(scope, range));
  const actionDays = new Map(actions.days.map((one) => [one.day, one]));
  const runDays = new Map(runs.days.map((one) => [one.day, one]));
  const ofEffect = new Map(actions.effects.map(({ effect, count }) => [effect, count]));
  const saved = effects.map((effect) => ({
    effect,
    actions: ofEffect.get(effect) ?? 0,
    minutes_each: minutesSavedByEffect[effect],
  }));
  return {
    start_time: range.start.toISOString(),
    end_time: range.end.toISOString(),
    time_zone: range.timeZone,
    action_count: sum(actions.results),
    playbook_count: sum(runs.results),
    action_results: byStatus(actionStatuses, actions.results),
    playbook_results: byStatus(runStatuses, runs.results),
    by_day: daysOf(range).map((day) => ({
      day,
      actions: actionDays.get(day)?.count ?? 0,
      playbooks: runDays.get(day)?.count ?? 0,
      time_saved_minutes: actionDays.get(day)?.minutes ?? 0,
    })),
    top_actions: actions.top.map(({ name, minutes, ...counts }) => ({
      action_name: name,
      ...counts,
      time_saved_minutes: minutes,
    })),
    top_playbooks: runs.top,
    time_saved_minutes: saved.reduce((minutes, row) => minutes + row.actions * row.minutes_each, 0),
    time_saved_by: saved,
  };
}

/** Of a list each item for itself; what was skipped, taken over from an earlier run, or only tried, did not happen. */
export function actionsQuery(scope: TenantScope, range: ReportRange): RawBuilder<ActionRow> {
  const minutes = sql`sum(case when status <> 'success' then 0 when effect = 'changes' then ${minutesSavedByEffect.changes}::int
    when effect = 'destroys' then ${minutesSavedByEffect.destroys}::int else ${minutesSavedByEffect.reads}::int end)::int`;
  return sql<ActionRow>`
    with s as materialized (
      select s.name, s.status, coalesce(s.effect, 'reads') as effect, ${dayOf(sql`s.created_at`, range)} as day
      from engine.step s join engine.run r on r.id = s.run_id and r.tenant_id = ${scope.tenantId}
      where s.tenant_id = ${scope.tenantId} and ${madeWithin('s', range)} and s.kind = 'action'
        and s.iteration > ${LIST_ITERATION} and s.skip_reason is null and not s.reused and not r.dry_run
    )
    select
      (select coalesce(jsonb_agg(g), '[]') from (
        select status, count(*)::int as count from s group by 1) g) as results,
      (select coalesce(jsonb_agg(g), '[]') from (
        select day, count(*)::int as count, ${minutes} as minutes from s group by 1) g) as days,
      (select coalesce(jsonb_agg(g order by g.count desc, g.name), '[]') from (
        select name, ${outcomes}, ${minutes} as minutes from s group by 1 order by 2 desc, 1 limit ${SHOWN}) g) as top,
      (select coalesce(jsonb_agg(g), '[]') from (
        select effect, count(*)::int as count from s where status = 'success' group by 1) g) as effects`;
}

export function runsQuery(scope: TenantScope, range: ReportRange): RawBuilder<RunRow> {
  return sql<RunRow>`
    with r as materialized (
      select r.name, r.status, ${dayOf(sql`r.created_at`, range)} as day from engine.run r
      where r.tenant_id = ${scope.tenantId} and ${madeWithin('r', range)} and r.kind = 'playbook' and not r.dry_run
    )
    select
      (select coalesce(jsonb_agg(g), '[]') from (
        select status, count(*)::int as count from r group by 1) g) as results,
      (select coalesce(jsonb_agg(g), '[]') from (
        select day, count(*)::int as count from r group by 1) g) as days,
      (select coalesce(jsonb_agg(g order by g.count desc, g.name), '[]') from (
        select name, ${outcomes} from r group by 1 order by 2 desc, 1 limit ${SHOWN}) g) as top`;
}

const outcomes = sql`count(*)::int as count, count(*) filter (where status = 'success')::int as success,
  count(*) filter (where status = 'error')::int as error`;

function madeWithin(table: 's' | 'r', { start, end }: ReportRange): RawBuilder<unknown> {
  const [id, at] = [sql.ref(`${table}.id`), sql.ref(`${table}.created_at`)];
  return sql`${id} >= ${firstIdAt(start.getTime() - CLOCKS_DIFFER_MS)}::uuid
    and ${id} < ${firstIdAt(end.getTime() + CLOCKS_DIFFER_MS)}::uuid and ${at} >= ${start} and ${at} < ${end}`;
}

function dayOf(at: RawBuilder<unknown>, { timeZone }: ReportRange): RawBuilder<string> {
  return sql<string>`to_char(${at} at time zone ${timeZone}, 'YYYY-MM-DD')`;
}

async function only<Row>(tx: Tx, query: RawBuilder<Row>): Promise<Row> {
  const [row] = (await query.execute(tx)).rows;
  if (row === undefined) throw new Error('The figures of a report came back empty.');
  return row;
}

function sum(counts: Counts<string>): number {
  return counts.reduce((total, { count }) => total + count, 0);
}

function byStatus<S extends string>(statuses: readonly S[], counts: Counts<S>): Record<S, number> {
  const found = new Map(counts.map(({ status, count }) => [status, count]));
  return Object.fromEntries(statuses.map((status) => [status, found.get(status) ?? 0])) as Record<S, number>;
}
