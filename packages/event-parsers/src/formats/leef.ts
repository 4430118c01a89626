import { setTime, takeFields } from '../blank-event.ts';
import { addressOf, outcomeOf, snakeCase, tenPointSeverityOf } from '../column-values.ts';
import { readTime } from '../event-time.ts';
import type { MessageFormat } from '../format.ts';
import { integrationOfVendor } from './product-names.ts';
import { readStamp } from './syslog-stamp.ts';

const MARK_WITHIN = 120;
const MAX_PAIRS = 500;
/** Version, vendor, product, version of the product, event id; in version 2.0 also the delimiter, which may be left out. */
const HEADER = /^LEEF:([12])(?:\.\d)?\|([^|]{0,256})\|([^|]{0,256})\|([^|]{0,256})\|([^|]{0,256})\|/;
const DELIMITER = /^(?:0?x([0-9a-fA-F]{2,4})|(\t|[^\s\w=]))?\|/;

/** IBM QRadar's Log Event Extended Format 1.0 and 2.0, any vendor. */
export const leefFormat: MessageFormat = {
  name: 'leef',
  needs: 'LEEF:',
  parse(event, { body }, reception) {
    const mark = body.indexOf('LEEF:');
    if (mark === -1 || mark > MARK_WITHIN) return undefined;
    const text = body.slice(mark);
    const header = HEADER.exec(text);
    if (header === null) return undefined;
    const [start, version, vendor = '', product = '', productVersion = '', eventId = ''] = header;
    const pairs = readPairs(text.slice(start.length), version === '2');
    setTime(event, timeOf(pairs, reception.receivedAt), reception);
    event.integration = integrationOfVendor(vendor, product);
    event.event_type = snakeCase(pairs.cat) || 'event';
    event.severity = tenPointSeverityOf(pairs.sev) || event.severity;
    event.message = pairs.msg ?? pairs.reason ?? eventId;
    event.host = pairs.identHostName ?? pairs.devName ?? event.host;
    event.user = pairs.usrName ?? pairs.accountName ?? '';
    event.src_ip = addressOf(pairs.src);
    event.dst_ip = addressOf(pairs.dst);
    event.action = snakeCase(pairs.action ?? pairs.act);
    event.outcome = outcomeOf(pairs.outcome) || outcomeOf(pairs.action ?? pairs.act);
    const named = { device_vendor: vendor, device_product: product, device_version: productVersion, event_id: eventId };
    takeFields(event, Object.assign(pairs, named));
    return event;
  },
};

function readPairs(text: string, mayNameDelimiter: boolean): Record<string, string> {
  const named = mayNameDelimiter ? DELIMITER.exec(text) : null;
  const hex = named?.[1];
  const delimiter = hex === undefined ? (named?.[2] ?? '\t') : String.fromCharCode(Number.parseInt(hex, 16));
  const pairs: Record<string, string> = Object.create(null);
  for (const pair of text.slice(named?.[0].length ?? 0).split(delimiter, MAX_PAIRS)) {
    const equals = pair.indexOf('=');
    const key = pair.slice(0, Math.max(equals, 0)).trim();
    if (key !== '') pairs[key] = pair.slice(equals + 1).trim();
  }
  return pairs;
}

/** `devTime` in any form, whatever `devTimeFormat` calls it. */
function timeOf({ devTime }: Readonly<Record<string, string>>, receivedAt: number): number | undefined {
  if (devTime === undefined) return undefined;
  return readTime(devTime) ?? readStamp(`${devTime}:`, receivedAt, true)?.time;
}
