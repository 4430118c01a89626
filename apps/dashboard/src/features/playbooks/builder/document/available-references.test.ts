import type { ActionDefinition } from '@airdeck/contracts/actions/schema';
import { describe, expect, test } from 'vitest';
import { insertReference } from '../../../../components/expression/insert-reference.ts';
import { matchingReferences } from '../../../../components/expression/references.ts';
import { availableReferences } from './available-references.ts';
import { type BuilderDefinition, emptyDefinition } from './builder-action.ts';

const lookup: ActionDefinition = {
  action_id: 'x.lookup',
  definition_id: 'x',
  friendly_name: 'Look up',
  description: '',
  vendor: 'X',
  product: 'X',
  input_schema: {},
  output_schema: {
    type: 'object',
    properties: {
      score: { type: 'integer', description: 'How bad it is' },
      hits: { type: 'array', items: { type: 'object', properties: { source: { type: 'string' } } } },
      'odd-name': { type: 'boolean' },
    },
  },
  effect: 'reads',
  requires_connector: true,
  timeout_s: 30,
};
const known = { actions: new Map([['x.lookup', lookup]]), playbooks: new Map() };
const definition: BuilderDefinition = {
  ...emptyDefinition('Test'),
  inputs: { type: 'object', properties: { ip: { type: 'string', title: 'Address' } } },
  actions: [
    { id: 'lookup', kind: 'action', action: 'x.lookup' },
    { id: 'aside', kind: 'action', action: 'x.lookup' },
    { id: 'ask', kind: 'prompt', depends_on: ['lookup'], options: [{ value: 'block' }, { value: 'leave' }] },
    {
      id: 'act',
      kind: 'action',
      action: 'x.lookup',
      depends_on: ['ask'],
      for_each: '{{ actions.lookup.output.hits }}',
    },
  ],
};
const expressions = (id: string | undefined) =>
  availableReferences(definition, id, known).flatMap(({ references }) =>
    references.map(({ expression }) => expression),
  );

describe('what can be referred to', () => {
  test('is what is over by then, nearest first, and not what runs beside', () => {
    const groups = availableReferences(definition, 'act', known).map(({ title }) => title);
    expect(groups).toEqual(['Each item', 'Inputs', 'Ask', 'Lookup', 'This run']);
    expect(expressions('lookup').filter((each) => each.startsWith('actions'))).toEqual([]);
  });

  test('comes from the schema of what an action answers, lists and odd names included', () => {
    expect(expressions('ask')).toEqual(
      expect.arrayContaining([
        'inputs.ip',
        'actions.lookup.output.score',
        'actions.lookup.output.hits',
        'actions.lookup.output.hits[0].source',
        'actions.lookup.output["odd-name"]',
        'actions.lookup.status',
      ]),
    );
  });

  test('holds the item where it runs once for each, with the fields the list is known to have', () => {
    expect(expressions('act')).toEqual(
      expect.arrayContaining(['item', 'item.source', 'index', 'actions.ask.output.option']),
    );
    expect(expressions('ask')).not.toContain('item');
  });

  test('is all there is of the run and of what started it', () => {
    const own = [
      'trigger.trigger_type',
      'trigger.username',
      'trigger.case_id',
      'run.id',
      'run.tenant',
      'run.started_at',
    ];
    for (const id of [undefined, 'lookup']) {
      expect(expressions(id).filter((each) => /^(run|trigger)\./.test(each))).toEqual(own);
    }
  });

  test('of an action that runs for each item is a list', () => {
    expect(expressions(undefined)).toContain('actions.act.output[0].score');
  });

  test('is found by any of its words', () => {
    const found = matchingReferences(availableReferences(definition, 'act', known), 'lookup bad');
    expect(found).toEqual([
      {
        title: 'Lookup',
        references: [{ expression: 'actions.lookup.output.score', about: 'How bad it is', type: 'whole number' }],
      },
    ]);
  });
});

describe('a reference put in', () => {
  const put = (text: string, bare = false) => {
    const at = text.indexOf('|');
    const { text: done, cursor } = insertReference('inputs.ip', {
      text: text.replace('|', ''),
      from: at,
      to: at,
      bare,
    });
    return `${done.slice(0, cursor)}|${done.slice(cursor)}`;
  };

  test.each([
    ['|', '{{ inputs.ip }}|'],
    ['Block | now', 'Block {{ inputs.ip }}| now'],
    ['{{ | }}', '{{ inputs.ip| }}'],
    ['{{ a }} and |', '{{ a }} and {{ inputs.ip }}|'],
    ['{{ size(|', '{{ size(inputs.ip|'],
  ])('%j becomes %j', (before, after) => expect(put(before)).toBe(after));

  test('in a condition stands without braces', () => expect(put("| != ''", true)).toBe("inputs.ip| != ''"));
});
