import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import { segment } from '@airdeck/connector-kit/vendor-address';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf, objectsOf, textAt, textOf } from '../answer-fields.ts';
import { nullableText, priorityOutput } from './graylog-action.ts';
import { GRAYLOG, graylogClient } from './graylog-client.ts';
import { priorityFromGraylog } from './priority.ts';
import { getTitled, titledLists } from './titled-lists.ts';

export type EventDefinition = JsonObject & { readonly id: string };

/** As the server has it now: what is written back must be what was read, add-ons' own fields included. */
export async function readDefinition(context: ConnectorContext, title: string): Promise<EventDefinition> {
  const { id } = await getTitled(context, titledLists.definitions, title);
  return { ...(await graylogClient.object(context, { path: definitionPath(id) })), id };
}

export function definitionPath(id: string, ...rest: readonly string[]): string {
  return [titledLists.definitions.path, segment(id), ...rest].join('/');
}

/** Older servers have no `state`; there only the scheduler knows. */
export async function isEnabled(context: ConnectorContext, definition: EventDefinition): Promise<boolean> {
  if (typeof definition.state === 'string') return definition.state === 'ENABLED';
  const path = definitionPath(definition.id, 'with-context');
  const body = await graylogClient.object(context, { path });
  return objectOf(objectOf(objectOf(body.context).scheduler)[definition.id]).is_scheduled === true;
}

export function notificationIds(definition: JsonObject): readonly string[] {
  return objectsOf(definition.notifications).flatMap((entry) => textOf(entry, 'notification_id') ?? []);
}

/**
 * Writes a definition back with other notifications. It is scheduled again only when it was before: the server's own
 * default would enable what is disabled. There is no version to compare, so the result is read and compared instead; throws
 * `VENDOR_CONFLICT` when somebody else wrote at the same time.
 */
export async function writeNotifications(
  context: ConnectorContext,
  { definition, notifications }: { definition: EventDefinition; notifications: readonly JsonObject[] },
): Promise<void> {
  const schedule = await isEnabled(context, definition);
  const { scheduler: _scheduler, ...body } = definition;
  const path = definitionPath(definition.id);
  await graylogClient.call(context, {
    method: 'PUT',
    path,
    query: { schedule },
    json: { ...body, notifications },
    idempotent: true,
  });
  const after = await graylogClient.object(context, { path });
  const wanted = notificationIds({ notifications }).toSorted();
  if (JSON.stringify(notificationIds(after).toSorted()) === JSON.stringify(wanted)) return;
  throw new VendorError(
    'VENDOR_CONFLICT',
    `The event definition was changed in ${GRAYLOG} at the same time. Look at it there.`,
  );
}

export const definitionOutput: JsonObject = {
  id: { type: 'string' },
  title: nullableText,
  description: nullableText,
  priority: priorityOutput,
  graylog_priority: { type: ['integer', 'null'], description: 'As Graylog has it: 0 info to 4 critical.' },
  alert: { type: 'boolean' },
  enabled: { type: ['boolean', 'null'], description: 'Null on servers that do not say.' },
  type: nullableText,
  query: nullableText,
  notification_ids: { type: 'array', items: { type: 'string' } },
  updated_at: nullableText,
  matched_at: nullableText,
};

/** A definition in the shape of `definitionOutput`. */
export function definitionFacts(definition: JsonObject): JsonObject {
  const priority = priorityFromGraylog(definition.priority);
  return {
    id: textOf(definition, 'id') ?? '',
    title: textOf(definition, 'title'),
    description: textOf(definition, 'description'),
    priority: priority ?? null,
    graylog_priority: priority === undefined ? null : definition.priority,
    alert: definition.alert === true,
    enabled: enabledOf(definition),
    type: textAt(definition, 'config', 'type'),
    query: textAt(definition, 'config', 'query'),
    notification_ids: notificationIds(definition),
    updated_at: textOf(definition, 'updated_at'),
    matched_at: textOf(definition, 'matched_at'),
  };
}

function enabledOf(definition: JsonObject): boolean | null {
  if (typeof definition.state === 'string') return definition.state === 'ENABLED';
  const scheduled = objectOf(definition.scheduler).is_scheduled;
  return typeof scheduled === 'boolean' ? scheduled : null;
}
