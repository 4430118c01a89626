import { describe, expect, it } from 'vitest';
import { type ActionNode, compileDefinition, type Definition } from './definition.ts';
import { failure } from './errors.ts';
import type { Decision, PlannedList, PlannedRun, PlannedStep } from './plan-draft.ts';
import { plan } from './planner.ts';
import { testEvaluator } from './testing/test-evaluator.ts';

const run: PlannedRun = {
  id: 'run',
  tenantId: 'tenant',
  createdAt: new Date(0),
  inputs: { ip: '192.0.2.1', list: [1, 2] },
  trigger: { type: 'manual' },
  error: null,
  cancelRequested: false,
};

const action = (id: string, more: Partial<ActionNode> = {}): ActionNode =>
  ({ id, kind: 'action', action: 'read', ...more }) as ActionNode;
const ended = (status: PlannedStep['status'], output: unknown = null): PlannedStep => ({
  status,
  output,
  error: status === 'error' ? failure('BROKEN', 'broken') : null,
});

function planned(
  actions: ActionNode[],
  steps: Record<string, PlannedStep> = {},
  more: {
    run?: Partial<PlannedRun>;
    definition?: Partial<Definition>;
    lists?: Record<string, PlannedList>;
    unread?: string[];
  } = {},
): Decision[] {
  const compiled = compileDefinition({ actions, ...more.definition }, {});
  return plan({
    compiled,
    run: { ...run, ...more.run },
    steps: new Map(Object.entries(steps)),
    unread: new Set(more.unread),
    evaluator: testEvaluator,
    lists: new Map(Object.entries(more.lists ?? {})),
    reusableItems: new Map(),
    unreadItems: new Set(),
    maxInputBytes: 1_000,
    maxOutputBytes: 1_000,
  });
}

/** One word per decision: what and on which action. */
function words(decisions: Decision[]): string[] {
  return decisions.map((decision) => {
    if (decision.type === 'finish')
      return `finish ${decision.status}${decision.error ? ` ${decision.error.code}` : ''}`;
    if (decision.type === 'doom') return `doom ${decision.error.actionId}`;
    const detail = 'reason' in decision && decision.reason ? ` ${decision.reason}` : '';
    return `${decision.type} ${decision.node.id}${detail}`;
  });
}

describe('an output that was not loaded', () => {
  const actions = [
    action('look'),
    action('act', {
      depends_on: ['look'],
      when: 'actions.look.output.bad',
      input: { by: '{{ actions.look.output }}' },
    }),
  ];
  const steps = { look: ended('success') };

  it('stops the plan where an expression reads it, naming it', () => {
    expect(() => planned(actions, steps, { unread: ['look'] })).toThrow(
      expect.objectContaining({ actionIds: ['look'] }),
    );
    const outputs = { seen: '{{ actions.look.output }}' };
    expect(() => planned(actions.slice(0, 1), steps, { unread: ['look'], definition: { outputs } })).toThrow(
      expect.objectContaining({ actionIds: ['look'] }),
    );
  });

  it('does not where none does', () => {
    const blind = [action('look'), action('act', { depends_on: ['look'], when: "actions.look.status == 'success'" })];
    expect(words(planned(blind, steps, { unread: ['look'] }))).toEqual(['call act']);
  });

  it('is not asked for while there is no room to begin', () => {
    const waiting = { ...steps, other: ended('running') };
    const limited = { definition: { exec_options: { max_concurrent_actions: 1 } }, unread: ['look'] };
    const others = [
      action('look'),
      action('other'),
      action('act', { depends_on: ['look'], input: '{{ actions.look.output }}' }),
    ];
    expect(words(planned(others, waiting, limited))).toEqual([]);
  });
});

