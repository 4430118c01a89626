import { describe, expect, it } from 'vitest';
import type { ActionDefinition, ConnectorDefinition } from './definition.ts';
import { publishedAction } from './definition.ts';
import { createRegistry, RegistryError } from './registry.ts';

const action: ActionDefinition = {
  action_id: 'example.look_up',
  definition_id: 'example',
  friendly_name: 'Look up',
  description: 'Looks something up.',
  vendor: 'Example',
  product: 'Service',
  input_schema: { type: 'object', properties: { ip: { type: 'string' } }, required: ['ip'] },
  output_schema: { type: 'object' },
  effect: 'reads',
  requires_connector: true,
  timeout_s: 30,
  idempotent: true,
  run: async () => ({}),
};

const definition: ConnectorDefinition = {
  definition_id: 'example',
  vendor: 'Example',
  product: 'Service',
  version: '1',
  name: 'Example',
  description: 'An example.',
  visible: true,
  category: 'generic',
  config_schema: { type: 'object', properties: { key: { type: 'string', secret: true } } },
  capabilities: ['test_connection', 'actions'],
  actions: [action],
  testConnection: async () => ({ message: 'ok', metadata: {} }),
};

function problemsOf(...definitions: ConnectorDefinition[]): readonly string[] {
  try {
    createRegistry(definitions);
  } catch (error) {
    if (error instanceof RegistryError) return error.problems;
    throw error;
  }
  return [];
}

describe('the registry at boot', () => {
  it('accepts a definition that keeps its promises', () => {
    const registry = createRegistry([definition]);
    expect(registry.find('example')).toBe(definition);
    expect(registry.findAction('example.look_up')).toBe(action);
    expect(registry.find('toString')).toBeUndefined();
    expect(publishedAction(action)).not.toHaveProperty('run');
    expect(publishedAction(action)).not.toHaveProperty('idempotent');
  });

  it.each<[string, ConnectorDefinition, string]>([
    [
      'a missing implementation',
      { ...definition, capabilities: ['test_connection', 'actions', 'search'] },
      'example: declares search but does not implement it',
    ],
    [
      'an undeclared implementation',
      { ...definition, capabilities: ['actions'] },
      'example: implements test_connection but does not declare it',
    ],
    [
      'a capability named twice',
      { ...definition, capabilities: ['actions', 'actions', 'test_connection'] },
      'example: a capability is declared twice',
    ],
    [
      'events without options',
      {
        ...definition,
        capabilities: [...definition.capabilities, 'fetch_events'],
        fetchEvents: async () => ({ records: [], cursor: {}, hasMore: false }),
      },
      'example: fetch_events needs an event_options_schema',
    ],
    [
      'a foreign action id',
      withAction({ action_id: 'other.look_up' }),
      'other.look_up: the action id must be example.<verb>',
    ],
    [
      'an action id with more parts',
      withAction({ action_id: 'example.look.up' }),
      'example.look.up: the action id must be example.<verb>',
    ],
    ['a foreign definition id', withAction({ definition_id: 'other' }), 'example.look_up: names another definition'],
    [
      'another vendor',
      withAction({ vendor: 'Other' }),
      'example.look_up: vendor and product must be those of its definition',
    ],
    ['no time limit', withAction({ timeout_s: 0 }), 'example.look_up: timeout_s must be above 0, at most 3600'],
    [
      'a reading action that is not idempotent',
      withAction({ idempotent: false }),
      'example.look_up: an action that only reads is idempotent',
    ],
    [
      'a misspelt keyword',
      withAction({ input_schema: { type: 'object', requird: [] } }),
      'example.look_up.input_schema $.requird: unknown keyword',
    ],
    [
      'a name for a value there is not',
      withAction({ input_schema: { type: 'string', enum: ['a', 'b'], value_names: { a: 'One', c: 'Three' } } }),
      'example.look_up.input_schema $.value_names: "c" is not a value of the enum',
    ],
    [
      'a broken pattern',
      withAction({ input_schema: { type: 'string', pattern: '(' } }),
      'example.look_up.input_schema $.pattern: value does not fit the keyword',
    ],
    [
      'a required property that is not there',
      withAction({ input_schema: { type: 'object', properties: {}, required: ['ip'] } }),
      'example.look_up.input_schema $.required: "ip" is not a property',
    ],
    [
      'a type that does not exist',
      withAction({ output_schema: { type: 'objekt' } }),
      'example.look_up.output_schema $.type: value does not fit the keyword',
    ],
    [
      'a secret that is not a text',
      { ...definition, config_schema: { type: 'object', properties: { key: { type: 'object', secret: true } } } },
      'example.config_schema $.properties.key: marks are for top-level strings only',
    ],
    [
      'a secret with a default',
      {
        ...definition,
        config_schema: { type: 'object', properties: { key: { type: 'string', secret: true, default: 'x' } } },
      },
      'example.config_schema $.properties.key: a secret has no default',
    ],
    [
      'a secret that says whose events are fetched',
      {
        ...definition,
        config_schema: { type: 'object', properties: { key: { type: 'string', secret: true, account: true } } },
      },
      'example.config_schema $.properties.key: a secret is not part of an account',
    ],
    [
      'a documentation address that is not https',
      { ...definition, documentation: { url: 'http://docs.example.net' } },
      'example: documentation.url must begin with https://',
    ],
    [
      'a note that is not a sentence',
      { ...definition, unconfirmed: ['limits'] },
      'example: setup, notes and unconfirmed are sentences',
    ],
    ['an empty permission', { ...definition, documentation: { permissions: [' '] } }, 'example: a permission is empty'],
    [
      'a problem found when the action was made',
      withAction({ problems: ['output: odd'] }),
      'example.look_up: output: odd',
    ],
  ])('refuses %s and says where', (_what, broken, problem) => {
    expect(problemsOf(broken)).toEqual([problem]);
  });

  it('refuses ids used twice', () => {
    expect(problemsOf(definition, definition)).toEqual([
      'example: this definition id is used twice',
      'example.look_up: this action id is used twice',
    ]);
  });

  it('lists everything that is wrong, not only the first thing', () => {
    const problems = problemsOf({
      ...definition,
      capabilities: [],
      actions: [{ ...action, timeout_s: -1, vendor: 'Other' }],
    });
    expect(problems).toHaveLength(4);
  });
});

function withAction(changes: Partial<ActionDefinition>): ConnectorDefinition {
  return { ...definition, actions: [{ ...action, ...changes }] };
}
