import { describe, expect, it } from 'vitest';
import { MAX_PROBLEMS, validateDefinition } from './definition-validation.ts';
import { testEvaluator } from './testing/test-evaluator.ts';

const ports = { evaluator: testEvaluator, actionExists: (name: string) => name.startsWith('known.') };
const action = (id: string, more: object = {}) => ({ id, kind: 'action', action: 'known.read', ...more });
const prompt = (more: object = {}) => ({
  id: 'ask',
  kind: 'prompt',
  message: 'Go?',
  options: [{ value: 'yes', label: 'Yes', style: 'danger' }],
  ...more,
});
const problemsOf = (definition: unknown) =>
  validateDefinition(definition, ports).map(({ path, code }) => `${path}: ${code}`);
const withActions = (...actions: object[]) => problemsOf({ inputs: { properties: { ip: {} } }, actions });

describe('a good definition', () => {
  it('has no problems with every field of the grammar in use', () => {
    const definition = {
      metadata: { name: 'x', anything: 1 },
      inputs: { type: 'object', properties: { ip: { type: 'string' }, ips: { type: 'array' } } },
      actions: [
        action('lookup', {
          input: { ip: '{{ item }}', number: '{{ index }}' },
          depends_on: [],
          when: "inputs.ip != ''",
          for_each: 'inputs.ips',
          retry: { max_attempts: 3, backoff_s: 2 },
          timeout_s: 30,
          on_error: 'continue',
          connector_id: null,
        }),
        prompt({ approvers: { role: 'x' }, expires_in_s: 60, default_option: 'yes', depends_on: ['lookup'] }),
        { id: 'pause', kind: 'delay', seconds: 60, depends_on: ['ask'] },
        {
          id: 'verify',
          kind: 'playbook',
          playbook_id: 'known',
          inputs: { ip: '{{ inputs.ip }}' },
          when: "actions.ask.output.option == 'yes'",
          depends_on: ['pause'],
          on_error: 'continue',
          timeout_s: 600,
        },
      ],
      outputs: { done: "{{ actions.ask.output.option == 'yes' }}" },
      exec_options: { max_concurrent_actions: 4, timeout_s: 86_400 },
    };
    expect(validateDefinition(definition, { ...ports, extraFields: ['connector_id'] })).toEqual([]);
  });
});