describe('starting', () => {
  it('starts every action without dependencies, in order, up to the limit', () => {
    const actions = ['a', 'b', 'c'].map((id) => action(id));
    expect(words(planned(actions))).toEqual(['call a', 'call b', 'call c']);
    const limited = { definition: { exec_options: { max_concurrent_actions: 2 } } };
    expect(words(planned(actions, {}, limited))).toEqual(['call a', 'call b']);
    expect(words(planned(actions, { a: ended('success'), b: ended('running') }, limited))).toEqual(['call c']);
  });

  it('does not count waiting prompts and delays as running actions', () => {
    const actions = [action('a'), action('b')];
    const prompt = { id: 'p', kind: 'prompt', message: 'Go?', options: [{ value: 'y', label: 'Yes' }] } as ActionNode;
    const limited = { definition: { exec_options: { max_concurrent_actions: 1 } } };
    expect(words(planned([prompt, ...actions], {}, limited))).toEqual(['ask p', 'call a']);
  });

  it('waits until all dependencies are settled', () => {
    const actions = [action('a'), action('b'), action('join', { depends_on: ['a', 'b'] })];
    expect(words(planned(actions, { a: ended('success'), b: ended('running') }))).toEqual([]);
    expect(words(planned(actions, { a: ended('success'), b: ended('success') }))).toEqual(['call join']);
  });

  it('waits for what lies behind a dependency that was taken over: it may read that too', () => {
    const actions = [
      action('enrich', { on_error: 'continue' }),
      action('approve', { depends_on: ['enrich'] }),
      action('notify', { depends_on: ['approve'], input: '{{ actions.enrich.output.score }}' }),
    ];
    const taken = { approve: ended('success') };
    expect(words(planned(actions, taken))).toEqual(['call enrich']);
    expect(words(planned(actions, { ...taken, enrich: ended('running') }))).toEqual([]);
    expect(words(planned(actions, { ...taken, enrich: ended('success', { score: 1 }) }))).toEqual(['call notify']);
  });

  it('runs a join of which one branch was skipped and skips one of which all were', () => {
    const actions = [action('a'), action('b'), action('join', { depends_on: ['a', 'b'] })];
    expect(words(planned(actions, { a: ended('cancelled'), b: ended('success') }))).toEqual(['call join']);
    expect(words(planned(actions, { a: ended('cancelled'), b: ended('cancelled') }))).toEqual([
      'skip join dependency',
      'finish success',
    ]);
  });

  it('skips through a whole chain at once when its condition is false', () => {
    const actions = [
      action('c', { depends_on: ['b'] }),
      action('b', { depends_on: ['a'] }),
      action('a', { when: "inputs.ip == 'x'" }),
    ];
    expect(words(planned(actions))).toEqual([
      'skip a condition',
      'skip b dependency',
      'skip c dependency',
      'finish success',
    ]);
  });

  it('renders inputs typed and as text, and never evaluates data again', () => {
    const input = { list: '{{ inputs.list }}', text: 'ip={{ inputs.ip }}', again: '{{ actions.a.output.evil }}' };
    const actions = [action('a'), action('b', { depends_on: ['a'], input })];
    const [decision] = planned(actions, { a: ended('success', { evil: '{{ inputs.ip }}' }) });
    expect(decision).toMatchObject({ input: { list: [1, 2], text: 'ip=192.0.2.1', again: '{{ inputs.ip }}' } });
  });
});

describe('failing', () => {
  it('starts nothing more, lets running ones finish, then ends naming the action', () => {
    const actions = [action('a'), action('b'), action('c'), action('d', { depends_on: ['a'] })];
    const steps = { a: ended('error'), b: ended('running'), c: ended('pending') };
    expect(words(planned(actions, steps))).toEqual(['doom a', 'close c run_failed', 'skip d run_failed']);
    const after = { a: ended('error'), b: ended('success'), c: ended('cancelled'), d: ended('cancelled') };
    const error = { ...failure('BROKEN', 'Action "a" failed: broken'), actionId: 'a' };
    expect(planned(actions, after, { run: { error } })).toEqual([
      { type: 'finish', status: 'error', outputs: null, error },
    ]);
  });

  it('goes on after a failure with on_error continue', () => {
    const actions = [action('a', { on_error: 'continue' }), action('b', { depends_on: ['a'] })];
    expect(words(planned(actions, { a: ended('error') }))).toEqual(['call b']);
  });

  it('fails the action whose condition or input cannot be evaluated, and starts nothing beside it', () => {
    for (const broken of [{ when: 'inputs.nothing' }, { when: 'inputs.ip' }, { input: '{{ inputs.nothing.deep }}' }]) {
      expect(words(planned([action('ok'), action('bad', broken), action('later')]))).toEqual([
        'reject bad',
        'doom bad',
        'skip ok run_failed',
        'skip later run_failed',
        'finish error EXPRESSION_FAILED',
      ]);
    }
  });

  it('refuses an input that grows beyond the limit', () => {
    const big = { run: { inputs: { big: 'x'.repeat(2_000) } } };
    const decisions = planned([action('a', { input: '{{ inputs.big }}' })], {}, big);
    expect(words(decisions)).toEqual(['reject a', 'doom a', 'finish error INPUT_TOO_LARGE']);
  });

  it('ends with an error when the outputs cannot be rendered', () => {
    const outputs = { definition: { outputs: { x: '{{ actions.a.output.missing }}' } } };
    const decisions = planned([action('a')], { a: ended('success', {}) }, outputs);
    expect(words(decisions)).toEqual(['finish error EXPRESSION_FAILED']);
  });
});

