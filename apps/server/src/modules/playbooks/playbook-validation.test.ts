import type { JsonObject } from '@airdeck/contracts/fields';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlaybooksFixture, type PlaybooksFixture, threeSteps, type Workspace } from './playbooks-fixture.ts';

let fixture: PlaybooksFixture;
let work: Workspace;
beforeAll(async () => {
  fixture = await createPlaybooksFixture();
  work = await fixture.createWorkspace();
});
afterAll(() => fixture?.close());

const action = (more: JsonObject): JsonObject => ({
  id: 'one',
  kind: 'action',
  action: 'abuseipdb.check_ip',
  input: { ip: '{{ inputs.ip }}' },
  ...more,
});
const withActions = (...actions: JsonObject[]) => ({ ...threeSteps(), actions, outputs: {} });
const prompt = (more: JsonObject): JsonObject => ({
  id: 'ask',
  kind: 'prompt',
  message: 'Go on?',
  options: [{ value: 'yes', label: 'Yes' }],
  ...more,
});

async function placesOf(definition: unknown, more: object = {}): Promise<string[]> {
  return (await work.problemsOf(definition, more)).map(({ path, code }) => `${path}: ${code}`);
}

describe('the problems of a definition', () => {
  it('are none for one that can run', async () => {
    expect(await work.problemsOf(threeSteps())).toEqual([]);
  });

  it('are none for a choice as long as the list of all countries', async () => {
    const { inputs } = threeSteps();
    const country = { type: 'string', enum: Array.from({ length: 249 }, (_, index) => `C${index}`) };
    const asked = { ...inputs, properties: { ...(inputs.properties as JsonObject), country } };
    expect(await work.problemsOf({ ...threeSteps(), inputs: asked })).toEqual([]);
  });

  it('are none for a template that makes a map of maps', async () => {
    const message = "{{ {'user': {'ip': inputs.ip}} }} and {{ inputs.ip // of }} whom\n}}";
    expect(await placesOf(withActions(prompt({ message })))).toEqual([]);
  });

  it.each<[string, JsonObject[], string[]]>([
    [
      'a cycle',
      [action({ depends_on: ['two'] }), action({ id: 'two', depends_on: ['one'] })],
      ['actions.0.depends_on: CYCLE'],
    ],
    ['an unknown action', [action({ action: 'abuseipdb.nothing' })], ['actions.0.action: ACTION_UNKNOWN']],
    ['an unknown dependency', [action({ depends_on: ['gone'] })], ['actions.0.depends_on.0: DEPENDENCY_UNKNOWN']],
    [
      'a reference to an input there is not',
      [action({ input: { ip: '{{ inputs.address }}' } })],
      ['actions.0.input.ip: REFERENCE_UNKNOWN'],
    ],
    [
      'a reference to what may not have run yet',
      [action({}), action({ id: 'two', input: { ip: '{{ actions.one.output.ip }}' } })],
      ['actions.1.input.ip: REFERENCE_NOT_UPSTREAM'],
    ],
    ['an expression that does not compile', [action({ when: 'inputs.ip ==' })], ['actions.0.when: EXPRESSION_INVALID']],
    [
      'a template that is not closed',
      [action({ input: { ip: 'of {{ inputs.ip' } })],
      ['actions.0.input.ip: EXPRESSION_INVALID'],
    ],
    [
      'one that is not closed after one that is',
      [prompt({ message: '{{ inputs.ip }} and {{ inputs.ip }' })],
      ['actions.0.message: EXPRESSION_INVALID'],
    ],
    ['a template of nothing', [action({ input: { ip: '{{ }}' } })], ['actions.0.input.ip: EXPRESSION_INVALID']],
    [
      'a name in the maps of a template that is not there',
      [prompt({ message: "{{ {'user': {'ip': inputs.address}} }}" })],
      ['actions.0.message: REFERENCE_UNKNOWN'],
    ],
    ['an input that is missing', [action({ input: {} })], ['actions.0.input.ip: INPUT_INVALID']],
    ['an input of another type', [action({ input: { ip: 7 } })], ['actions.0.input.ip: INPUT_INVALID']],
    [
      'an input that is too much',
      [action({ input: { ip: '{{ inputs.ip }}', x: 1 } })],
      ['actions.0.input.x: INPUT_INVALID'],
    ],
    ['two actions of one name', [action({}), action({})], ['actions.1.id: ID_DUPLICATE']],
    ['a name nobody can refer to', [action({ id: 'Not-so' })], ['actions.0.id: FIELD_INVALID']],
    ['a field there is not', [action({ colour: 'red' })], ['actions.0.colour: FIELD_UNKNOWN']],
    ['a default that is no option', [prompt({ default_option: 'no' })], ['actions.0.default_option: FIELD_INVALID']],
    [
      'approvers nobody knows',
      [prompt({ approvers: { usernames: ['stranger@example.com'] } })],
      ['actions.0.approvers.usernames.0: APPROVER_UNKNOWN'],
    ],
    [
      'approvers nobody knows, whose names are no mail addresses',
      [prompt({ approvers: { usernames: ['john_mail#EXT#@t.example'] } })],
      ['actions.0.approvers.usernames.0: APPROVER_UNKNOWN'],
    ],
    ['a connector there is not', [action({ connector_id: v7() })], ['actions.0.connector_id: CONNECTOR_UNKNOWN']],
    [
      'a playbook there is not',
      [{ id: 'go', kind: 'playbook', playbook_id: v7() }],
      ['actions.0.playbook_id: PLAYBOOK_UNKNOWN'],
    ],
    [
      'names that reach prototypes',
      [action({ input: { ip: '{{ inputs.ip }}', constructor: {} } })],
      ['actions.0.input.constructor: KEY_FORBIDDEN'],
    ],
  ])('name %s, where it is and of which action', async (_name, actions, expected) => {
    const problems = await work.problemsOf(withActions(...actions));
    const places = problems.map(({ path, code }) => `${path}: ${code}`);
    expect(places).toEqual(expect.arrayContaining(expected));
    const [first] = problems.filter(({ path, code }) => expected.includes(`${path}: ${code}`));
    const index = Number(/^actions\.(\d+)/.exec(String(first?.path))?.[1]);
    expect(first?.action_id).toBe(actions[index]?.id);
    expect(first?.message).not.toBe('');
  });

  // Each would end the run with EXPRESSION_FAILED, after what stands before it was done.
  it.each<[string, string]>([
    ['input.ip', 'input'],
    ['ip', 'ip'],
    ['size(acions)', 'acions'],
    ['[ip].map(each, each)[0]', 'ip'],
    ['action.one.output', 'action'],
    ['actions.one.outputs', 'actions.one.outputs'],
    ["actions['one'].ouput.score", 'actions.one.ouput'],
    ['run.started', 'run.started'],
    ['trigger.nope', 'trigger.nope'],
    ['trigger.case_reference', 'trigger.case_reference'],
    ['has(trigger.nope) ? 1 : 2', 'trigger.nope'],
  ])('name what no run has, wherever it is read: %s', async (text, name) => {
    const two = (more: JsonObject) => action({ id: 'two', depends_on: ['one'], ...more });
    const places: [string, JsonObject][] = [
      ['actions.1.input.ip', withActions(action({}), two({ input: { ip: `{{ ${text} }}` } }))],
      ['actions.1.when', withActions(action({}), two({ when: `string(${text}) != ''` }))],
      ['actions.1.for_each', withActions(action({}), two({ for_each: `[${text}]` }))],
      ['actions.1.message', withActions(action({}), prompt({ depends_on: ['one'], message: `About {{ ${text} }}` }))],
      ['outputs.x', { ...withActions(action({})), outputs: { x: `{{ ${text} }}` } }],
    ];
    for (const [path, definition] of places) {
      expect(await work.problemsOf(definition)).toMatchObject([
        { path, code: 'REFERENCE_UNKNOWN', message: expect.stringContaining(`"${name}"`) },
      ]);
    }
  });

  it.each([
    "'input.ip' == inputs.ip",
    'inputs.ip in [\'a\', r\'trigger.nope\', """ip"""] // and acions.x\n',
    'inputs.ip.split(".").exists(part, part == "10")',
    'inputs.ip.split(".").map(input, input + "x")',
    'inputs.ip.split(".").filter(actions, actions.size() > 1).all(ip, ip != "")',
    'cel.bind(address, inputs.ip, address + address)',
    "{'ip': inputs.ip}",
    'type(inputs.ip) == string && [inputs.ip].exists(one, type(one) == string && cel.bind(two, one, type(two) == int))',
    "['one'].map(id, actions[id].anything)",
    "has(actions.one.error) && actions.one.error.code == 'X' || actions.one['status'] == 'success'",
    'run.id + run.tenant + run.started_at',
    'trigger.trigger_type + trigger.username + string(trigger.case_id)',
    'has(trigger.automation_rule) ? trigger.automation_rule.name : ""',
    'timestamp(run.started_at).getFullYear()',
  ])('are none for what only looks like it, or is there: %s', async (text) => {
    const definition = { ...withActions(action({})), outputs: { x: `{{ ${text} }}` } };
    expect(await work.problemsOf(definition)).toEqual([]);
  });

  it('come all at once, also of different actions and parts', async () => {
    const definition = {
      ...withActions(
        action({ action: 'nobody.does' }),
        prompt({ default_option: 'no' }),
        action({ id: 'two', input: { ip: 7 }, connector_id: v7() }),
      ),
      inputs: { type: 'array' },
      outputs: { x: '{{ actions.gone.output }}' },
      exec_options: { max_concurrent_actions: 0 },
    };
    expect(new Set(await placesOf(definition))).toEqual(
      new Set([
        'actions.0.action: ACTION_UNKNOWN',
        'actions.1.default_option: FIELD_INVALID',
        'actions.2.input.ip: INPUT_INVALID',
        'actions.2.connector_id: CONNECTOR_UNKNOWN',
        'inputs.type: INPUTS_SCHEMA_INVALID',
        'outputs.x: REFERENCE_UNKNOWN',
        'exec_options.max_concurrent_actions: FIELD_INVALID',
      ]),
    );
  });

  it.each([0, -1, 1e9, 1.5, '5', null])('name %j concurrent actions', async (max_concurrent_actions) => {
    expect(await placesOf({ ...threeSteps(), exec_options: { max_concurrent_actions } })).toEqual([
      'exec_options.max_concurrent_actions: FIELD_INVALID',
    ]);
  });

  it('do not count what a template will give', async () => {
    const input = { ip: '{{ inputs.ip }}', max_age_days: '{{ 30 }}' };
    expect(await placesOf(withActions(action({ input })))).toEqual([]);
    const text = { ip: '{{ inputs.ip }}', max_age_days: 'about {{ 30 }}' };
    expect(await placesOf(withActions(action({ input: text })))).toEqual([
      'actions.0.input.max_age_days: INPUT_INVALID',
    ]);
  });

  it('are none for named approvers who are members, and connectors of the vendor', async () => {
    const approvers = { usernames: [work.analyst.email] };
    expect(await placesOf(withActions(prompt({ approvers })))).toEqual([]);
    const stranger = await fixture.createWorkspace();
    const others = { usernames: [stranger.analyst.email] };
    expect(await placesOf(withActions(prompt({ approvers: others })))).toEqual([
      'actions.0.approvers.usernames.0: APPROVER_UNKNOWN',
    ]);
    const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
    const { connectors } = fixture.server.composition.work;
    const connector = (scope: Workspace['scope']) =>
      fixture.db.tenant(scope.tenantId, (tx) =>
        connectors.create(tx, scope, { definitionId: 'abuseipdb', name: 'R', config: { api_key: 'k'.repeat(20) } }, by),
      );
    const [mine, theirs] = [await connector(work.scope), await connector(stranger.scope)];
    expect(await placesOf(withActions(action({ connector_id: mine })))).toEqual([]);
    expect(await placesOf(withActions(action({ connector_id: theirs })))).toEqual([
      'actions.0.connector_id: CONNECTOR_UNKNOWN',
    ]);
    const block = action({ action: 'fortigate.block_address', input: { address: '192.0.2.1' }, connector_id: mine });
    expect(await placesOf(withActions(block))).toEqual(['actions.0.connector_id: CONNECTOR_UNKNOWN']);
  });

  it('name a playbook that would start itself, by itself or through others, and one that is only a draft', async () => {
    const one = await work.createPublished(threeSteps('One'));
    const go = (playbook_id: string, inputs: JsonObject = { ip: '192.0.2.1' }) => ({
      id: 'go',
      kind: 'playbook',
      playbook_id,
      inputs,
    });
    const two = await work.createPublished({ ...withActions(go(one.id)), metadata: threeSteps('Two').metadata });
    const three = await work.createPublished({ ...withActions(go(two.id)), metadata: threeSteps('Three').metadata });
    const own = { playbook_id: one.id };
    expect(await placesOf(withActions(go(one.id)), own)).toEqual(['actions.0.playbook_id: PLAYBOOK_RECURSIVE']);
    const [problem] = await work.problemsOf(withActions(go(three.id)), own);
    expect(problem).toMatchObject({ path: 'actions.0.playbook_id', code: 'PLAYBOOK_RECURSIVE' });
    expect(problem?.message).toContain('Three → Two');
    const draft = await work.create();
    expect(await placesOf(withActions(go(draft.playbook_id)))).toEqual(['actions.0.playbook_id: PLAYBOOK_UNKNOWN']);
    expect(await placesOf(withActions(go(one.id, { address: 1 })))).toEqual([
      'actions.0.inputs.ip: INPUT_INVALID',
      'actions.0.inputs.address: INPUT_INVALID',
    ]);
  });
});

