/** Alerts as rules see them. */

import { isTestNotification } from '@airdeck/connectors/graylog/notification-test-button';
import { priorityFromGraylog } from '@airdeck/connectors/graylog/priority';
import type { StoredEvent } from '@airdeck/contracts/events/event';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { storableText } from '@airdeck/domain/storable-json';

const NAME_MAX = 200;

export type Alert = {
  /** Graylog's own. */
  id: string;
  definitionId: string;
  title: string;
  event: StoredEvent;
};

/** The alert of a notification; undefined for the messages that led to it, for tests, and for what has no id. */
export function alertOf(event: StoredEvent): Alert | undefined {
  if (event.integration !== 'graylog' || event.event_type !== 'alert') return undefined;
  const { event: inner, event_definition_id: definitionId, event_definition_title: title } = event.fields;
  const id = nameOf(objectOf(inner).id);
  const definition = nameOf(definitionId);
  if (id === undefined || definition === undefined || isTestNotification(event.fields)) return undefined;
  return { id, definitionId: definition, title: textOf(title), event };
}

/** What expressions of a rule's responses read. */
export function contextOf({ id, definitionId, title, event }: Alert, rule: { id: string; name: string }): JsonObject {
  const inner = objectOf(event.fields.event);
  const { message, host, user, src_ip, dst_ip, action, outcome, integration, event_type, severity, fields } = event;
  return {
    rule: { id: rule.id, name: rule.name },
    alert: {
      id,
      title,
      description: textOf(event.fields.event_definition_description),
      definition_id: definitionId,
      priority: priorityFromGraylog(inner.priority) ?? null,
      message: textOf(inner.message),
      source: textOf(inner.source),
      key: textOf(inner.key),
      timestamp: textOf(inner.timestamp),
      fields: objectOf(inner.fields),
    },
    event: { message, host, user, src_ip, dst_ip, action, outcome, integration, event_type, severity, fields },
  };
}

/** Anybody with the token may send anything: what Graylog would not call an alert or definition is none. */
function nameOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text === '' || text.length > NAME_MAX ? undefined : storableText(text);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
