import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import { HOUR_MS } from './event-volume.ts';

/** Lines of syslog that were lost at a door, where nobody knows yet which tenant they would have belonged to. */
export type LineLosses = {
  /** In a system transaction. */
  add(tx: Tx, loss: { lines: number; at: Date }): Promise<void>;
  /** Of the whole installation, to the hour. In a system transaction. */
  since(tx: Tx, since: Date): Promise<number>;
};

export const lineLosses: LineLosses = {
  async add(tx, { lines, at }) {
    const hour = new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);
    await sql`insert into syslog_loss_hour as l (hour, lines) values (${hour}, ${lines})
      on conflict (hour) do update set lines = l.lines + excluded.lines`.execute(tx);
  },
  async since(tx, since) {
    const { rows } = await sql<{ lines: number }>`
      select coalesce(sum(lines), 0)::bigint as lines from syslog_loss_hour where hour > ${since}`.execute(tx);
    return rows[0]?.lines ?? 0;
  },
};
