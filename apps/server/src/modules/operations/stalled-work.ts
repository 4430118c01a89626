/**
 * Work that is due and that nobody takes up: what the installation shows while all its workers are away, or there and of no use.
 *
 * Whatever a worker has in hand it holds by a lease it keeps extending. So while one lease is good, somebody works, however
 * long the queue. Nor need there be one at the look: somebody works as well where a schedule fired within the last minute and
 * its job is done, for only workers fire, and only a job that is done leaves the table (dead ones stay). While processes of
 * this release stand beside workers of the one before, that is what tells work left to the coming workers from work nobody
 * takes. Without such a sign, what has been due for a minute would have been taken by anybody who could. Behind a restore
 * fence nothing is taken up on purpose.
 *
 * Read by processes of every role and by `airdeck doctor`, and cheap where all is well: a look at leases and the last slots.
 */
import type { Operations } from '@airdeck/contracts/operations/schema';
import type { SqlClient } from '../../storage/database.ts';
import { ENGINE_TIME } from './engine-time.ts';
import { REPORT_EVERY_MS } from './process-reports.ts';

/** Well beyond a lease (15 seconds) and the search of others for who is gone. */
const DUE_FOR = '1 minute';
/** Two reports may be late, by a busy database for instance. */
export const SILENT_AFTER_MS = 3 * REPORT_EVERY_MS;

export type StalledWork = NonNullable<Operations['stalled']>;
/** With its age, which `since` and the clock of this machine do not give: `since` is in the engine's time. */
export type MeasuredStall = StalledWork & { seconds: number };

/**
 * Null while workers take what there is. Only jobs of `kinds` count, those the engine of this release carries out: what a newer
 * one left waits for it. `doctor` knows no kinds.
 */
export async function findStalledWork(tx: SqlClient, kinds: readonly string[] | null): Promise<MeasuredStall | null> {
  const { rows: times } = await tx.query<{ now: Date; is_taken: boolean }>(TAKEN);
  const [time] = times;
  if (time === undefined || time.is_taken) return null;
  const { rows } = await tx.query<{ since: Date | null; due: number; workers: number }>(DUE_WORK, [
    time.now,
    new Date(time.now.getTime() - SILENT_AFTER_MS),
    kinds,
  ]);
  const [found] = rows;
  if (found === undefined || found.since === null) return null;
  const seconds = (time.now.getTime() - found.since.getTime()) / 1_000;
  return { since: found.since.toISOString(), due: found.due, workers: found.workers, seconds };
}

const TAKEN = `
  select now, exists (select from engine.job where state = 'leased' and lease_until > now)
    or exists (select from restore_fence where state <> 'lifted')
    or exists (
      select from engine.cron join engine.cron_slot using (tenant_id, name)
      where slot_at > now - interval '${DUE_FOR}' and slot_at <= now and not exists (select from engine.job where id = job_id)
    ) as is_taken
  from (select ${ENGINE_TIME} as now) engine`;

const DUE_WORK = `
  select case when since < $1::timestamptz - interval '${DUE_FOR}' then since end as since, due,
    (select count(*)::int from process_report where role in ('all', 'worker') and seen_at > $2::timestamptz) as workers
  from (
    select min(due_at) as since, count(*)::int as due
    from (
      select available_at as due_at, kind from engine.job where state in ('available', 'suspect')
      union all
      select available_at, kind from engine.job where state = 'scheduled' and available_at <= $1
      union all
      select lease_until, kind from engine.job where state = 'leased' and lease_until <= $1
      union all
      select next_slot_at, kind from engine.cron where next_slot_at <= $1
    ) each
    where $3::text[] is null or kind = any($3)
  ) waiting`;
