import { describe, expect, it } from 'vitest';
import { type ActionNode, compileDefinition } from './definition.ts';
import { outputsIn, readsOf } from './output-reads.ts';

describe('the outputs an expression reads', () => {
  it.each<[string, readonly string[] | 'any']>([
    ['inputs.ip != ""', []],
    ['actions.look.output.score > 1', ['look']],
    ['actions . look\n.output', ['look']],
    [`actions['look'].output + actions["send-it"].output`, ['look', 'send-it']],
    ['has(actions.look.output.x) && actions.other.output == null', ['look', 'other']],
    ['actions.look == null', ['look']],
    // Status and error are always there.
    [`actions.look.status == 'success' && actions.other.error.code != ''`, []],
    [`actions.look['status']`, ['look']],
    ['actions.look.statuses', ['look']],
    // Named by what is only known when it is evaluated.
    ['actions[inputs.which].output', 'any'],
    [`actions['lo' + 'ok'].output`, 'any'],
    [`actions['lo\\x6fk'].output`, 'any'],
    [`actions[r'look'].output`, 'any'],
    [`actions['''look'''].output`, 'any'],
    ['actions.map(id, actions[id].output)', 'any'],
    ['actions.exists(id, one, one.output.found)', 'any'],
    ['actions.?look.output', 'any'],
    ['size(actions) > 1', 'any'],
    ['[actions].map(all, all.look.output)', 'any'],
    ['actions // a remark\n.look.output', 'any'],
    // Where a string or remark begins and ends is not looked at.
    [`// don't\nactions.look.output == 'x'`, ['look']],
    [`"actions.look.output"`, ['look']],
    ['inputs.actions', 'any'],
    ['transactions.look + my_actions.look', []],
  ])('%s', (text, expected) => {
    const reads = outputsIn([text]);
    expect(reads === 'any' ? reads : [...reads]).toEqual(expected);
  });
});

describe('the outputs a definition reads', () => {
  it('are told of each part that is evaluated by itself', () => {
    const actions: ActionNode[] = [
      {
        id: 'a',
        kind: 'action',
        action: 'x',
        input: { 'actions.key': 'all actions', deep: [{ b: 'x {{ actions.w.output }}' }] },
      },
      {
        id: 'b',
        kind: 'action',
        action: 'x',
        when: 'actions.a.output',
        for_each: 'actions.c.output',
        input: '{{ actions.d.output }}',
      },
      { id: 'c', kind: 'prompt', message: 'Take actions on {{ actions.e.output }}?', options: [] },
      { id: 'd', kind: 'playbook', playbook_id: '{{ actions.f.output }}', inputs: { x: '{{ actions.g.output }}' } },
      { id: 'e', kind: 'delay', seconds: 1 },
      { id: 'f', kind: 'action', action: 'x', input: '{{ inputs.ip }} and other actions' },
    ];
    const reads = readsOf(compileDefinition({ actions, outputs: { all: ['{{ actions.h.output }}'] } }, {}));
    const shown = [...reads.nodes].map(([id, { when, values }]) => [id, listed(when), listed(values)]);
    expect(shown).toEqual([
      ['a', [], ['w']],
      ['b', ['a'], ['c', 'd']],
      ['c', [], ['e']],
      ['d', [], ['g']],
      ['e', [], []],
      ['f', [], 'any'],
    ]);
    expect(listed(reads.outputs)).toEqual(['h']);
  });
});

function listed(reads: ReadonlySet<string> | 'any') {
  return reads === 'any' ? reads : [...reads];
}
