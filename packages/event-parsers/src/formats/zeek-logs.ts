import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { addressOf, snakeCase, textOf } from '../column-values.ts';

type ZeekFields = Readonly<Record<string, unknown>>;

/** States of `conn` in which nobody answered or somebody refused. */
const failedStates: ReadonlySet<string> = new Set(['S0', 'REJ', 'RSTOS0', 'RSTRH', 'SH', 'SHR']);

/** What the record of each log says was done: a word of ours, or the field that says it. */
const actions: ReadonlyMap<string, string | readonly string[]> = new Map<string, string | readonly string[]>(
  Object.entries({
    conn: 'connect',
    dns: 'query',
    http: ['method'],
    ssl: 'handshake',
    ssh: 'login',
    ftp: ['command'],
    smb_files: ['action'],
    dce_rpc: ['operation'],
    kerberos: ['request_type'],
    notice: ['note'],
    weird: ['name'],
  }),
);

/** Where a log names who it was, besides `username` and `user`; elsewhere these names mean a program, or nothing known. */
const users: ReadonlyMap<string, string> = new Map([
  ['kerberos', 'client'],
  ['rdp', 'cookie'],
]);

/** Fills the common columns from a record of the named log; names of Zeek with dots or underscores. */
export function fillZeek(event: ParsedEvent, log: string, fields: ZeekFields): void {
  const text = (...names: string[]): string => {
    for (const name of names) {
      const value = textOf(fields[name]);
      if (value !== '') return value;
    }
    return '';
  };
  event.integration = 'zeek';
  event.event_type = snakeCase(log) || 'log';
  event.src_ip = addressOf(fields['id.orig_h'] ?? fields.id_orig_h ?? fields.src ?? fields.tx_hosts);
  event.dst_ip = addressOf(fields['id.resp_h'] ?? fields.id_resp_h ?? fields.dst ?? fields.rx_hosts);
  event.host = text('@system', '_system_name') || event.host;
  event.user = text('username', 'user', users.get(log) ?? 'user');
  const action = actions.get(log);
  event.action = typeof action === 'string' ? action : snakeCase(text(...(action ?? [])));
  event.message = text('msg', 'query', 'uri', 'server_name', 'service', 'name', 'filename') || event.message;
  event.outcome = outcomeOfZeek(log, fields);
}

function outcomeOfZeek(log: string, fields: ZeekFields): string {
  if (log === 'conn') return failedStates.has(textOf(fields.conn_state)) ? 'failure' : 'success';
  const verdict = fields.auth_success ?? fields.success ?? (log === 'ssl' ? fields.established : undefined);
  if (verdict === true || verdict === 'T') return 'success';
  return verdict === false || verdict === 'F' ? 'failure' : '';
}

const connection = ['ts', 'uid', 'id.orig_h', 'id.orig_p', 'id.resp_h', 'id.resp_p'] as const;

/** Default columns of the logs a line alone can be told from. */
export const zeekColumns: Readonly<Record<'conn' | 'dns' | 'http' | 'ssl' | 'any', readonly string[]>> = {
  any: connection,
  conn: [
    ...connection,
    'proto',
    'service',
    'duration',
    'orig_bytes',
    'resp_bytes',
    'conn_state',
    'local_orig',
    'local_resp',
    'missed_bytes',
    'history',
    'orig_pkts',
    'orig_ip_bytes',
    'resp_pkts',
    'resp_ip_bytes',
    'tunnel_parents',
    'ip_proto',
  ],
  dns: [
    ...connection,
    'proto',
    'trans_id',
    'rtt',
    'query',
    'qclass',
    'qclass_name',
    'qtype',
    'qtype_name',
    'rcode',
    'rcode_name',
    'AA',
    'TC',
    'RD',
    'RA',
    'Z',
    'answers',
    'TTLs',
    'rejected',
  ],
  http: [
    ...connection,
    'trans_depth',
    'method',
    'host',
    'uri',
    'referrer',
    'version',
    'user_agent',
    'origin',
    'request_body_len',
    'response_body_len',
    'status_code',
    'status_msg',
  ],
  ssl: [
    ...connection,
    'version',
    'cipher',
    'curve',
    'server_name',
    'resumed',
    'last_alert',
    'next_protocol',
    'established',
  ],
};
