import { isTooDeep } from '../clean-record.ts';
import { isObject } from '../column-values.ts';
import type { MessageFormat } from '../format.ts';
import { parseObject } from './json-kinds.ts';

/** A JSON record behind a syslog header (also with the `@cee:` cookie). The record's own columns win over the header's. */
export const jsonMessage: MessageFormat = {
  name: 'json',
  parse(event, header, reception) {
    const text = header.message.startsWith('@cee:') ? header.message.slice(5).trimStart() : header.message;
    const object = objectIn(text);
    if (object === undefined) return undefined;
    const { event: inner } = parseObject(object, reception);
    const ownTime = inner.time_source === 'event' ? inner : event;
    return {
      ...inner,
      time: ownTime.time,
      time_source: ownTime.time_source,
      integration: inner.integration === 'generic' ? 'syslog' : inner.integration,
      severity: inner.severity || event.severity,
      message: inner.message || event.message,
      host: inner.host || event.host,
      fields: { ...event.fields, ...inner.fields },
    };
  },
};

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith('{') || !text.trimEnd().endsWith('}')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && !isTooDeep(value) ? value : undefined;
  } catch {
    // Looks like JSON and is not: the text stays the message.
    return undefined;
  }
}