describe('an action for each item of a list', () => {
  const each = action('e', { for_each: 'inputs.list', input: { value: '{{ item }}', at: '{{ index }}' } });
  const open = { e: ended('running') };
  const items = (...statuses: string[]): PlannedList => ({
    items: statuses.map((status, index) => ({
      ...ended(
        status === 'queued' ? 'pending' : (status as PlannedStep['status']),
        status === 'success' ? index : null,
      ),
      queued: status === 'queued',
    })),
    outputs: 'known',
  });
  const limit = { definition: { exec_options: { max_concurrent_actions: 1 } } };

  it('renders every input at once and lets as many items begin as there is room for', () => {
    const [list, take] = planned([each], {}, limit);
    expect(list).toMatchObject({
      type: 'list',
      items: [
        { input: { value: 1, at: 0 }, error: null },
        { input: { value: 2, at: 1 }, error: null },
      ],
    });
    expect(take).toMatchObject({ type: 'take', iterations: [0] });
    const written = action('e', { for_each: '{{ inputs.list }}' });
    expect(words(planned([written], {}, limit))).toEqual(['list e', 'take e']);
  });

  it('shares the limit with other actions', () => {
    const two = { definition: { exec_options: { max_concurrent_actions: 2 } } };
    const [, , take] = planned([action('a'), each], {}, two);
    expect(take).toMatchObject({ type: 'take', iterations: [0] });
    const later = planned(
      [action('a'), each],
      { a: ended('running'), ...open },
      { ...two, lists: { e: items('success', 'queued') } },
    );
    expect(later).toMatchObject([{ type: 'take', iterations: [1] }]);
  });

  it('gives the outputs in order when all have succeeded', () => {
    const actions = [each, action('after', { depends_on: ['e'], input: '{{ actions.e.output }}' })];
    const decisions = planned(actions, open, { lists: { e: items('success', 'success') } });
    expect(decisions).toMatchObject([
      { type: 'collect', status: 'success', output: [0, 1] },
      { type: 'call', input: [0, 1] },
    ]);
  });

  it('is a success with nothing when the list is empty', () => {
    const decisions = planned([action('e', { for_each: 'inputs.none' })], {}, { run: { inputs: { none: [] } } });
    expect(words(decisions)).toEqual(['list e', 'collect e', 'finish success']);
    expect(decisions[1]).toMatchObject({ output: [] });
  });

  it('asks its condition once, before the list', () => {
    expect(words(planned([action('e', { for_each: 'inputs.nothing', when: "inputs.ip == 'x'" })]))).toEqual([
      'skip e condition',
      'finish success',
    ]);
  });

  it.each([
    ['inputs.ip', 'FOR_EACH_NOT_A_LIST'],
    ['inputs.many', 'FOR_EACH_TOO_LONG'],
    ['inputs.nothing', 'EXPRESSION_FAILED'],
  ])('fails before it begins with for_each %s', (for_each, code) => {
    const inputs = { ip: 'x', many: Array.from({ length: 1_001 }, () => 0) };
    const decisions = planned([action('e', { for_each })], {}, { run: { inputs } });
    expect(words(decisions)).toEqual(['reject e', 'doom e', `finish error ${code}`]);
  });

  it('begins no further item after the first failure, and fails with it', () => {
    const failing = planned([each], open, { lists: { e: items('success', 'error', 'running', 'pending', 'queued') } });
    expect(words(failing)).toEqual(['doom e', 'drop e run_failed']);
    expect(failing[1]).toMatchObject({ iterations: [3, 4] });
    const error = failure('BROKEN', 'broken');
    const ending = planned([each], open, {
      run: { error },
      lists: { e: items('success', 'error', 'success', 'cancelled') },
    });
    expect(words(ending)).toEqual(['collect e', 'finish error BROKEN']);
    expect(ending[0]).toMatchObject({ status: 'error', error: { code: 'BROKEN' } });
  });

  it('goes through the whole list with on_error continue and leaves null where an item failed', () => {
    const on = action('e', { ...each, on_error: 'continue', input: '{{ item.x }}' });
    const inputs = { list: [{ x: 1 }, 7] };
    expect(planned([on], {}, { run: { inputs } })[0]).toMatchObject({
      items: [{ input: 1 }, { error: { code: 'EXPRESSION_FAILED', details: { iteration: 1 } } }],
    });
    expect(planned([on], open, { lists: { e: items('success', 'error') } })[0]).toMatchObject({
      status: 'success',
      output: [0, null],
    });
    const plain = planned([action('e', { ...each, input: '{{ item.x }}' })], {}, { run: { inputs } });
    expect(words(plain)).toEqual(['reject e', 'doom e', 'finish error EXPRESSION_FAILED']);
  });

  it('drops what has not begun when the run is cancelled', () => {
    const cancelled = { run: { cancelRequested: true }, lists: { e: items('success', 'running', 'queued') } };
    expect(words(planned([each], open, cancelled))).toEqual(['drop e run_cancelled']);
    const after = { run: { cancelRequested: true }, lists: { e: items('success', 'cancelled', 'cancelled') } };
    expect(words(planned([each], open, after))).toEqual(['collect e run_cancelled', 'finish cancelled']);
  });

  it('fails when its outputs together are too large, and never guesses outputs it does not have', () => {
    const too = planned([each], open, { lists: { e: { ...items('success'), outputs: 'too_large' } } });
    expect(words(too)).toEqual(['collect e', 'doom e', 'finish error OUTPUT_TOO_LARGE']);
    const unknown = { lists: { e: { ...items('success'), outputs: 'unknown' as const } } };
    expect(() => planned([each], open, unknown)).toThrow('not loaded');
  });
});

