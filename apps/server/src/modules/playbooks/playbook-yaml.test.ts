import { type DraftDefinition, draftDefinitionSchema } from '@airdeck/contracts/playbooks/schema';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlaybookYaml } from './playbook-yaml.ts';
import { playbookYaml, readPlaybookYaml } from './playbook-yaml-text.ts';
import { createPlaybooksFixture, type PlaybooksFixture, threeSteps, type Workspace } from './playbooks-fixture.ts';

const messagesOf = (text: string) => readPlaybookYaml(text).problems.map(({ message }) => message);
const nested = (depth: number) =>
  `metadata: { name: x }\nactions: []\noutputs: ${'{a: '.repeat(depth)}1${'}'.repeat(depth)}`;

describe('the YAML of a playbook', () => {
  it('gives the same playbook when it is read again', () => {
    const definition: DraftDefinition = threeSteps('Yes: no, "quoted" #1');
    const text = playbookYaml(definition);
    expect(text.startsWith('metadata:\n')).toBe(true);
    expect(readPlaybookYaml(text)).toEqual({ definition, problems: [] });
  });

  it('has nothing left of what no store takes, however it is written', () => {
    const { definition, problems } = readPlaybookYaml(
      'metadata: { name: "a\\0b" }\nactions: []\noutputs: { "\\ud800": "\\x00" }',
    );
    expect(problems).toEqual([]);
    expect(definition).toMatchObject({ metadata: { name: 'a\ufffdb' }, outputs: { '\ufffd': '\ufffd' } });
  });

  it('holds any text and number as it is', () => {
    const value = fc.jsonValue({ maxDepth: 4 }).map((json) => JSON.parse(JSON.stringify(json)) as unknown);
    const odd = fc.constantFrom(
      'no',
      '1e3',
      '0x1f',
      '~',
      ' x ',
      '- a',
      'a: b',
      '{{ inputs.ip }}',
      '\t',
      'a\n\nb\n',
      '2026-01-01',
      '<<',
      '&a',
      '*a',
      '\u2028',
      '\u0085',
      '---',
      '...',
    );
    fc.assert(
      fc.property(fc.dictionary(fc.oneof(odd, fc.string()), fc.oneof(odd, value)), (outputs) => {
        const safe = Object.fromEntries(
          Object.entries(JSON.parse(JSON.stringify(outputs)) as object).filter(([key]) => !isForbiddenAnywhere(key)),
        );
        fc.pre(!isForbiddenAnywhere(JSON.stringify(safe)));
        const definition: DraftDefinition = { ...threeSteps(), outputs: safe };
        expect(readPlaybookYaml(playbookYaml(definition))).toEqual({ definition, problems: [] });
      }),
      { numRuns: 60 },
    );
  });

  it('keeps long texts of several lines, whatever stands at their ends', () => {
    const piece = fc.constantFrom(
      '\n',
      '\n \n',
      '\n ',
      '\n\t',
      '\r\n',
      '\t',
      ' ',
      '\u0085',
      '"',
      'sign-in',
      'x'.repeat(40),
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    const kept = (message: string) => {
      const definition: DraftDefinition = { ...threeSteps(), outputs: { message, list: [{ message }], last: message } };
      expect(readPlaybookYaml(playbookYaml(definition))).toEqual({ definition, problems: [] });
    };
    kept('Hello team,\n \nplease confirm this sign-in.\n\nRegards\n ');
    for (const blanks of ['   \n', '\n \n', ' \n\n', '\n']) kept(blanks);
    fc.assert(fc.property(text, kept), { numRuns: 500 });
  });

  it.each([
    ['an anchor', 'metadata: { name: x }\nactions: &a []', 2],
    ['an alias', 'metadata: { name: x }\nactions: []\noutputs: *a', 3],
    ['a field given twice', 'metadata: { name: x }\nactions: []\nmetadata: { name: y }', 3],
    ['a name that reaches prototypes', 'metadata: { name: x }\nactions: []\noutputs:\n  __proto__: { admin: true }', 4],
    ['a tag', 'metadata: { name: !!js/function "x" }\nactions: []', 1],
    ['a list as the name of a field', 'metadata: { name: x }\n? [a, b]\n: 1\nactions: []', 2],
    ['a number that is none', 'metadata: { name: x }\nactions: []\noutputs: { x: .inf }', 3],
    ['a second document', 'metadata: { name: x }\n---\nmetadata: { name: y }', 2],
    ['what is no YAML', 'metadata: { name: x\nactions: ]', 2],
    ['a tab for a space', 'metadata:\n\tname: x', 2],
    ['an anchor far down', `${'#\n'.repeat(1_233)}actions: &a []`, 1_234],
  ])('with %s is refused with the line', (_name, text, line) => {
    const { definition, problems } = readPlaybookYaml(text);
    expect(definition).toBeNull();
    expect(problems[0]).toMatchObject({ code: 'YAML_INVALID', action_id: null });
    expect(problems.some(({ message }) => message.startsWith(`Line ${line}:`))).toBe(true);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  it('of another shape is refused with the place', () => {
    expect(readPlaybookYaml('- a\n- b').definition).toBeNull();
    expect(readPlaybookYaml('hello').definition).toBeNull();
    expect(readPlaybookYaml('metadata: {}\nactions: x').problems.map(({ path }) => path)).toEqual([
      'metadata.name',
      'actions',
    ]);
  });

  it('nested without end is refused, a little is not', () => {
    expect(readPlaybookYaml(nested(20)).definition).not.toBeNull();
    expect(messagesOf(nested(60))[0]).toContain('Nested deeper');
    for (const level of ['[', '{a: [', '- ', '? ', ': ']) {
      expect(messagesOf(`x: 1\ny:\n  ${level.repeat(100_000)}`), level).toEqual([
        'Line 3: Nested deeper than 40 levels.',
      ]);
    }
    expect(messagesOf(']'.repeat(100_000))).toHaveLength(1);
  });

  it('that would grow a millionfold is refused', () => {
    const levels = Array.from({ length: 12 }, (_, n) => {
      const before = n === 0 ? 'x' : `*a${n - 1}`;
      return `a${n}: &a${n} [${Array.from({ length: 10 }, () => before).join(', ')}]`;
    });
    expect(messagesOf(levels.join('\n'))[0]).toContain('Anchors');
  });
});

function isForbiddenAnywhere(text: string): boolean {
  return /__proto__|constructor|prototype/.test(text);
}

describe('reading in a thread', () => {
  it('stops a text that takes too long, and goes on with the next', async () => {
    const long = playbookYaml({ ...threeSteps(), outputs: { long: 'x'.repeat(5_000) } });
    const hurried = await createPlaybookYaml({ timeoutMs: 1 }).read(long);
    expect(hurried).toMatchObject({ definition: null, problems: [{ code: 'YAML_INVALID' }] });
    const patient = createPlaybookYaml();
    const answers = await Promise.all([patient.read(long), patient.read(`${long}\na: [`)]);
    expect(answers[0]?.definition).toEqual({ ...threeSteps(), outputs: { long: 'x'.repeat(5_000) } });
    expect(answers[1]?.definition).toBeNull();
  });

  it('ends a thread that takes too much memory without harm', async () => {
    const yaml = createPlaybookYaml({ heapMb: 8 });
    expect(await yaml.read('- {}\n'.repeat(150_000))).toMatchObject({ definition: null, problems: [{ path: '' }] });
  });

  it('refuses more than may wait', async () => {
    const yaml = createPlaybookYaml({ maxWaiting: 1 });
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => yaml.read('a: 1\n'.repeat(1_001))));
    expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(2);
  });

  it('writes large playbooks as it does small ones', async () => {
    const outputs = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`name_${n}`, `text ${n}`.repeat(10)]));
    const definition: DraftDefinition = { ...threeSteps(), outputs };
    expect(await createPlaybookYaml().write(definition)).toBe(playbookYaml(definition));
  });
});

