import { setTime, takeFields } from '../blank-event.ts';
import { namedValues } from '../csv-values.ts';
import { readTime } from '../event-time.ts';
import type { MessageFormat } from '../format.ts';
import { fillZeek, zeekColumns } from './zeek-logs.ts';

const START = /^\d{10}\.\d{1,9}\t/;
const UID = /^[CFd][A-Za-z0-9]{11,19}$/;
const HEADER = /^#(separator|set_separator|empty_field|unset_field|path|open|close|fields|types)\b[\t ]?/;
const MAX_VALUES = 200;
const protocols: ReadonlySet<string> = new Set(['tcp', 'udp', 'icmp', 'unknown_transport']);

/**
 * Zeek's TSV logs. A line does not say which log it is of; conn, dns, http and ssl are told by their values and get the
 * names of their default columns, other logs those of the connection they belong to. The lines above them that start with
 * `#` are kept as `header`.
 */
export const zeekLineFormat: MessageFormat = {
  name: 'zeek_tsv',
  parse(event, { message }, reception) {
    if (message.charCodeAt(0) === 35) {
      const header = HEADER.exec(message);
      if (header === null) return undefined;
      event.integration = 'zeek';
      event.event_type = 'header';
      event.message = message;
      Object.assign(event.fields, { [header[1] ?? '']: message.slice(header[0].length).split('\t', MAX_VALUES) });
      return event;
    }
    if (message.charCodeAt(10) !== 46 || !START.test(message)) return undefined;
    const values = message.split('\t', MAX_VALUES);
    if (values.length < 6 || !UID.test(values[1] ?? '')) return undefined;
    const log = logOf(values);
    const said = values.map((value) => (value === '-' || value === '(empty)' ? '' : value));
    const fields = namedValues(zeekColumns[log], said);
    setTime(event, readTime(fields.ts), reception);
    event.message = message;
    fillZeek(event, log === 'any' ? '' : log, fields);
    takeFields(event, fields);
    return event;
  },
};

function logOf(values: readonly string[]): keyof typeof zeekColumns {
  const [seventh = '', eighth = ''] = values.slice(6);
  if (protocols.has(seventh)) {
    if (/^(?:S[0-3F]|REJ|RST(?:O|R|OS0|RH)|SHR?|OTH)$/.test(values[11] ?? '')) return 'conn';
    return /^\d{1,5}$/.test(eighth) && values.length >= 22 ? 'dns' : 'any';
  }
  if (/^\d{1,6}$/.test(seventh) && /^(?:[A-Z]{3,16}|-)$/.test(eighth) && values.length >= 18) return 'http';
  return /^(?:TLS|SSL|DTLS)v\d/.test(seventh) ? 'ssl' : 'any';
}
