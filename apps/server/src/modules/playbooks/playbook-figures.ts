import type { PlaybookFigures } from '@airdeck/contracts/playbooks/schema';
import type { RunStatus } from '@airdeck/contracts/statuses';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { firstIdAt } from '../../unique-ids.ts';

const DAY_MS = 24 * 3_600_000;
const PERIOD_MS = 30 * DAY_MS;
/** Runs shown one by one. */
const SHOWN = 20;
/** Rate and median are of so many at most, so that a list costs the same however busy its playbooks are. */
const SAMPLE = 50;

type Row = {
  playbook_id: string;
  runs_30d: number;
  success_rate: number | null;
  median_duration_s: number | null;
  last_runs: { id: string; status: RunStatus; time_created: string; duration_s: number | null }[];
};

const none: PlaybookFigures = { last_runs: [], runs_30d: 0, success_rate: null, median_duration_s: null };

/** Figures of playbooks by id, all in one query; those without runs have empty ones. Dry runs do not count. */
export async function figuresOf(
  tx: Tx,
  scope: TenantScope,
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<(id: string) => PlaybookFigures> {
  if (ids.length === 0) return () => none;
  const { rows } = await figuresQuery(scope, { ids, now }).execute(tx);
  const byId = new Map(rows.map((row) => [row.playbook_id, row]));
  return (id) => {
    const row = byId.get(id);
    if (row === undefined) return none;
    const { playbook_id: _id, last_runs, ...figures } = row;
    const shown = last_runs.map((run) => ({ ...run, time_created: new Date(run.time_created).toISOString() }));
    return { ...figures, last_runs: shown };
  };
}

/**
 * For every playbook its newest runs from the index, and only those of them are looked up. How many there were in the
 * period comes from the index alone, because ids of runs begin with the time they were made at.
 */
export function figuresQuery(scope: TenantScope, { ids, now }: { ids: readonly string[]; now: Date }) {
  const since = firstIdAt(now.getTime() - PERIOD_MS);
  return sql<Row>`
    select wanted.id as playbook_id, counted.runs_30d, sample.success_rate, sample.median_duration_s,
      coalesce(sample.last_runs, '[]'::jsonb) as last_runs
    from unnest(${[...ids]}::uuid[]) wanted (id)
    cross join lateral (
      select count(*)::integer as runs_30d from playbook_run n
      where n.tenant_id = ${scope.tenantId} and n.playbook_id = wanted.id and n.run_id >= ${since} and not n.dry_run
    ) counted
    cross join lateral (
      select
        avg(case r.status when 'success' then 1.0 when 'error' then 0.0 end) filter (where r.id >= ${since})::float8
          as success_rate,
        percentile_cont(0.5) within group (order by r.duration_s) filter (where r.id >= ${since} and r.status in ('success', 'error')) as median_duration_s,
        jsonb_agg(jsonb_build_object(
          'id', r.id, 'status', r.status, 'time_created', r.created_at, 'duration_s', r.duration_s
        ) order by r.id desc) filter (where r.position <= ${SHOWN}) as last_runs
      from (
        select e.id, e.status, e.created_at, n.position,
          extract(epoch from e.finished_at - e.created_at)::float8 as duration_s
        from (
          select n.run_id, row_number() over (order by n.run_id desc) as position from playbook_run n
          where n.tenant_id = ${scope.tenantId} and n.playbook_id = wanted.id and not n.dry_run
          order by n.run_id desc limit ${SAMPLE}
        ) n join engine.run e on e.id = n.run_id and e.tenant_id = ${scope.tenantId}
      ) r
    ) sample`;
}
