import { definitionFacts, definitionOutput } from './event-definitions.ts';
import { graylogAction } from './graylog-action.ts';
import { listTitled, titledLists } from './titled-lists.ts';

export const getEventDefinitions = graylogAction({
  verb: 'get_event_definitions',
  friendly_name: 'Get event definitions',
  description: 'Lists all event definitions, with their state and notifications.',
  effect: 'reads',
  idempotent: true,
  input: {},
  output: {
    event_definitions: { type: 'array', items: { type: 'object', properties: definitionOutput } },
    total: { type: 'integer' },
  },
  timeout_s: 60,

  async run(context) {
    const definitions = await listTitled(context, titledLists.definitions);
    return { event_definitions: definitions.map(definitionFacts), total: definitions.length };
  },
});
