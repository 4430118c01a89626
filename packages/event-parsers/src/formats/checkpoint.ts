import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { setTime, takeFields } from '../blank-event.ts';
import { addressOf, isObject, outcomeOf, severityOf, snakeCase } from '../column-values.ts';
import { readTime } from '../event-time.ts';
import type { MessageFormat, Reception } from '../format.ts';
import { parseSeparated } from '../key-value.ts';

type Pairs = Record<string, unknown>;

/** Check Point Log Exporter: pairs between bars, or structured data of RFC 5424. The event type is the product (blade). */
export const checkpointFormat: MessageFormat = {
  name: 'checkpoint',
  parse(event, { app, body, structuredData }, reception) {
    if (app === 'CheckPoint' && structuredData !== undefined) {
      const element: unknown = Object.values(structuredData).find((data) => isObject(data) && 'version' in data);
      return isObject(element) ? fill(event, Object.assign(Object.create(null), element), reception) : undefined;
    }
    const bar = body.indexOf('|');
    if (bar === -1 || bar > 64 || !body.startsWith('time=') || !body.includes('|product=')) return undefined;
    return fill(event, parseSeparated(body, { separator: '|', sign: '=' }), reception);
  },
};

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
  event.outcome = outcomeOf(text('action'));
  takeFields(event, pairs);
  return event;
}
