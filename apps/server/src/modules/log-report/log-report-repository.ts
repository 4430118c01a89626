/** Volume from the counters that ingestion keeps by the hour of the events, so that no event is read for it. */
import type { LogReport } from '@airdeck/contracts/reports/log-report';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ReportRange } from '../activity-report/report-range.ts';

const HOUR_MS = 3_600_000;

export type Volume = { events: number; bytes: number };
export type SourceDay = Volume & { source: string; day: string };

/** Hours belong whole to the day and the time they begin in. */
function firstHour(time: Date): Date {
  return new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);
}

export async function volumeBySourceDay(tx: Tx, scope: TenantScope, range: ReportRange): Promise<SourceDay[]> {
  const { rows } = await sql<SourceDay>`
    select source_id as source, to_char(greatest(hour, ${range.start}) at time zone ${range.timeZone}, 'YYYY-MM-DD') as day,
      sum(events)::bigint as events, sum(bytes)::bigint as bytes
    from source_event_hour
    where tenant_id = ${scope.tenantId} and hour >= ${firstHour(range.start)} and hour < ${range.end}
    group by 1, 2`.execute(tx);
  return rows;
}

/** Of whole hours, by source. */
export async function volumeBySource(
  tx: Tx,
  scope: TenantScope,
  { start, end }: Pick<ReportRange, 'start' | 'end'>,
): Promise<Map<string, Volume>> {
  const { rows } = await sql<Volume & { source: string }>`
    select source_id as source, sum(events)::bigint as events, sum(bytes)::bigint as bytes
    from source_event_hour
    where tenant_id = ${scope.tenantId} and hour >= ${firstHour(start)} and hour < ${firstHour(end)}
    group by 1`.execute(tx);
  return new Map(rows.map(({ source, ...volume }) => [source, volume]));
}

export type SourceRow = Pick<LogReport['sources'][number], 'id' | 'name' | 'kind' | 'connector_id' | 'deleted'> & {
  last_event_at: Date | null;
};

/** All sources of the tenant, those that were deleted and those of connectors too, with when something last arrived. */
export async function listLogSources(tx: Tx, scope: TenantScope): Promise<SourceRow[]> {
  const { rows } = await sql<SourceRow>`
    select s.id, coalesce(c.name, s.name) as name, s.connector_id::text as connector_id,
      case when s.connector_id is null then s.kind else 'connector' end as kind,
      s.deleted_at is not null or (s.connector_id is not null and c.id is null) as deleted, last.at as last_event_at
    from event_source s
    left join connector c on c.tenant_id = s.tenant_id and c.id = s.connector_id::uuid
    left join lateral (
      select a.last_event_at as at from source_arrival_hour a where a.source_id = s.id order by a.hour desc limit 1
    ) last on true
    where s.tenant_id = ${scope.tenantId}
    order by s.created_at, s.id`.execute(tx);
  return rows;
}

export async function findRetention(
  tx: Tx,
  scope: TenantScope,
): Promise<Pick<LogReport['retention'], 'days' | 'plan_days' | 'search_days'>> {
  const { rows } = await sql<Pick<LogReport['retention'], 'days' | 'plan_days' | 'search_days'>>`
    select least(s.retention_days, (t.sku_info ->> 'retention_length_days')::int) as days,
      (t.sku_info ->> 'retention_length_days')::int as plan_days, (t.sku_info ->> 'search_length_days')::int as search_days
    from tenant t left join tenant_settings s on s.tenant_id = t.id where t.id = ${scope.tenantId}`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('A tenant that somebody is a member of is there.');
  return row;
}
