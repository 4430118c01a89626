import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { isJsonObject } from '@airdeck/contracts/json-object';
import { takeFields } from '../blank-event.ts';
import { cleanJson } from '../clean-record.ts';
import type { MessageFormat, SyslogHeader } from '../format.ts';
import { parseObject } from './json-kinds.ts';
import { nameProduct } from './syslog-products.ts';

/** How far into the text the record may begin: some write the name of their program in front of it. */
const RECORD_WITHIN = 80;

/** A JSON record behind a syslog header (also with the `@cee:` cookie). The record's own columns win over the header's. */
export const jsonMessage: MessageFormat = {
  name: 'json',
  needs: '{',
  parse(event, header, reception) {
    const object = objectIn(header.message);
    if (object === undefined) return undefined;
    const { event: inner } = parseObject(object, reception);
    takeFields(event, inner.fields);
    const ownTime = inner.time_source === 'event' || event.time_source === 'received' ? inner : event;
    return {
      ...inner,
      time: ownTime.time,
      time_source: ownTime.time_source,
      integration: inner.integration === 'generic' ? integrationBehind(event, header) : inner.integration,
      severity: inner.severity || event.severity,
      message: inner.message || event.message,
      host: inner.host || event.host,
      fields: event.fields,
    };
  },
};

function integrationBehind(event: ParsedEvent, header: SyslogHeader): string {
  nameProduct(event, header);
  return event.integration;
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const start = text.indexOf('{');
  if (start === -1 || start > RECORD_WITHIN || !text.endsWith('}')) return undefined;
  const value = cleanJson(text.slice(start));
  return isJsonObject(value) ? value : undefined;
}
