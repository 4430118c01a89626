import type { StoredEvent } from '@airdeck/contracts/events/event';

/**
 * What a column holds, which decides how it is compared:
 * - `text`: a sentence or line, searched by words;
 * - `slug`: always lower case as stored, so it can be compared as it is and use the order of the table;
 * - `name`: a short text; `address`: an IP address as text; `id`: a UUID; `time`: milliseconds since the epoch.
 */
export type ColumnKind = 'text' | 'slug' | 'name' | 'address' | 'id' | 'time';

export type SearchColumn = {
  readonly kind: ColumnKind;
  /** Column of the store, and property of the event. */
  readonly column: Exclude<keyof StoredEvent, 'fields' | 'time_source' | 'tenant' | 'batch'>;
};

/**
 * The names a query uses for columns; every other name is a path into the original fields (and `fields.user` the original
 * field where a column has its name, `fields.fields.env` one in an object called `fields`). Columns that are ours and not
 * the source's begin with `_`, as in Graylog and Kibana.
 */
export const searchColumns: ReadonlyMap<string, SearchColumn> = new Map<string, SearchColumn>([
  ['time', { kind: 'time', column: 'time' }],
  ['integration', { kind: 'slug', column: 'integration' }],
  ['event_type', { kind: 'name', column: 'event_type' }],
  ['severity', { kind: 'name', column: 'severity' }],
  ['action', { kind: 'name', column: 'action' }],
  ['outcome', { kind: 'name', column: 'outcome' }],
  ['host', { kind: 'name', column: 'host' }],
  ['user', { kind: 'name', column: 'user' }],
  ['src_ip', { kind: 'address', column: 'src_ip' }],
  ['dst_ip', { kind: 'address', column: 'dst_ip' }],
  ['message', { kind: 'text', column: 'message' }],
  ['raw', { kind: 'text', column: 'raw' }],
  ['_id', { kind: 'id', column: 'id' }],
  ['_source_id', { kind: 'id', column: 'source' }],
  ['_connector_id', { kind: 'name', column: 'connector_id' }],
  ['_received_at', { kind: 'time', column: 'received_at' }],
]);

/** Where words without a field are searched. */
export const wordColumns = ['message', 'raw'] as const;

/** What `matches` reads of an event. */
export type SearchableEvent = Pick<StoredEvent, SearchColumn['column'] | 'fields'>;