describe('an action that starts another run', () => {
  const node = { id: 'p', kind: 'playbook', playbook_id: 'x', inputs: { ip: '{{ inputs.ip }}' } } as ActionNode;

  it('is given rendered inputs and counts as an action under way', () => {
    const limit = { definition: { exec_options: { max_concurrent_actions: 1 } } };
    const decisions = planned([node, action('a')], {}, limit);
    expect(decisions).toMatchObject([{ type: 'run', inputs: { ip: '192.0.2.1' } }]);
  });

  it('is not given up while the run it started goes on', () => {
    const cancelled = { run: { cancelRequested: true } };
    expect(words(planned([node], { p: ended('running') }, cancelled))).toEqual([]);
  });
});

describe('cancelling', () => {
  it('gives up what has not begun and waits for what runs', () => {
    const actions = [action('a'), action('b'), action('c', { depends_on: ['a'] })];
    const cancelled = { run: { cancelRequested: true } };
    const steps = { a: ended('running'), b: ended('waiting') };
    expect(words(planned(actions, steps, cancelled))).toEqual(['close b run_cancelled', 'skip c run_cancelled']);
    const after = { a: ended('error'), b: ended('cancelled'), c: ended('cancelled') };
    expect(words(planned(actions, after, cancelled))).toEqual(['finish cancelled']);
  });

  it('leaves a run that had failed before an error', () => {
    const both = { run: { cancelRequested: true, error: failure('BROKEN', 'first') } };
    expect(words(planned([action('a')], { a: ended('cancelled') }, both))).toEqual(['finish error BROKEN']);
  });
});
