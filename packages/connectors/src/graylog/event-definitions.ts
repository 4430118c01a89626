import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import { segment } from '@airdeck/connector-kit/vendor-address';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { numberOf, objectsOf, textAt, textOf, textsOf } from '../answer-fields.ts';
import { nullableText, priorityOutput } from './graylog-action.ts';
import { GRAYLOG, graylogClient } from './graylog-client.ts';
import { priorityFromGraylog } from './priority.ts';
import { getTitled, titledLists } from './titled-lists.ts';

export type EventDefinition = JsonObject & { readonly id: string };

/** As the server has it now: what is written back must be what was read, add-ons' own fields included. */
export async function readDefinition(context: ConnectorContext, id: string): Promise<EventDefinition> {
  return { ...(await graylogClient.object(context, { path: definitionPath(id) })), id };
}

export async function readDefinitionTitled(context: ConnectorContext, title: string): Promise<EventDefinition> {
  const { id } = await getTitled(context, titledLists.definitions, title);
  return await readDefinition(context, id);
}

export function definitionPath(id: string, ...rest: readonly string[]): string {
  return [titledLists.definitions.path, segment(id), ...rest].join('/');
}

/**
 * Servers before 5.2 have no `state`; there only the scheduler knows. Throws `VENDOR_ANSWER_UNREADABLE` when it does not
 * say: whoever writes the definition back on a guess switches detection off, or on.
 */
export async function isEnabled(context: ConnectorContext, definition: EventDefinition): Promise<boolean> {
  if (typeof definition.state === 'string') return definition.state === 'ENABLED';
  const path = definitionPath(definition.id, 'with-context');
  const body = await graylogClient.object(context, { path });
  // Of this one definition; only beside lists the scheduler speaks of them by id.
  const scheduled = objectOf(objectOf(body.context).scheduler).is_scheduled;
  if (typeof scheduled === 'boolean') return scheduled;
  throw new VendorError(
    'VENDOR_ANSWER_UNREADABLE',
    `${GRAYLOG} answered without saying whether the event definition is enabled.`,
  );
}

export function notificationIds(definition: JsonObject): readonly string[] {
  return objectsOf(definition.notifications).flatMap((entry) => textOf(entry, 'notification_id') ?? []);
}

/** The notifications a definition should have instead; undefined when it is right as it is. */
type NotificationsChange = (now: readonly JsonObject[]) => readonly JsonObject[] | undefined;

/** Times a definition is written before it is left to whoever keeps writing it too. */
const EDITS = 3;

/**
 * Changes which notifications a definition uses. Graylog has no call for it, and no version to compare: the definition is
 * read, read again right before it is written back (an edit in between begins anew, so that it is not lost), and read once
 * more to see that the change is there. What is left is the time of one call, in which another's edit can be overwritten.
 * Throws `VENDOR_CONFLICT` when others keep writing at the same time.
 */
export async function editNotifications(
  context: ConnectorContext,
  id: string,
  change: NotificationsChange,
): Promise<{ definition: EventDefinition; changed: boolean }> {
  let changed = false;
  for (let left = EDITS; left > 0; left -= 1) {
    const definition = await readDefinition(context, id);
    const notifications = change(objectsOf(definition.notifications));
    if (notifications === undefined) return { definition, changed };
    const schedule = await isEnabled(context, definition);
    const latest = await readDefinition(context, id);
    if (!isSameDefinition(definition, latest)) continue;
    await writeDefinition(context, { ...latest, notifications }, schedule);
    changed = true;
  }
  const definition = await readDefinition(context, id);
  if (change(objectsOf(definition.notifications)) === undefined) return { definition, changed };
  throw new VendorError(
    'VENDOR_CONFLICT',
    `The event definition was changed in ${GRAYLOG} at the same time. Look at it there.`,
  );
}

/** It is scheduled again only when it was before: the server's own default would enable what is disabled. */
async function writeDefinition(
  context: ConnectorContext,
  { scheduler: _scheduler, ...body }: EventDefinition,
  schedule: boolean,
): Promise<void> {
  const path = definitionPath(body.id);
  await graylogClient.call(context, { method: 'PUT', path, query: { schedule }, json: body, idempotent: true });
}

/** Whether nobody edited it; that it raised an alert or was evaluated meanwhile is no edit. */
function isSameDefinition(one: EventDefinition, other: EventDefinition): boolean {
  const edited = ({ matched_at: _matched, scheduler: _scheduler, ...rest }: EventDefinition) => JSON.stringify(rest);
  return edited(one) === edited(other);
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
  search_within_ms: { type: ['integer', 'null'] },
  execute_every_ms: { type: ['integer', 'null'] },
  streams: { type: 'array', items: { type: 'string' }, description: 'Ids; empty: all.' },
  notification_ids: { type: 'array', items: { type: 'string' } },
  updated_at: nullableText,
  matched_at: nullableText,
};

/** A definition in the shape of `definitionOutput`. */
export function definitionFacts(definition: JsonObject): JsonObject {
  const priority = priorityFromGraylog(definition.priority);
  const config = objectOf(definition.config);
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
    search_within_ms: numberOf(config, 'search_within_ms'),
    execute_every_ms: numberOf(config, 'execute_every_ms'),
    streams: textsOf(config.streams),
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
