import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { setTime, takeFields } from '../blank-event.ts';
import { addressOf, addressWithPort } from '../column-values.ts';
import { csvValues, namedValues } from '../csv-values.ts';
import { readTime } from '../event-time.ts';
import type { MessageFormat, Reception } from '../format.ts';

/** `01/27/16-16:01:04.877970`, `01/27/2016-…`, `01/27-…`: month first. */
const TIME = /^(\d{2})\/(\d{2})(?:\/(\d{2,4}))?-(\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(?=[ ,])/;
const ALERT = /^(?:\[\*\*\] )?\[(\d{1,10}):(\d{1,10}):(\d{1,10})\] (.{1,1000}?) (?:\[\*\*\] ?)?(?=\[|\{)/;
const CLASS = /\[Classification: ([^\]]{1,200})\]/;
const PRIORITY = /\[Priority: (\d{1,3})\]/;
const FLOW = /\{([\w:.-]{1,20})\} (\S{2,80}) -> (\S{2,80})/;

/** Columns of Snort's CSV output, in its default order. */
const columns = [
  'timestamp',
  'sig_generator',
  'sig_id',
  'sig_rev',
  'msg',
  'protocol',
  'src',
  'src_port',
  'dst',
  'dst_port',
  'ethsrc',
  'ethdst',
  'ethlen',
  'tcpflags',
  'tcpseq',
  'tcpack',
  'tcplen',
  'tcpwindow',
  'ttl',
  'tos',
  'id',
  'dgmlen',
  'iplen',
  'icmptype',
  'icmpcode',
  'icmpid',
  'icmpseq',
];

/** Snort and Suricata count priorities from 1, the worst. */
const severities = ['', 'high', 'medium', 'low', 'info'];

/** Fast alerts of Snort and Suricata, from a file or behind syslog. */
export const snortFastFormat: MessageFormat = {
  name: 'snort',
  parse(event, { app, message }, reception) {
    const time = TIME.exec(message);
    const text = time === null ? message : message.slice(time[0].length).trimStart();
    if (text.charCodeAt(0) !== 91) return undefined;
    const alert = ALERT.exec(text);
    const flow = alert === null ? null : FLOW.exec(text.slice(alert[0].length - 1));
    if (alert === null || flow === null) return undefined;
    const [, generator, id, revision, name = ''] = alert;
    const [, protocol = '', from, to] = flow;
    const source = addressWithPort(from);
    const destination = addressWithPort(to);
    const priority = PRIORITY.exec(text)?.[1];
    fillAlert(event, { time, app, name: name.trim(), reception });
    event.severity = severities[Number(priority ?? 0)] ?? 'info';
    event.src_ip = source.address;
    event.dst_ip = destination.address;
    const found = {
      sig_generator: Number(generator),
      sig_id: Number(id),
      sig_rev: Number(revision),
      protocol,
      classification: CLASS.exec(text)?.[1],
      priority: priority === undefined ? undefined : Number(priority),
      src_port: source.port,
      dst_port: destination.port,
    };
    const said = Object.entries(found).filter(([, value]) => value !== undefined);
    Object.assign(event.fields, Object.fromEntries(said));
    return event;
  },
};

/** Snort's CSV output with its default columns. */
export const snortCsvFormat: MessageFormat = {
  name: 'snort_csv',
  parse(event, { app, message }, reception) {
    const comma = message.indexOf(',');
    if (comma === -1 || comma > 30 || message.charCodeAt(2) !== 47) return undefined;
    const time = TIME.exec(message);
    const values = time === null ? [] : csvValues(message);
    if (values.length < 10 || !/^\d{1,10}$/.test(values[2] ?? '')) return undefined;
    const fields = namedValues(
      columns,
      values.map((value) => value.trim()),
    );
    fillAlert(event, { time, app, name: fields.msg ?? '', reception });
    event.src_ip = addressOf(fields.src);
    event.dst_ip = addressOf(fields.dst);
    takeFields(event, fields);
    return event;
  },
};

function fillAlert(
  event: ParsedEvent,
  { time, app, name, reception }: { time: RegExpExecArray | null; app: string; name: string; reception: Reception },
): void {
  if (time !== null) setTime(event, timeOf(time, reception.receivedAt), reception);
  event.integration = app === 'suricata' ? 'suricata' : 'snort';
  event.event_type = 'alert';
  event.action = 'alert';
  event.message = name;
}

/** Without a year it is the newest that does not lie in the future. */
function timeOf(parts: RegExpExecArray, receivedAt: number): number | undefined {
  const [, month, day, year, time] = parts;
  if (year !== undefined) return readTime(`${year.length === 2 ? `20${year}` : year}-${month}-${day} ${time}`);
  const newest = new Date(receivedAt + 86_400_000).getUTCFullYear();
  for (const candidate of [newest, newest - 1]) {
    const read = readTime(`${candidate}-${month}-${day} ${time}`);
    if (read !== undefined && read <= receivedAt + 86_400_000) return read;
  }
  return undefined;
}