describe('the schema of the inputs', () => {
  it.each<[string, JsonObject, string]>([
    ['has names', { type: 'array' }, 'inputs.type'],
    ['is a schema', { type: 'object', properties: { ip: { type: 'text' } } }, 'inputs'],
    ['refers to nothing', { type: 'object', properties: { ip: { $ref: '#/x' } } }, 'inputs.properties.ip.$ref'],
    [
      'compares no items',
      { type: 'object', properties: { a: { type: 'array', uniqueItems: true } } },
      'inputs.properties.a.uniqueItems',
    ],
    ['has no more values than are compiled at once', { type: 'object', properties: manyInputs(1_000) }, 'inputs'],
    ['is no longer than is compiled at once', { type: 'object', title: 't'.repeat(50_001) }, 'inputs'],
    ['has patterns of the linear engine', { type: 'object', properties: { a: { pattern: '(?=a)' } } }, 'inputs'],
  ])('%s', async (_name, inputs, path) => {
    const definition = { ...withActions({ id: 'wait', kind: 'delay', seconds: 1 }), inputs };
    expect(await placesOf(definition)).toEqual([`${path}: INPUTS_SCHEMA_INVALID`]);
  });

  it('may have hundreds of inputs', async () => {
    const inputs = { type: 'object', properties: manyInputs(600) };
    expect(await placesOf({ ...withActions({ id: 'wait', kind: 'delay', seconds: 1 }), inputs })).toEqual([]);
  });

  it('may use names of keywords as names of inputs', async () => {
    const inputs = { type: 'object', properties: { $ref: { type: 'string' }, uniqueItems: { type: 'boolean' } } };
    expect(await placesOf({ ...withActions({ id: 'wait', kind: 'delay', seconds: 1 }), inputs })).toEqual([]);
  });
});

