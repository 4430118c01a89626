import type { Operations, WorkQueue } from '@airdeck/contracts/operations/schema';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import { ENGINE_TIME } from './engine-time.ts';

/** Of mails that were given up: most are when they are a day old, and are news for a day from then on. */
const CREATED_WITHIN = '2 days';

/** Steps of runs are jobs like all others, and measured in the time they are written in. By kind, what waits longest first. */
export async function listQueues(tx: Tx): Promise<WorkQueue[]> {
  const { rows } = await sql<WorkQueue>`
    with engine_time as materialized (select ${sql.raw(ENGINE_TIME)} as now)
    select kind,
      count(*) filter (where is_ready)::int as ready,
      extract(epoch from (select now from engine_time) - min(available_at) filter (where is_ready))::float8 as oldest_seconds,
      count(*) filter (where state = 'leased')::int as working,
      count(*) filter (where state = 'scheduled' and not is_ready)::int as scheduled,
      count(*) filter (where state = 'held')::int as held,
      count(*) filter (where state = 'dead')::int as dead
    from (
      select kind, state, available_at, state = 'available' or (state = 'scheduled' and available_at <= (select now from engine_time)) as is_ready
      from engine.job
    ) jobs
    group by kind
    order by oldest_seconds desc nulls last, kind`.execute(tx);
  return rows.map((row) => ({
    ...row,
    oldest_seconds: row.oldest_seconds === null ? null : Math.max(0, row.oldest_seconds),
  }));
}

export async function countOutgoing(tx: Tx, at: Date): Promise<Operations['outgoing']> {
  const { rows } = await sql<Operations['outgoing']>`
    select (select count(*)::int from mail where due_at is not null) as mails,
      (select count(*)::int from mail where due_at is null and sent_at is null and failure is not null
        and created_at > ${at}::timestamptz - ${CREATED_WITHIN}::interval) as mails_failed,
      (select count(*)::int from notification_delivery) as notices`.execute(tx);
  return rows[0] ?? { mails: 0, mails_failed: 0, notices: 0 };
}

export async function databaseFigures(tx: Tx): Promise<Operations['database']> {
  const { rows } = await sql<Operations['database']>`
    select current_setting('server_version') as version, pg_database_size(current_database())::int8 as bytes,
      current_setting('max_connections')::int as connections_max, s.connections, s.oldest_transaction_seconds
    from database_sessions() s`.execute(tx);
  const [figures] = rows;
  if (figures === undefined) throw new Error('The database said nothing of itself.');
  return figures;
}
