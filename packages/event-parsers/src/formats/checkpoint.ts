import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { isJsonObject } from '@airdeck/contracts/json-object';
import { setTime, takeFields } from '../blank-event.ts';
import { addressOf, outcomeOf, severityOf, snakeCase } from '../column-values.ts';
import { readTime } from '../event-time.ts';
import type { MessageFormat, Reception } from '../format.ts';
import { parseSeparated } from '../key-value.ts';

type Pairs = Record<string, unknown>;

/** `action:"Accept"; ` */
const QUOTED_PAIR = /([^\s:;"[\]]{1,128}):"([^"\\]*(?:\\.[^"\\]*)*)";? ?/sy;
const MAX_PAIRS = 1_000;
/** Actions whose words are Check Point's own. */
const outcomes: ReadonlyMap<string, string> = new Map([
  ['prevent', 'failure'],
  ['log in', 'success'],
  ['failed log in', 'failure'],
]);
const PORT = /^\d{1,5}$/;

/** Check Point Log Exporter: pairs in brackets or between bars, or structured data of RFC 5424. The event type is the product (blade). */
export const checkpointFormat: MessageFormat = {
  name: 'checkpoint',
  parse(event, { app, body, message, structuredData }, reception) {
    if (app === 'CheckPoint' && structuredData !== undefined) {
      const element: unknown = Object.values(structuredData).find((data) => isJsonObject(data) && 'version' in data);
      return isJsonObject(element) ? fill(event, Object.assign(Object.create(null), element), reception) : undefined;
    }
    if (app === 'CheckPoint' && message.startsWith('[')) {
      const pairs = quotedPairs(message);
      return pairs === undefined ? undefined : fill(event, pairs, reception);
    }
    const bar = body.indexOf('|');
    if (bar === -1 || bar > 64 || !body.startsWith('time=') || !body.includes('|product=')) return undefined;
    return fill(event, parseSeparated(body, { separator: '|', sign: '=' }), reception);
  },
};

/** What breaks off ends them; undefined where none begins. */
function quotedPairs(text: string): Pairs | undefined {
  const pairs: Pairs = Object.create(null);
  let at = 1;
  for (let count = 0; count < MAX_PAIRS; count++) {
    QUOTED_PAIR.lastIndex = at;
    const found = QUOTED_PAIR.exec(text);
    if (found === null) break;
    const [pair, key = '', value = ''] = found;
    pairs[key] = value.replace(/\\(["\\\]])/g, '$1');
    at += pair.length;
  }
  return at === 1 ? undefined : pairs;
}

function outcomeOfAction(action: string): string {
  return outcomes.get(action.toLowerCase()) ?? outcomeOf(action);
}

function fill(event: ParsedEvent, pairs: Pairs, reception: Reception): ParsedEvent {
  const text = (name: string): string => {
    const value = pairs[name];
    return typeof value === 'string' ? value : '';
  };
  setTime(event, readTime(text('time')), reception);
  event.integration = 'checkpoint';
  event.event_type = snakeCase(text('product')) || 'log';
  event.severity = severityOf(text('severity')) || event.severity;
  event.message = text('message') || text('attack') || text('additional_info') || text('subject') || event.message;
  event.host = event.host || text('hostname') || text('origin');
  event.user = text('user') || text('administrator') || text('src_user_name');
  event.src_ip = addressOf(text('src') || text('client_ip'));
  event.dst_ip = addressOf(text('dst'));
  event.action = snakeCase(text('operation') || text('action'));
  event.outcome = outcomeOf(text('audit_status')) || outcomeOfAction(text('action') || text('operation'));
  takeFields(event, pairs);
  // Its own names mean something else elsewhere: a service is a word there, here the port that was asked for.
  if (PORT.test(text('s_port'))) event.fields.src_port ??= Number(text('s_port'));
  if (PORT.test(text('service'))) event.fields.dst_port ??= Number(text('service'));
  return event;
}