describe('import and export', () => {
  let fixture: PlaybooksFixture;
  let work: Workspace;
  beforeAll(async () => {
    fixture = await createPlaybooksFixture();
    work = await fixture.createWorkspace();
  });
  afterAll(() => fixture?.close());

  const read = (yaml: unknown) => fixture.call(work.analyst, 'POST', `${work.playbooks}/import`, { yaml });

  it('bring a playbook from one tenant to another as text, with a name for the file', async () => {
    const { id } = await work.createPublished(threeSteps('Überprüfung / 1'));
    const file = await fixture.call(work.analyst, 'GET', `${work.playbooks}/${id}/export`);
    expect(file.body.file_name).toBe('uberprufung-1.yaml');
    const imported = await read(file.body.yaml);
    expect(imported).toMatchObject({ status: 200, body: { problems: [] } });
    const definition = draftDefinitionSchema.parse(imported.body.definition);
    expect(definition.actions).toEqual(threeSteps().actions);
    expect((await fixture.call(work.analyst, 'GET', work.playbooks)).body).toHaveLength(1);
  });

  it('say what is wrong with a playbook, and keep nothing', async () => {
    const [first] = threeSteps().actions;
    const unknown = { ...threeSteps(), actions: [{ ...first, action: 'nobody.does' }], outputs: {} };
    expect((await read(playbookYaml(unknown))).body).toMatchObject({
      definition: { metadata: { name: 'Block an address' } },
      problems: [{ path: 'actions.0.action', action_id: 'lookup' }],
    });
    expect((await read('a: *b')).body).toMatchObject({ definition: null, problems: [{ code: 'YAML_INVALID' }] });
    expect((await read('x'.repeat(1_000_001))).status).toBe(400);
    expect((await read(7)).status).toBe(400);
  });

  it('answer others while a long text that is no playbook is read', async () => {
    const reading = read('- [a, {b: c}]\n'.repeat(3_000));
    const other = await fixture.call(work.analyst, 'GET', work.playbooks);
    expect(other.status).toBe(200);
    expect((await reading).body).toMatchObject({ definition: null });
  });

  it('are bounded in how often they are asked for', async () => {
    const own = await fixture.createWorkspace();
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        fixture.call(own.analyst, 'POST', `${own.playbooks}/import`, { yaml: 'a: 1' }).then(({ status }) => status),
      ),
    );
    expect(answers.filter((status) => status === 429).length).toBeGreaterThanOrEqual(10);
  });
});
