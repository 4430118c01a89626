import { type SqlClient, sqlClient } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';

/**
 * The time jobs, leases and reports of processes are written in, as one value of SQL: the database's, for all processes alike
 * whatever their own clocks say. As `DatabaseClock` of the engine reads it: after that clock was set, a fifth of each second
 * makes up for the difference.
 */
export const ENGINE_TIME = `(
  select d.now + coalesce(sign(s.shift_ms) * greatest(
      abs(s.shift_ms) - 200 * greatest(extract(epoch from d.now - s.set_at)::float8, 0), 0), 0)
    * interval '1 millisecond'
  from (select clock_timestamp() as now) d left join engine.current_clock_shift() s on true
)`;

export async function engineTime(tx: Tx): Promise<Date> {
  return await askEngineTime(sqlClient(tx));
}

export async function askEngineTime(client: SqlClient): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>(`select ${ENGINE_TIME} as now`);
  const [row] = rows;
  if (row === undefined) throw new Error('The database did not tell the time.');
  return row.now;
}
