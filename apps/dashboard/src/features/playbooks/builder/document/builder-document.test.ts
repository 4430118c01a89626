import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findCircle } from './action-graph.ts';
import { type BuilderAction, type BuilderDefinition, dependenciesOf, emptyDefinition } from './builder-action.ts';
import { type BuilderDocument, type Change, changeDocument, openDocument } from './builder-document.ts';

const step = (id: string, fields: Partial<BuilderAction> = {}): BuilderAction => ({
  id,
  kind: 'action',
  action: 'x.y',
  input: {},
  ...fields,
});
const withActions = (...actions: BuilderAction[]): BuilderDefinition => ({ ...emptyDefinition('Test'), actions });
const after = (definition: BuilderDefinition, ...changes: Change[]) =>
  changes.reduce(changeDocument, openDocument(definition));
const edges = ({ definition }: BuilderDocument) =>
  definition.actions.flatMap((action) => dependenciesOf(action).map((from) => `${from}>${action.id}`));
const chain = withActions(step('a'), step('b', { depends_on: ['a'] }), step('c', { depends_on: ['b'] }));

describe('renaming an action', () => {
  test('rewrites what waits for it and every expression that names it, and nothing that only looks like it', () => {
    const definition = {
      ...withActions(
        step('lookup'),
        step('block', {
          depends_on: ['lookup'],
          when: "actions.lookup.output.score > 5 && actions['lookup'].status == 'success' && 'actions.lookup' != ''",
          for_each: 'actions.lookup.output.list',
          input: {
            text: "Score {{ actions.lookup.output.score }} of actions.lookup, {{ 'actions.lookup' }}",
            deep: [{ other: '{{ actions.lookup_2.output }}', own: '{{ my.actions.lookup }}' }],
          },
        }),
      ),
      outputs: { score: '{{ actions["lookup"].output.score }}' },
    };
    const renamed = after(definition, { type: 'rename', id: 'lookup', to: 'reputation' });
    expect(renamed.definition.actions[1]).toEqual({
      ...definition.actions[1],
      depends_on: ['reputation'],
      when: "actions.reputation.output.score > 5 && actions['reputation'].status == 'success' && 'actions.lookup' != ''",
      for_each: 'actions.reputation.output.list',
      input: {
        text: "Score {{ actions.reputation.output.score }} of actions.lookup, {{ 'actions.lookup' }}",
        deep: [{ other: '{{ actions.lookup_2.output }}', own: '{{ my.actions.lookup }}' }],
      },
    });
    expect(renamed.definition.outputs).toEqual({ score: '{{ actions["reputation"].output.score }}' });
    expect(renamed.selection).toEqual(['reputation']);
  });

  test('an input is followed like a step, its place in the schema kept', () => {
    const definition = {
      ...withActions(
        step('a', { when: "inputs.ip != ''", input: { of: '{{ inputs.ip }} {{ inputs.ip_2 }} inputs.ip' } }),
      ),
      inputs: { type: 'object', properties: { ip: { type: 'string' }, other: {} }, required: ['ip'] },
      outputs: { all: '{{ [inputs["ip"], actions.inputs.ip] }}' },
    };
    const { definition: renamed } = after(definition, { type: 'rename-input', from: 'ip', to: 'address' });
    expect(Object.keys(renamed.inputs.properties as object)).toEqual(['address', 'other']);
    expect(renamed.inputs.required).toEqual(['address']);
    expect(renamed.actions[0]).toMatchObject({
      when: "inputs.address != ''",
      input: { of: '{{ inputs.address }} {{ inputs.ip_2 }} inputs.ip' },
    });
    expect(renamed.outputs).toEqual({ all: '{{ [inputs["address"], actions.inputs.ip] }}' });
    expect(after(definition, { type: 'rename-input', from: 'ip', to: 'other' }).definition).toBe(definition);
  });

  test('to a name that is taken changes nothing', () => {
    expect(after(chain, { type: 'rename', id: 'a', to: 'b' }).definition).toBe(chain);
  });
});

