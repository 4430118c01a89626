import { blankEvent, setTime } from '../blank-event.ts';
import { textOf } from '../column-values.ts';
import { readTime } from '../event-time.ts';
import type { JsonObject, ObjectFormat } from '../format.ts';
import { fillZeek } from './zeek-logs.ts';

/** Keys that only one log has, for records whose shipper did not name the log. */
const logByKey: readonly (readonly [key: string, log: string])[] = [
  ['conn_state', 'conn'],
  ['qtype_name', 'dns'],
  ['trans_depth', 'http'],
  // Before `cipher`, which it has as well.
  ['request_type', 'kerberos'],
  ['cipher', 'ssl'],
  ['hassh', 'ssh'],
  ['security_protocol', 'rdp'],
  ['fuid', 'files'],
  ['note', 'notice'],
];

/** Zeek's JSON logs: as written, as Corelight exports them (`_path`), as JSON streaming (`@stream`). */
export const zeekJsonFormat: ObjectFormat = {
  name: 'zeek',
  parse(object, reception) {
    const log = logOf(object);
    if (log === undefined) return undefined;
    const event = blankEvent(reception);
    setTime(event, readTime(object.ts), reception);
    fillZeek(event, log, object);
    event.fields = object as Record<string, unknown>;
    return event;
  },
};

function logOf(object: JsonObject): string | undefined {
  const { ts } = object;
  if (ts === undefined) return undefined;
  const named = textOf(object['@stream']) || textOf(object._path);
  if (named !== '') return named;
  if (object['id.orig_h'] === undefined && object.id_orig_h === undefined) return undefined;
  return logByKey.find(([key]) => object[key] !== undefined)?.[1] ?? 'log';
}
