/** Columns a generic record can fill. */
export type NamedColumn =
  | 'time'
  | 'severity'
  | 'message'
  | 'host'
  | 'user'
  | 'src_ip'
  | 'dst_ip'
  | 'action'
  | 'outcome'
  | 'event_type';

/**
 * Names under which products write what our columns hold, best first: ECS, GELF, W3C, nginx and plain habit.
 * A dot separates the levels of nested records; the same name with literal dots counts as well.
 */
const namesByColumn: Readonly<Record<NamedColumn, readonly string[]>> = {
  time: [
    '@timestamp',
    'timestamp',
    'time',
    'eventTime',
    'event_time',
    'TimeGenerated',
    'datetime',
    'ts',
    'published',
    'created_at',
    'date',
  ],
  severity: ['severity', 'log.level', 'level', 'loglevel', 'log_level', 'SeverityLevel', 'priority'],
  message: ['message', 'msg', 'short_message', 'SyslogMessage', 'log', 'text', 'displayMessage', 'description'],
  host: [
    'host.name',
    'host.hostname',
    'hostname',
    'host',
    'HostName',
    'Computer',
    'computer',
    'agent.hostname',
    '_hostname',
    'device_name',
    'device',
  ],
  user: [
    'user.name',
    'username',
    'user_name',
    'userName',
    'user',
    'UserId',
    'userIdentity.userName',
    'userIdentity.arn',
    'user.email',
    'cs-username',
    'account',
    'actor',
  ],
  src_ip: [
    'source.ip',
    'src_ip',
    'srcip',
    'source_ip',
    'sourceIPAddress',
    'SourceIp',
    'client_ip',
    'client.ip',
    'clientIp',
    'ClientIP',
    'remote_addr',
    'remote_ip',
    'id.orig_h',
    'id_orig_h',
    'src',
    'sourceip',
    'c-ip',
    'ip',
    '_src_ip',
  ],
  dst_ip: [
    'destination.ip',
    'dst_ip',
    'dstip',
    'dest_ip',
    'destination_ip',
    'DestinationIp',
    'server.ip',
    'server_ip',
    'id.resp_h',
    'id_resp_h',
    'dst',
    'destinationip',
    '_dst_ip',
  ],
  action: ['event.action', 'action', 'eventName', 'Operation', 'OperationName', 'operation', 'event_name'],
  outcome: ['event.outcome', 'outcome', 'result', 'status', 'ResultStatus', 'success'],
  event_type: ['event_type', 'event.category', 'eventType', 'event.dataset', 'type'],
};

export type ColumnName = { readonly column: NamedColumn; readonly rank: number };
type NamesOfOneLevel = ReadonlyMap<string, ColumnName>;

/** By the name at the top level. */
export const topLevelNames: NamesOfOneLevel = new Map(
  Object.entries(namesByColumn).flatMap(([column, names]) =>
    names.map((name, rank) => [name, { column: column as NamedColumn, rank }] as const),
  ),
);

/** By the name of the record inside the record, then by the name in there. */
export const nestedNames: ReadonlyMap<string, NamesOfOneLevel> = nest(topLevelNames);

function nest(names: NamesOfOneLevel): Map<string, Map<string, ColumnName>> {
  const nested = new Map<string, Map<string, ColumnName>>();
  for (const [name, column] of names) {
    const dot = name.indexOf('.');
    if (dot === -1) continue;
    const inner = nested.get(name.slice(0, dot)) ?? new Map<string, ColumnName>();
    nested.set(name.slice(0, dot), inner.set(name.slice(dot + 1), column));
  }
  return nested;
}