describe('the graph', () => {
  test('is healed where an action is taken out: what waited for it waits for what it waited for', () => {
    expect(edges(after(chain, { type: 'delete', ids: ['b'] }))).toEqual(['a>c']);
    expect(edges(after(chain, { type: 'delete', ids: ['a', 'b'] }))).toEqual([]);
  });

  test('takes no circle', () => {
    expect(after(chain, { type: 'connect', from: 'c', to: 'a' }).definition).toBe(chain);
    expect(after(chain, { type: 'connect', from: 'a', to: 'a' }).definition).toBe(chain);
    expect(edges(after(chain, { type: 'connect', from: 'a', to: 'c' }))).toEqual(['a>b', 'b>c', 'a>c']);
  });

  test('takes a new action in between two others', () => {
    const between = after(chain, { type: 'add', action: step('b'), after: ['a'], before: ['b'] });
    expect(edges(between)).toEqual(['a>b_2', 'b_2>b', 'b>c']);
    expect(between.selection).toEqual(['b_2']);
  });

  test('keeps what waits for what among copies', () => {
    const definition = withActions(
      step('a'),
      step('b', { depends_on: ['a'], input: { of: '{{ actions.a.output }}' } }),
      step('a_2'),
    );
    const copied = after(definition, { type: 'duplicate', ids: ['a', 'b'] });
    expect(copied.selection).toEqual(['a_3', 'b_2']);
    expect(copied.definition.actions.find(({ id }) => id === 'b_2')).toMatchObject({
      depends_on: ['a_3'],
      input: { of: '{{ actions.a_3.output }}' },
    });
    expect(edges(copied)).toContain('a>b');
  });

  test('more than a playbook may have are not added, not one and not many at once', () => {
    const steps = (count: number) => withActions(...Array.from({ length: count }, (_, n) => step(`s${n}`)));
    const few = openDocument(steps(198));
    expect(changeDocument(few, { type: 'duplicate', ids: ['s0', 's1', 's2'] })).toBe(few);
    const copied = changeDocument(few, { type: 'duplicate', ids: ['s0', 's1', 'gone'] });
    expect(copied.definition.actions).toHaveLength(200);
    expect(changeDocument(copied, { type: 'add', action: step('b'), after: [] })).toBe(copied);
    expect(after(steps(199), { type: 'add', action: step('b'), after: [] }).definition.actions).toHaveLength(200);
  });

  test('an action moves in the text without changing when it runs', () => {
    const moved = after(chain, { type: 'move', id: 'c', by: -2 });
    expect(moved.definition.actions.map(({ id }) => id)).toEqual(['c', 'a', 'b']);
    expect(edges(moved).toSorted()).toEqual(['a>b', 'b>c']);
  });
});

describe('steps back', () => {
  const type = (text: string): Change => ({ type: 'change', id: 'a', fields: { when: text }, typing: 'a.when' });

  test('what is typed in one field is one step, until something else happens', () => {
    const typed = after(chain, type('1'), type('12'), { type: 'pause' }, type('123'));
    expect(typed.past).toHaveLength(2);
    expect(changeDocument(typed, { type: 'undo' }).definition.actions[0]?.when).toBe('12');
  });

  test('a change that changes nothing is no step', () => {
    expect(after(chain, { type: 'change', id: 'gone', fields: { when: '1' } }).past).toEqual([]);
    expect(after(chain, { type: 'settings', fields: { outputs: {} } }).past).toEqual([]);
  });

  test('a new change takes away what could have been done again', () => {
    const undone = after(chain, { type: 'delete', ids: ['a'] }, { type: 'undo' }, { type: 'delete', ids: ['b'] });
    expect(undone.future).toEqual([]);
  });
});

const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    type: fc.constant('add' as const),
    action: ids.map((id) => step(id)),
    after: fc.array(ids, { maxLength: 2 }),
  }),
  fc.record({
    type: fc.constant('change' as const),
    id: ids,
    fields: fc.record({ when: fc.string({ maxLength: 3 }) }),
  }),
  fc.record({ type: fc.constant('rename' as const), id: ids, to: ids }),
  fc.record({ type: fc.constant('delete' as const), ids: fc.array(ids, { maxLength: 3 }) }),
  fc.record({ type: fc.constant('duplicate' as const), ids: fc.array(ids, { maxLength: 3 }) }),
  fc.record({ type: fc.constant('move' as const), id: ids, by: fc.integer({ min: -3, max: 3 }) }),
  fc.record({ type: fc.constant('connect' as const), from: ids, to: ids }),
  fc.record({ type: fc.constant('disconnect' as const), from: ids, to: ids }),
  fc.record({ type: fc.constant('select' as const), ids: fc.array(ids, { maxLength: 3 }) }),
);

describe('whatever is done', () => {
  test('everything can be taken back and done again', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const done = after(chain, ...changes);
        const back = done.past.reduce((document) => changeDocument(document, { type: 'undo' }), done);
        expect(back.definition).toEqual(chain);
        const again = back.future.reduce((document) => changeDocument(document, { type: 'redo' }), back);
        expect(again.definition).toEqual(done.definition);
        expect(again.past).toEqual(done.past);
      }),
    );
  });

  test('ids stay different, nobody waits for nobody or in a circle, and only what is there is selected', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const { definition, selection } = after(chain, ...changes);
        const there = definition.actions.map(({ id }) => id);
        expect(new Set(there).size).toBe(there.length);
        expect(findCircle(definition.actions)).toBeUndefined();
        for (const action of definition.actions) {
          for (const id of dependenciesOf(action)) expect(there).toContain(id);
        }
        for (const id of selection) expect(there).toContain(id);
      }),
    );
  });
});
