import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { textOf } from '../answer-fields.ts';
import { definitionFacts, definitionOutput, notificationIds } from './event-definitions.ts';
import { graylogAction, nullableText } from './graylog-action.ts';
import { listTitled, titledLists } from './titled-lists.ts';

const notificationOutput: JsonObject = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    title: { ...nullableText, description: 'Null when it is gone or may not be read.' },
  },
};

export const getEventDefinitions = graylogAction({
  verb: 'get_event_definitions',
  friendly_name: 'Get event definitions',
  description: 'Lists all event definitions, with their state and notifications.',
  effect: 'reads',
  idempotent: true,
  input: {},
  output: {
    events: {
      type: 'array',
      items: {
        type: 'object',
        properties: { ...definitionOutput, notifications: { type: 'array', items: notificationOutput } },
      },
    },
    total: { type: 'integer' },
  },
  timeout_s: 60,

  async run(context) {
    const [definitions, titles] = await Promise.all([
      listTitled(context, titledLists.definitions),
      notificationTitles(context),
    ]);
    const events = definitions.map((definition) => ({
      ...definitionFacts(definition),
      notifications: notificationIds(definition).map((id) => ({ id, title: titles.get(id) ?? null })),
    }));
    return { events, total: events.length };
  },
});

/** Nice to know: none where these credentials may not read notifications. */
async function notificationTitles(context: ConnectorContext): Promise<ReadonlyMap<string | null, string | null>> {
  try {
    const found = await listTitled(context, titledLists.notifications);
    return new Map(found.map((one) => [textOf(one, 'id'), textOf(one, 'title')]));
  } catch (error) {
    if (error instanceof VendorError && error.code === 'VENDOR_PERMISSION_MISSING') return new Map();
    throw error;
  }
}
