import { expect, test } from 'vitest';
import { action } from '../builder-fixtures.ts';
import { type BuilderAction, type BuilderDefinition, emptyDefinition, readDefinition } from './builder-action.ts';
import { localProblems } from './local-problems.ts';
import { mergedProblems, placeProblems } from './problem-places.ts';

const catalogue = new Map([['fortigate.block_address', action('fortigate.block_address')]]);
const definitionOf = (...actions: BuilderAction[]): BuilderDefinition => ({ ...emptyDefinition('Test'), actions });
const found = (...actions: BuilderAction[]) =>
  localProblems(definitionOf(...actions), catalogue).map(({ actionId, field }) => `${actionId} ${field}`);
const block = (fields: object = {}): BuilderAction => ({
  id: 'block',
  kind: 'action',
  action: 'fortigate.block_address',
  input: { address: '{{ inputs.ip }}' },
  ...fields,
});

test.each<[string, BuilderAction, string[]]>([
  ['nothing', block(), []],
  ['a field that is needed', block({ input: {} }), ['block input.address']],
  ['an id that is none', block({ id: 'Block it' }), ['Block it id']],
  ['an action nobody knows', block({ action: 'x.y' }), ['block action']],
  ['a step that is not there', block({ when: 'actions.gone.status == "x"' }), ['block when']],
  ['one to run after that is not there', block({ depends_on: ['gone'] }), ['block depends_on']],
  ['a question without words', { id: 'ask', kind: 'prompt', options: [{ value: 'a', label: 'A' }] }, ['ask message']],
  ['a wait without an end', { id: 'wait', kind: 'delay' }, ['wait seconds']],
  ['no playbook', { id: 'sub', kind: 'playbook' }, ['sub playbook_id']],
])('finds %s', (_, given, problems) => expect(found(given)).toEqual(problems));

test('a step that reads from one it does not run after is told so', () => {
  const reading = block({ id: 'second', input: { address: '{{ actions.block.output.x }}' } });
  expect(found(block(), reading)).toEqual(['second input.address']);
  expect(found(block(), { ...reading, depends_on: ['block'] })).toEqual([]);
});

test('a circle is found, however it came in', () => {
  expect(found(block({ id: 'a', depends_on: ['b'] }), block({ id: 'b', depends_on: ['a'] }))).toContain('a depends_on');
});

test('problems of the server stand where it found them, also after the steps were moved', () => {
  const definition = definitionOf(block({ id: 'first' }), block());
  const problem = (path: string, action_id: string | null) => ({ path, action_id, code: 'X', message: 'No.' });
  expect(
    placeProblems(
      [problem('actions[0].input.address', 'block'), problem('actions.0.when', null), problem('outputs.x', null)],
      definition,
    ).map(({ actionId, field }) => [actionId, field]),
  ).toEqual([
    ['block', 'input.address'],
    ['first', 'when'],
    [undefined, 'outputs.x'],
  ]);
});

test('what both saw is said once, in our words', () => {
  const one = { actionId: 'a', field: 'id', message: 'Ours.' };
  expect(
    mergedProblems(
      [one],
      [
        { ...one, message: 'Theirs.' },
        { ...one, field: 'when' },
      ],
    ),
  ).toEqual([one, { ...one, field: 'when' }]);
});

test('actions without an id of their own get one, and that is said', () => {
  const { definition, repairs } = readDefinition({
    ...emptyDefinition('Test'),
    actions: [{ kind: 'delay' }, { id: 'a', kind: 'delay' }, { id: 'a', kind: 'jump' }],
  });
  expect(definition.actions.map(({ id, kind }) => `${id} ${kind}`)).toEqual(['step delay', 'a delay', 'a_2 action']);
  expect(repairs).toHaveLength(3);
});
