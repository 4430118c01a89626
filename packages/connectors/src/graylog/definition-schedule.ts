import type { ActionContext } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { definitionPath, isEnabled, readDefinitionTitled } from './event-definitions.ts';
import { graylogClient } from './graylog-client.ts';
import { inputTitle, titleInput } from './titled-lists.ts';

export const scheduleInput: JsonObject = { event_definition_title: titleInput('Event definition') };

export const scheduleOutput: JsonObject = {
  event_definition_id: { type: 'string' },
  enabled: { type: 'boolean' },
  changed: { type: 'boolean', description: 'False when it was so already.' },
};

/** By the calls made for it: writing a definition back would do more than was asked for. */
export async function setEnabled(context: ActionContext, enabled: boolean): Promise<JsonObject> {
  const definition = await readDefinitionTitled(context, inputTitle(context, 'event_definition_title'));
  const facts = { event_definition_id: definition.id, enabled };
  if ((await isEnabled(context, definition)) === enabled) return { ...facts, changed: false };
  const path = definitionPath(definition.id, enabled ? 'schedule' : 'unschedule');
  await graylogClient.call(context, { method: 'PUT', path, idempotent: true });
  return { ...facts, changed: true };
}
