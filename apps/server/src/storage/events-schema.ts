import type { ClickHouseClient } from '@clickhouse/client';

/**
 * Where the events live: in one table of the embedded engine or of one server. When a cluster is named (`EVENTS_CLUSTER`),
 * in a replicated table on each of its shards, and `events` is the distributed table over them.
 */
export type EventsPlacement = { database: string; cluster?: string | undefined };

export const DEFAULT_EVENTS_DATABASE = 'airdeck';

/**
 * Below this much free space inserts are refused. On a disk that is full the engine (chDB 26.7) was seen to keep parts whose
 * files are empty, without any error: rows would be acknowledged, and gone at the next start.
 */
const INSERTS_NEED_FREE_BYTES = 128 * 1024 * 1024;

/**
 * Parts up to this size keep all their columns in one file. Apart, each path of `fields` is a file of its own, some 280 of
 * them for every merge of small parts: on ext4, which looks at every file deleted in the last minute before it makes a new
 * one, that was half of the time of an insert.
 */
const ONE_FILE_UP_TO_BYTES = 256 * 1024 * 1024;

/**
 * About how many parts of a size become one at once; the engine takes five of its own accord. An event is then written again
 * three times instead of five on its way into a part of ten million. Parts that are left alone are merged all the same: the
 * engine asks for fewer of them the older they get. See docs/decisions/0028-merges-of-many-parts.md.
 */
const PARTS_PER_MERGE = 20;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Statements that create the event store, each safe to repeat.
 *
 * Ordered by tenant first, because every query reads one tenant. Partitions are months: the retention differs from row
 * to row, so dropping days whole would never apply, and days would split each late or simulated batch into dozens of
 * parts. Inserts are on disk before they are acknowledged (`fsync_*`), and a batch sent again under the same token is
 * dropped (`*_deduplication_window`).
 */
export function eventsSchema(placement: EventsPlacement): string[] {
  const { database, cluster } = placement;
  if (!NAME.test(database) || (cluster !== undefined && !NAME.test(cluster))) {
    throw new Error(`Not a name of a database or cluster: ${database}, ${cluster}`);
  }
  const onCluster = onClusterOf(placement);
  const table = `${database}.${tableOf(placement)}${onCluster}`;
  return [
    `create database if not exists ${database}${onCluster}`,
    `create table if not exists ${table} (${columns})
engine = ${engineOf(placement)}
partition by toYYYYMM(time)
order by (tenant, integration, event_type, time)
ttl toDateTime(received_at) + toIntervalDay(retention_days) delete
settings ${tableSettings(cluster !== undefined)}`,
    `alter table ${table} modify setting min_free_disk_bytes_to_perform_insert = ${INSERTS_NEED_FREE_BYTES},
      min_bytes_for_wide_part = ${ONE_FILE_UP_TO_BYTES}, merge_selector_base = ${PARTS_PER_MERGE}`,
    `alter table ${table} add column if not exists ${storedAt}`,
    ...indexes.map(({ name, definition }) => `alter table ${table} add index if not exists ${name} ${definition}`),
    // By id: even whatever a tenant sends, and a batch sent again goes where it went before.
    ...(cluster === undefined
      ? []
      : [
          `create table if not exists ${database}.events${onCluster} as ${database}.${tableOf(placement)}
engine = Distributed(${cluster}, ${database}, ${tableOf(placement)}, cityHash64(id))`,
          `alter table ${database}.events${onCluster} add column if not exists ${storedAt}`,
        ]),
  ];
}

/** The table that holds the rows. */
export function tableOf({ cluster }: EventsPlacement): string {
  return cluster === undefined ? 'events' : 'events_local';
}

function onClusterOf({ cluster }: EventsPlacement): string {
  return cluster === undefined ? '' : ` on cluster ${cluster}`;
}

/** Creates what is missing and takes away what nothing asks any more; safe to repeat. */
export async function applyEventsSchema(
  client: Pick<ClickHouseClient, 'command' | 'query'>,
  placement: EventsPlacement,
): Promise<void> {
  for (const query of eventsSchema(placement)) await client.command({ query });
  const { database } = placement;
  const found = await client.query({
    query: `select name from system.data_skipping_indices where database = '${database}' and table = '${tableOf(placement)}'`,
    format: 'JSONEachRow',
  });
  for (const { name } of await found.json<{ name: string }>()) {
    // Asked first: even for an index that is not there, dropping goes over every part of the table, half a minute for 300.
    if (!formerIndexes.has(name)) continue;
    const table = `${database}.${tableOf(placement)}${onClusterOf(placement)}`;
    await client.command({ query: `alter table ${table} drop index ${name}` });
  }
}

/**
 * When its insert began, by the clock of the process that wrote it: received long before, where a spool or a repeated batch
 * was between. The live tail goes by it. Came after the table: 1970 in rows that are older.
 */
const storedAt = `stored_at DateTime64(3, 'UTC') codec(Delta, ZSTD(1))`;

const columns = `
  tenant UUID,
  source UUID,
  batch UUID,
  id UUID,
  integration LowCardinality(String),
  event_type LowCardinality(String),
  time DateTime64(3, 'UTC') codec(Delta, ZSTD(1)),
  received_at DateTime64(3, 'UTC') codec(Delta, ZSTD(1)),
  severity LowCardinality(String),
  action LowCardinality(String),
  outcome LowCardinality(String),
  connector_id String,
  host String,
  user String,
  src_ip String,
  dst_ip String,
  message String codec(ZSTD(1)),
  raw String codec(ZSTD(1)),
  fields JSON(max_dynamic_paths = 256),
  retention_days UInt16,
  ${storedAt},
  index ids id type bloom_filter granularity 1,
  index time_range time type minmax
`;

/**
 * Indexes that came after the table: tables that are there get them too, for the parts written from then on. Words are
 * indexed in lower case, as the search asks for them; `stored_range` is for the live tail.
 */
const indexes = [
  { name: 'raw_words_folded', definition: "lowerUTF8(raw) type text(tokenizer = 'splitByNonAlpha')" },
  { name: 'message_words_folded', definition: "lowerUTF8(message) type text(tokenizer = 'splitByNonAlpha')" },
  { name: 'stored_range', definition: 'stored_at type minmax' },
];

/** Of tables made before the search ignored case, and before the live tail went by `stored_at`; nothing asks them any more. */
const formerIndexes = new Set(['raw_words', 'message_words', 'received_range']);

function engineOf({ database, cluster }: EventsPlacement): string {
  // {shard} and {replica} are macros of the ClickHouse servers.
  return cluster === undefined
    ? 'MergeTree'
    : `ReplicatedMergeTree('/clickhouse/tables/{shard}/${database}/events_local', '{replica}')`;
}

function tableSettings(replicated: boolean): string {
  const window = replicated ? 'replicated_deduplication_window' : 'non_replicated_deduplication_window';
  return ['fsync_after_insert = 1', 'fsync_part_directory = 1', `${window} = 10000`].join(', ');
}
