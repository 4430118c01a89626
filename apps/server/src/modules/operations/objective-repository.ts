import type { BurnSeverity, ObjectiveId } from '@airdeck/contracts/operations/objectives';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import { firstIdAt } from '../../unique-ids.ts';
import { BUDGET_MINUTES, burnWindows, type Tally } from './objective-burn.ts';

/** Ids are made by the clocks of processes, `created_at` by the database's. */
const CLOCKS_DIFFER_MS = 60_000;

export type MinuteCount = { objective: ObjectiveId; minute: Date } & Tally;

export async function addToMinutes(tx: Tx, counts: readonly MinuteCount[]): Promise<void> {
  if (counts.length === 0) return;
  await tx
    .insertInto('objective_minute')
    .values(inOrder(counts))
    .onConflict((conflict) =>
      conflict.columns(['objective', 'minute']).doUpdateSet((eb) => ({
        good: eb('objective_minute.good', '+', eb.ref('excluded.good')),
        bad: eb('objective_minute.bad', '+', eb.ref('excluded.bad')),
      })),
    )
    .execute();
}

/** Always the same, so that two processes never wait for each other in a circle. */
function inOrder(counts: readonly MinuteCount[]): MinuteCount[] {
  return [...counts].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function keyOf({ objective, minute }: MinuteCount): string {
  return `${objective} ${minute.toISOString()}`;
}

/** What was counted in each window that ends at `at`, and over the whole budget, by minutes. */
export async function talliesOf(tx: Tx, at: Date): Promise<Map<ObjectiveId, Map<number, Tally>>> {
  const windows = [...burnWindows, BUDGET_MINUTES];
  const { rows } = await sql<{ objective: ObjectiveId; minutes: number; good: string; bad: string }>`
    select m.objective, w.minutes, sum(m.good)::text as good, sum(m.bad)::text as bad
    from unnest(${windows}::int[]) as w (minutes)
    join objective_minute m on m.minute > ${at}::timestamptz - make_interval(mins => w.minutes) and m.minute <= ${at}
    group by 1, 2`.execute(tx);
  const found = new Map<ObjectiveId, Map<number, Tally>>();
  for (const { objective, minutes, good, bad } of rows) {
    const byWindow = found.get(objective) ?? new Map<number, Tally>();
    byWindow.set(minutes, { good: Number(good), bad: Number(bad) });
    found.set(objective, byWindow);
  }
  return found;
}

export async function minutesOf(tx: Tx, objective: ObjectiveId, since: Date): Promise<MinuteCount[]> {
  return await tx
    .selectFrom('objective_minute')
    .selectAll()
    .where('objective', '=', objective)
    .where('minute', '>', since)
    .orderBy('minute')
    .execute();
}

export async function alertsNow(tx: Tx): Promise<Map<ObjectiveId, { severity: BurnSeverity; since: Date }>> {
  const rows = await tx.selectFrom('objective_alert').selectAll().execute();
  return new Map(rows.map(({ objective, ...alert }) => [objective, alert]));
}

/** Whoever compares and tells does so alone, until the transaction ends. */
export async function lockAlerts(tx: Tx): Promise<void> {
  await sql`lock table objective_alert in exclusive mode`.execute(tx);
}

export async function putAlert(tx: Tx, objective: ObjectiveId, severity: BurnSeverity, at: Date): Promise<void> {
  await tx
    .insertInto('objective_alert')
    .values({ objective, severity, since: at })
    .onConflict((conflict) => conflict.column('objective').doUpdateSet({ severity }))
    .execute();
}

export async function endAlert(tx: Tx, objective: ObjectiveId): Promise<void> {
  await tx.deleteFrom('objective_alert').where('objective', '=', objective).execute();
}

/**
 * Of runs started between the two times, by minute: how many began in time. One that was to begin later, or is held, is
 * neither; a dry run has nothing to begin. Minutes without any are left out.
 */
export async function runBeginnings(
  tx: Tx,
  between: { from: Date; until: Date },
  withinMs: number,
): Promise<({ minute: Date } & Tally)[]> {
  const { from, until } = between;
  const { rows } = await sql<{ minute: Date; good: number; bad: number }>`
    select date_trunc('minute', created_at, 'UTC') as minute,
      count(*) filter (where is_begun)::int as good, count(*) filter (where not is_begun)::int as bad
    from (
      select r.created_at,
        coalesce(r.started_at <= r.created_at + ${withinMs} * interval '1 millisecond', false) as is_begun
      from engine.run r
      where r.id >= ${firstIdAt(from.getTime() - CLOCKS_DIFFER_MS)}::uuid
        and r.id < ${firstIdAt(until.getTime() + CLOCKS_DIFFER_MS)}::uuid
        and r.created_at >= ${from} and r.created_at < ${until} and not r.dry_run
        and r.trigger ->> 'time_scheduled' is null
        and (r.started_at is not null or r.status in ('pending', 'running', 'waiting'))
        and not exists (select from engine.job j where j.run_id = r.id and j.state = 'held')
    ) runs
    group by 1`.execute(tx);
  return rows;
}

/** What one place counts by itself, as often as it looks. */
export async function setMinutes(tx: Tx, counts: readonly MinuteCount[]): Promise<void> {
  await tx
    .insertInto('objective_minute')
    .values(inOrder(counts))
    .onConflict((conflict) =>
      conflict.columns(['objective', 'minute']).doUpdateSet((eb) => ({
        good: eb.ref('excluded.good'),
        bad: eb.ref('excluded.bad'),
      })),
    )
    .execute();
}

/** The last one before that time that was counted. */
export async function lastMinute(tx: Tx, objective: ObjectiveId, before: Date): Promise<Date | undefined> {
  const row = await tx
    .selectFrom('objective_minute')
    .select('minute')
    .where('objective', '=', objective)
    .where('minute', '<', before)
    .orderBy('minute', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.minute;
}

/** Minutes before that time become hours: a month of minutes would be read with every look. */
export async function foldMinutes(tx: Tx, before: Date): Promise<void> {
  await sql`
    with folded as (
      delete from objective_minute where minute < ${before} and minute <> date_trunc('hour', minute, 'UTC')
      returning objective, date_trunc('hour', minute, 'UTC') as hour, good, bad
    )
    insert into objective_minute as m (objective, minute, good, bad)
    select objective, hour, sum(good), sum(bad) from folded group by 1, 2
    on conflict (objective, minute) do update set good = m.good + excluded.good, bad = m.bad + excluded.bad`.execute(
    tx,
  );
}

export async function forgetMinutes(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('objective_minute').where('minute', '<', before).execute();
}

export async function listProviders(tx: Tx): Promise<string[]> {
  const rows = await tx.selectFrom('tenant').select('id').where('is_provider', '=', true).execute();
  return rows.map(({ id }) => id);
}
