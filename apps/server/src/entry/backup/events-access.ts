import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { DEFAULT_EVENTS_DATABASE, type EventsPlacement } from '../../storage/events-schema.ts';

const REQUEST_TIMEOUT_MS = 15 * 60_000;

/** Address, account and database of the event store. */
export type EventsAddress = { url: string; user: string; password: string; placement?: EventsPlacement };

export type EventsAccess = EventsPlacement & { client: ClickHouseClient; table: string };

/** Sees the events of all tenants, which nothing that serves requests does. */
export function openEvents({ url, user, password, placement }: EventsAddress): EventsAccess {
  const { database, cluster } = placement ?? { database: DEFAULT_EVENTS_DATABASE };
  const client = createClient({
    url,
    username: user,
    password,
    application: 'airdeck-backup',
    log: { level: ClickHouseLogLevel.OFF },
    max_open_connections: 2,
    request_timeout: REQUEST_TIMEOUT_MS,
    compression: { request: false, response: false },
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  return { client, database, cluster, table: `${database}.events` };
}

export async function ask<Row>({ client }: EventsAccess, query: string, params: Record<string, unknown> = {}) {
  const answer = await client.query({ query, format: 'JSONEachRow', query_params: params });
  return await answer.json<Row>();
}

export async function hasEventsTable(events: EventsAccess): Promise<boolean> {
  const rows = await ask(
    events,
    'select 1 from system.tables where database = {database:String} and name = {name:String}',
    {
      database: events.database,
      name: 'events',
    },
  );
  return rows.length > 0;
}

/** The same for the same events, whatever their order and however the store keeps them. */
export const EVENTS_HASH = `toString(sum(cityHash64(tenant, source, batch, id, integration, event_type, time, received_at,
  severity, action, outcome, connector_id, host, user, src_ip, dst_ip, message, raw, toJSONString(fields), retention_days)))`;
