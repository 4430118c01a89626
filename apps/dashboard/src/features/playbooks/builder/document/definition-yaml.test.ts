import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BuilderDefinition, emptyDefinition } from './builder-action.ts';
import { fileNameOf, linesOfProblems, readYaml, writeYaml } from './definition-yaml.ts';

const example: BuilderDefinition = {
  ...emptyDefinition('Block an address'),
  inputs: { type: 'object', required: ['ip'], properties: { ip: { type: 'string' } } },
  actions: [
    {
      id: 'lookup',
      kind: 'action',
      action: 'abuseipdb.check_ip',
      connector_id: null,
      input: { ip: '{{ inputs.ip }}' },
    },
    { id: 'ask', kind: 'prompt', depends_on: ['lookup'], message: 'Block it?\nReally?', options: [] },
  ],
  outputs: { score: '{{ actions.lookup.output.score }}' },
};
const problemsOf = (text: string) => {
  const read = readYaml(text);
  return 'problems' in read ? read.problems : [];
};

test('what is written is read again as it was', () => {
  expect(readYaml(writeYaml(example))).toEqual({ definition: example, hasComments: false });
});

test('texts that look like something else stay texts, whatever they are', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.string(), (value, text) => {
      const definition = {
        ...example,
        outputs: { value, text, yes: 'yes', number: '007', date: '2026-11-21', tilde: '~' },
      };
      const read = readYaml(writeYaml(definition));
      expect('definition' in read && JSON.stringify(read.definition.outputs)).toBe(JSON.stringify(definition.outputs));
    }),
  );
});

test('long texts of several lines stay as they are, whatever stands at their ends', () => {
  const pieces = ['\n', '\n \n', '\n ', '\n\t', '\r\n', '\t', ' ', '\u0085', '"', 'sign-in', 'x'.repeat(40)];
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));
  const stays = (message: string) => {
    const definition = { ...example, outputs: { message, list: [{ message }], last: message } };
    expect(readYaml(writeYaml(definition))).toEqual({ definition, hasComments: false });
  };
  stays('Hello team,\n \nplease confirm this sign-in.\n\nRegards\n ');
  for (const blanks of ['   \n', '\n \n', ' \n\n', '\n']) stays(blanks);
  fc.assert(fc.property(text, stays), { numRuns: 500 });
});

describe('what cannot be shown', () => {
  test.each([
    ['metadata: {name: x}\nactions:\n  - id: a\n   kind: delay', 4],
    ['metadata: {name: x}\nactions: []\nactions: []', 3],
    ['metadata: {name: x}\nactions:\n  - kind: delay', 3],
    ['metadata: {name: x}\nactions:\n  - {id: a, kind: delay}\n  - {id: a, kind: delay}', 4],
    ['metadata: {name: x}\nactions:\n  - {id: a, kind: jump}', 3],
    ['metadata: {name: x}\nsteps: []\nactions: []', 2],
    ['metadata: {name: 7}\nactions: []', 1],
    ['just words', 1],
    ['', 1],
  ])('%j is said with its line', (text, line) => {
    const problems = problemsOf(text);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems[0]?.line).toBe(line);
    expect(problems[0]?.message).not.toContain('\n');
  });

  test('a text that grows by repeating itself is refused instead of filling the memory', () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const [name, of] of ['ba', 'cb', 'dc', 'ed', 'fe', 'gf', 'hg', 'ih'].map((pair) => [pair[0], pair[1]])) {
      bomb.push(`${name}: &${name} [${Array(9).fill(`*${of}`).join(', ')}]`);
    }
    expect(problemsOf(bomb.join('\n'))).not.toEqual([]);
    expect(problemsOf('x'.repeat(1_000_001))).toEqual([{ line: 1, message: 'This text is longer than 1 MB.' }]);
  });
});

test('comments are noticed, as they are not kept', () => {
  expect(readYaml(`# why\n${writeYaml(example)}`)).toMatchObject({ hasComments: true });
});

test('a problem of the document stands at its line of the text', () => {
  const text = writeYaml(example);
  const [found] = linesOfProblems(text, example, [{ actionId: 'lookup', field: 'input.ip', message: 'No.' }]);
  expect(text.split('\n')[(found?.line ?? 0) - 1]).toContain('ip: "{{ inputs.ip }}"');
});

test('a file is called after the playbook', () => {
  expect(fileNameOf(example)).toBe('block-an-address.yaml');
  expect(fileNameOf(emptyDefinition('…'))).toBe('playbook.yaml');
});
