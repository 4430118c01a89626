import type { ParquetColumn } from './parquet-writer.ts';

/** An event as files hold it. Times are milliseconds since the epoch; `fields` is JSON text, as the store wrote it. */
export type ExportRow = {
  id: string;
  time_ms: number;
  received_ms: number;
  integration: string;
  event_type: string;
  severity: string;
  action: string;
  outcome: string;
  host: string;
  user: string;
  src_ip: string;
  dst_ip: string;
  connector_id: string;
  message: string;
  fields_json: string;
  raw: string;
};

const texts = [
  'integration',
  'event_type',
  'severity',
  'message',
  'host',
  'user',
  'src_ip',
  'dst_ip',
  'action',
  'outcome',
  'connector_id',
  'id',
  'raw',
] as const satisfies readonly (keyof ExportRow)[];

/** What is read of each event; names differ from those of columns, so that conditions keep meaning the columns. */
export const exportSelection = [
  'toUnixTimestamp64Milli(time) as time_ms',
  'toUnixTimestamp64Milli(received_at) as received_ms',
  'toJSONString(fields) as fields_json',
  ...texts,
].join(', ');

/** In the order of the file. */
export const csvColumns: readonly { name: string; of: (row: ExportRow) => string }[] = [
  { name: 'time', of: (row) => timeText(row.time_ms) },
  { name: 'received_at', of: (row) => timeText(row.received_ms) },
  ...texts.map((name) => ({ name, of: (row: ExportRow) => row[name] })),
  { name: 'fields', of: (row) => row.fields_json },
];

export const parquetColumns: readonly ParquetColumn<ExportRow>[] = [
  { name: 'time', type: 'time', of: (row) => row.time_ms },
  { name: 'received_at', type: 'time', of: (row) => row.received_ms },
  ...texts.map((name) => ({ name, type: 'text' as const, of: (row: ExportRow) => row[name] })),
  { name: 'fields', type: 'text', of: (row) => row.fields_json },
];

/** The original fields go through as text: reading them here would round numbers beyond 2^53. */
export function jsonLine(row: ExportRow): string {
  const rest = Object.fromEntries(texts.map((name) => [name, row[name]]));
  const head = JSON.stringify({ time: timeText(row.time_ms), received_at: timeText(row.received_ms), ...rest });
  return `${head.slice(0, -1)},"fields":${row.fields_json}}\n`;
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
