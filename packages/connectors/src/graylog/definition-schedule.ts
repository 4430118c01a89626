import type { ActionContext } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { definitionPath, isEnabled, readDefinition, readDefinitionTitled } from './event-definitions.ts';
import { GRAYLOG, graylogClient } from './graylog-client.ts';
import { inputTitle, titleInput } from './titled-lists.ts';

export const scheduleInput: JsonObject = { event_definition_title: titleInput('Event definition') };

export const scheduleOutput: JsonObject = {
  event_definition_id: { type: 'string' },
  enabled: { type: 'boolean' },
  changed: { type: 'boolean', description: 'False when it was so already.' },
};

/**
 * By the calls made for it: writing a definition back would do more than was asked for. Throws `VENDOR_REJECTED` when it is
 * as before: of its own definitions the server ignores such a call and answers as if it had done it.
 */
export async function setEnabled(context: ActionContext, enabled: boolean): Promise<JsonObject> {
  const definition = await readDefinitionTitled(context, inputTitle(context, 'event_definition_title'));
  const facts = { event_definition_id: definition.id, enabled };
  if ((await isEnabled(context, definition)) === enabled) return { ...facts, changed: false };
  const path = definitionPath(definition.id, enabled ? 'schedule' : 'unschedule');
  await graylogClient.call(context, { method: 'PUT', path, idempotent: true });
  const after = await readDefinition(context, definition.id);
  if ((await isEnabled(context, after)) === enabled) return { ...facts, changed: true };
  const verb = enabled ? 'enable' : 'disable';
  throw new VendorError(
    'VENDOR_REJECTED',
    `${GRAYLOG} did not ${verb} the event definition, although it took the call. Some of its own cannot be switched.`,
  );
}