describe('what nobody would send in earnest', () => {
  const validate = (body: unknown) => fixture.call(work.analyst, 'POST', `${work.playbooks}/validate`, body);

  it('is refused at the door: too many actions, no definition, a body that is too large or too deep, a prototype', async () => {
    const many = Array.from({ length: 10_000 }, (_, n) => ({ id: `a${n}`, kind: 'delay', seconds: 1 }));
    const deep = `{"definition":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`;
    const answers = [
      await validate({ definition: withActions(...many) }),
      await validate({ definition: 'playbook' }),
      await validate({ definition: { ...threeSteps(), extra: 1 } }),
      await validate({ definition: { ...threeSteps(), outputs: { x: 'x'.repeat(1_100_000) } } }),
      await validate(deep),
      await validate(`{"definition":{"__proto__":{"admin":true}}}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 413, 400, 400]);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  it('is judged in bounds: a megabyte of one text, two hundred actions, thousands of expressions', async () => {
    const text = { ...threeSteps(), outputs: { x: 'x'.repeat(900_000) } };
    expect(await placesOf(text)).toEqual([]);
    const wide = Array.from({ length: 200 }, (_, n) => action({ id: `a${n}` }));
    expect(await placesOf(withActions(...wide))).toEqual([]);
    const outputs = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`x${n}`, '{{ inputs.ip }}']));
    expect(await placesOf({ ...threeSteps(), outputs })).toEqual(['actions: TOO_MANY_EXPRESSIONS']);
    const wrong = Array.from({ length: 200 }, (_, n) =>
      action({ id: `a${n}`, action: 'no.such', input: { ip: 7 }, x: 1, y: 2 }),
    );
    expect(await work.problemsOf(withActions(...wrong))).toHaveLength(200);
  });
});

function manyInputs(count: number): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`input_${n}`, { type: 'string', maxLength: 10 }]));
}