describe('problems', () => {
  it.each([[null], [7], ['x'], [[]], [{}], [{ actions: [] }], [{ actions: 'x' }]])('refuses %j', (definition) => {
    expect(problemsOf(definition)).not.toEqual([]);
  });

  it('are all reported at once, each with its path', () => {
    expect(
      withActions(
        action('a', { depends_on: ['nowhere'], action: 'unknown.thing' }),
        action('a', { when: '((' }),
        action('b', { input: { deep: [{ x: '{{ inputs.nope }}' }] } }),
      ),
    ).toEqual([
      'actions[1].id: ID_DUPLICATE',
      'actions[0].depends_on[0]: DEPENDENCY_UNKNOWN',
      'actions[0].action: ACTION_UNKNOWN',
      'actions[1].when: EXPRESSION_INVALID',
      'actions[2].input.deep[0].x: REFERENCE_UNKNOWN',
    ]);
  });

  it('name the members of a cycle, also of a self edge', () => {
    const definition = {
      actions: [
        action('a', { depends_on: ['c'] }),
        action('b', { depends_on: ['a'] }),
        action('c', { depends_on: ['b'] }),
      ],
    };
    const [cycle] = validateDefinition(definition, ports);
    expect(cycle).toMatchObject({ code: 'CYCLE', message: 'These actions wait for each other: a → c → b → a.' });
    expect(withActions(action('a', { depends_on: ['a'] }))).toEqual(['actions[0].depends_on: CYCLE']);
  });

  it('tell an unknown action from one whose result may not be there yet', () => {
    expect(
      withActions(
        action('a'),
        action('b', { input: '{{ actions.a.output }}' }),
        action('c', { input: '{{ actions.zzz.output }}' }),
        action('d', { input: '{{ actions.a.output }}', depends_on: ['a'] }),
      ),
    ).toEqual(['actions[1].input: REFERENCE_NOT_UPSTREAM', 'actions[2].input: REFERENCE_UNKNOWN']);
  });

  it.each([0, -1, 1e9, 1.5, '5', 65])('refuse max_concurrent_actions %j', (max_concurrent_actions) => {
    expect(problemsOf({ actions: [action('a')], exec_options: { max_concurrent_actions } })).toEqual([
      'exec_options.max_concurrent_actions: FIELD_INVALID',
    ]);
  });

  it('refuse misspelt fields, and lists of what is no action', () => {
    expect(withActions(action('a', { depend_on: [] }))).toEqual(['actions[0].depend_on: FIELD_UNKNOWN']);
    expect(withActions(action('a', { for_each: '' }))).toEqual(['actions[0].for_each: FIELD_INVALID']);
    const delays = { actions: [{ id: 'a', kind: 'delay', seconds: 1, for_each: '[1]' }] };
    expect(validateDefinition(delays, { ...ports, extraFields: ['for_each'] })).toMatchObject([
      { path: 'actions[0].for_each', code: 'FIELD_INVALID' },
    ]);
  });

  it('do not hide each other: a mistake in one action leaves the others checked', () => {
    expect(
      withActions(
        { id: 'a', kind: 'nonsense' },
        action('b', { when: '((', depends_on: ['a'] }),
        action('c', { timeout_s: -1 }),
        action('d', { input: '{{ inputs.nope }}', action: 'unknown' }),
      ).sort(),
    ).toEqual([
      'actions[0].kind: FIELD_INVALID',
      'actions[1].when: EXPRESSION_INVALID',
      'actions[2].timeout_s: FIELD_INVALID',
      'actions[3].action: ACTION_UNKNOWN',
      'actions[3].input: REFERENCE_UNKNOWN',
    ]);
  });

  it('are bounded in number, and so is the work of finding them', () => {
    const input = Array.from({ length: 1_000 }, (_, n) => `{{ inputs.nope${n} }}`);
    expect(withActions(action('a', { input }))).toHaveLength(MAX_PROBLEMS);
    const many = Array.from({ length: 20 }, (_, n) => action(`a${n}`, { input: input.slice(0, 150) }));
    expect(withActions(...many)).toEqual(['actions: TOO_MANY_EXPRESSIONS']);
    const long = (n: number) => `{{ ${n} == 0 ${'|| true '.repeat(106)}}}`;
    const codesOf = (input: unknown, maxExpressionChars?: number) =>
      validateDefinition(
        { actions: [action('a', { input })] },
        { ...ports, ...(maxExpressionChars === undefined ? {} : { maxExpressionChars }) },
      ).map(({ code }) => code);
    const texts = (count: number) => Array.from({ length: count }, (_, n) => long(n));
    expect(codesOf(texts(55), 50_000)).toEqual([]);
    expect(codesOf(texts(65), 50_000)).toEqual(['TOO_MANY_EXPRESSIONS']);
    // What is stored already is carried out, and the same text counts once.
    expect(codesOf(texts(65))).toEqual([]);
    expect(
      codesOf(
        Array.from({ length: 500 }, () => long(0)),
        50_000,
      ),
    ).toEqual([]);
  });

  it('name item and index where there is no list, and not what only looks like them', () => {
    const each = { for_each: 'inputs.ip', input: { a: '{{ item.x }}', b: '{{ index }}' } };
    expect(withActions(action('a', each))).toEqual([]);
    expect(withActions(action('a', { ...each, for_each: null }))).toEqual([
      'actions[0].input.a: ITEM_OUTSIDE_FOR_EACH',
      'actions[0].input.b: ITEM_OUTSIDE_FOR_EACH',
    ]);
    expect(withActions(action('a', { ...each, when: 'item == 1' }))).toEqual([
      'actions[0].when: ITEM_OUTSIDE_FOR_EACH',
    ]);
    expect(withActions(action('a', { ...each, for_each: 'item' }))).toEqual([
      'actions[0].for_each: ITEM_OUTSIDE_FOR_EACH',
    ]);
    expect(withActions(action('a', { when: "inputs.ip.item == 'item'" }))).toEqual([]);
  });

  it('name what no run has where it is saved, and let it through where it was saved before', () => {
    const definition = {
      inputs: { properties: { ip: {} } },
      actions: [
        action('a'),
        action('b', { depends_on: ['a'], when: 'actions.a.ouput == input.ip && run.started != trigger.who' }),
      ],
      outputs: { x: '{{ ip }}', y: '{{ actions.b.status }}', z: '{{ trigger.by }}' },
    };
    expect(problemsOf(definition)).toEqual([]);
    const found = validateDefinition(definition, { ...ports, triggerFields: ['by'] });
    expect(found.map(({ path, code, values }) => `${path}: ${code} ${values?.name}`)).toEqual([
      'actions[1].when: REFERENCE_UNKNOWN actions.a.ouput',
      'actions[1].when: REFERENCE_UNKNOWN input',
      'actions[1].when: REFERENCE_UNKNOWN run.started',
      'actions[1].when: REFERENCE_UNKNOWN trigger.who',
      'outputs.x: REFERENCE_UNKNOWN ip',
    ]);
  });

  it('tell an unknown sub-playbook, one that would start itself, and inputs that do not fit', () => {
    const more = {
      ...ports,
      ownPlaybookId: 'me',
      playbookExists: (id: string) => id !== 'gone',
      checkPlaybookInputs: () => [{ path: 'ip', message: 'is required' }],
    };
    const starts = (playbook_id: string) => ({ actions: [{ id: 'a', kind: 'playbook', playbook_id, inputs: {} }] });
    const found = (id: string) => validateDefinition(starts(id), more).map(({ path, code }) => `${path}: ${code}`);
    expect(found('gone')).toEqual(['actions[0].playbook_id: PLAYBOOK_UNKNOWN']);
    expect(found('me')).toEqual(['actions[0].playbook_id: PLAYBOOK_RECURSIVE']);
    expect(found('other')).toEqual(['actions[0].inputs.ip: INPUT_INVALID']);
  });

  it.each(['__proto__', 'constructor', 'prototype'])('refuse the key %s wherever it stands', (key) => {
    const text = (at: string) => `{"actions":[{"id":"a","kind":"action","action":"known.read","input":${at}}]}`;
    const problems = problemsOf(JSON.parse(text(`{"x":[{"${key}":{"polluted":true}}]}`)));
    expect(problems).toEqual([`actions[0].input.x[0].${key}: KEY_FORBIDDEN`]);
    expect(problemsOf(JSON.parse(`{"actions":[],"${key}":1}`))).toContain(`${key}: KEY_FORBIDDEN`);
    expect(withActions(action(key))).toEqual(['actions[0].id: FIELD_INVALID']);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it.each(['__proto__', 'a-b', '1a', '', 'x'.repeat(65), 'a.b'])('refuse the action id %j', (id) => {
    expect(withActions(action(id))).toEqual(['actions[0].id: FIELD_INVALID']);
  });

  it('refuse prompts nobody can answer', () => {
    expect(withActions(prompt({ options: [] }))).toEqual(['actions[0].options: FIELD_INVALID']);
    expect(withActions(prompt({ default_option: 'no' }))).toEqual(['actions[0].default_option: FIELD_INVALID']);
    const twice = [
      { value: 'a', label: 'A' },
      { value: 'a', label: 'B' },
    ];
    expect(withActions(prompt({ options: twice }))).toEqual(['actions[0].options: FIELD_INVALID']);
  });

  it('refuse ten thousand actions, a megabyte and deep nesting without looking further', () => {
    const many = Array.from({ length: 10_000 }, (_, n) => action(`a${n}`));
    expect(withActions(...many)).toEqual(['actions: TOO_MANY_ACTIONS']);
    expect(withActions(action('a', { input: 'x'.repeat(1_100_000) }))).toEqual([': TOO_LARGE']);
    let deep: unknown = 'x';
    for (let n = 0; n < 40; n += 1) deep = [deep];
    expect(withActions(action('a', { input: deep }))).toEqual(['actions[0]: TOO_DEEP']);
    expect(problemsOf({ actions: [action('a')], metadata: { deep } })).toEqual(['metadata: TOO_DEEP']);
    for (let n = 0; n < 100_000; n += 1) deep = [deep];
    expect(withActions(action('a', { input: deep }))).toEqual([': TOO_DEEP']);
  });

  it('pass on what the action says about its input', () => {
    const checkInput = () => [{ path: 'ip', message: 'is required' }];
    expect(validateDefinition({ actions: [action('a')] }, { ...ports, checkInput })).toEqual([
      { path: 'actions[0].input.ip', code: 'INPUT_INVALID', message: 'is required' },
    ]);
  });
});
