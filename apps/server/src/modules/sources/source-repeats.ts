import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import { HOUR_MS } from './event-volume.ts';

export type SourceRepeat = { tenantId: string; sourceId: string; deliveries: number };

/** Deliveries of a source that were taken for repetitions of one just before, and not stored again. */
export type SourceRepeats = {
  /** In a system transaction. Sources that are gone are left out. */
  add(tx: Tx, repeats: { counts: readonly SourceRepeat[]; at: Date }): Promise<void>;
};

export const sourceRepeats: SourceRepeats = {
  async add(tx, { counts, at }) {
    if (counts.length === 0) return;
    const hour = new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);
    // Sorted as others lock the rows. No event came, so the last one is that of before.
    const sorted = counts.toSorted((a, b) => (a.sourceId < b.sourceId ? -1 : 1));
    await sql`
      insert into source_arrival_hour as h (tenant_id, source_id, hour, events, last_event_at, repeated)
      select s.tenant_id, s.id, ${hour}::timestamptz, 0, coalesce(
        (select a.last_event_at from source_arrival_hour a where a.source_id = s.id order by a.hour desc limit 1),
        ${at}::timestamptz), r.deliveries
      from unnest(${sorted.map((r) => r.tenantId)}::uuid[], ${sorted.map((r) => r.sourceId)}::uuid[],
        ${sorted.map((r) => r.deliveries)}::bigint[]) with ordinality as r (tenant_id, source_id, deliveries, place)
      join event_source s on s.tenant_id = r.tenant_id and s.id = r.source_id
      order by r.place
      on conflict (source_id, hour) do update set repeated = h.repeated + excluded.repeated`.execute(tx);
  },
};
