import type { Criterion } from '@airdeck/contracts/policies/schema';
import { describe, expect, test } from 'vitest';
import { compilePolicies, evaluate } from '../policy-set.ts';
import { testEvent } from '../test-event.ts';
import { importSigma, type SigmaOptions, type SigmaOutcome } from './sigma-import.ts';

const head = 'title: Test\nid: 11111111-1111-4111-8111-111111111111\nlogsource: { product: acme }\n';

function one(text: string, options?: SigmaOptions): SigmaOutcome {
  const [outcome] = importSigma([{ name: 'rule.yml', text }], options);
  if (outcome === undefined) throw new Error('no answer');
  return outcome;
}

function reasonOf(text: string, options?: SigmaOptions): string {
  const outcome = one(text, options);
  return outcome.status === 'imported' ? 'imported' : `${outcome.status}: ${outcome.reason}`;
}

function criteriaOf(detection: string, options?: SigmaOptions): Criterion[] {
  const outcome = one(`${head}detection:\n${detection.replaceAll(/^/gm, '  ')}`, options);
  if (outcome.status !== 'imported') throw new Error(outcome.reason);
  return outcome.policy.logic.filter_criteria;
}

function matches(detection: string, fields: Record<string, unknown>, message = ''): boolean {
  const outcome = one(`${head}detection:\n${detection.replaceAll(/^/gm, '  ')}`);
  if (outcome.status !== 'imported') throw new Error(outcome.reason);
  const set = compilePolicies([{ id: 'p', rule: outcome.policy }]);
  return evaluate(set, testEvent({ integration: 'acme', action: '', outcome: '', message, fields })).length > 0;
}

describe('values', () => {
  test.each<[string, Criterion]>([
    ["f: 'a'", { field: 'f', operator: 'equals', value: 'a' }],
    ['f: 4625', { field: 'f', operator: 'equals', value: '4625' }],
    ['f: 0010', { field: 'f', operator: 'equals', value: '0010' }],
    ['f: [a, b, a]', { field: 'f', operator: 'in', value: ['a', 'b'] }],
    ["f: '*\\cmd.exe'", { field: 'f', operator: 'endswith', value: '\\cmd.exe' }],
    ["f: 'C:\\Windows\\\\*'", { field: 'f', operator: 'startswith', value: 'C:\\Windows\\' }],
    ["f: '*mid*'", { field: 'f', operator: 'contains', value: 'mid' }],
    ["f: 'a*b?'", { field: 'f', operator: 'wildcard', value: 'a*b?' }],
    ["f: '\\*'", { field: 'f', operator: 'equals', value: '*' }],
    ["f: '*'", { field: 'f', operator: 'exists' }],
    ["f: ''", { field: 'f', operator: 'equals', value: '' }],
    ['f: null', { field: 'f', operator: 'empty' }],
    ['f|contains: [a, b]', { field: 'f', operator: 'contains', value: ['a', 'b'] }],
    ['f|contains|all: [a, b]', { field: 'f', operator: 'contains', value: ['a', 'b'], match: 'all' }],
    ["f|startswith: 'a*'", { field: 'f', operator: 'startswith', value: 'a' }],
    ["f|endswith: '?.dll'", { field: 'f', operator: 'wildcard', value: '*?.dll' }],
    ["f|contains|cased: 'A'", { field: 'f', operator: 'contains', value: 'A', case_sensitive: true }],
    ["f|re: 'a.b'", { field: 'f', operator: 'regex', value: 'a.b', case_sensitive: true }],
    ["f|re|i: 'a.b'", { field: 'f', operator: 'regex', value: 'a.b' }],
    ["f|re|s|m: 'a.b'", { field: 'f', operator: 'regex', value: '(?sm)a.b', case_sensitive: true }],
    ["f|cidr: ['192.0.2.0/24', 'fe80::/10']", { field: 'f', operator: 'cidr', value: ['192.0.2.0/24', 'fe80::/10'] }],
    ['f|exists: false', { field: 'f', operator: 'exists', value: false }],
    ['f|gte: 5', { field: 'f', operator: 'gte', value: 5 }],
    ['f|neq: a', { not: { field: 'f', operator: 'equals', value: 'a' } }],
    ['f|fieldref: g', { field: 'f', operator: 'equals', value_field: 'g' }],
    ['f|fieldref|endswith: g', { field: 'f', operator: 'endswith', value_field: 'g' }],
    ["f|base64|contains: 'ab'", { field: 'f', operator: 'contains', value: 'YWI=' }],
    ["f|contains|windash: ' -l'", { field: 'f', operator: 'contains', value: [' -l', ' /l', ' –l', ' —l', ' ―l'] }],
    ['action: Edit', { field: 'fields.action', operator: 'equals', value: 'Edit' }],
    ['src_ip: 192.0.2.1', { field: 'src_ip', operator: 'equals', value: '192.0.2.1' }],
  ])('%s', (line, criterion) => {
    expect(criteriaOf(`sel:\n  ${line}\ncondition: sel`)).toEqual([criterion]);
  });

  test('windash finds options however each of them is written', () => {
    const detection = "sel:\n  f|contains|windash: 'certutil -urlcache -f'\ncondition: sel";
    for (const options of ['-urlcache -f', '/urlcache /f', '–urlcache /f', '-urlcache ―f']) {
      expect(matches(detection, { f: `c:\\certutil ${options} http` })).toBe(true);
    }
    expect(matches(detection, { f: 'certutil +urlcache -f' })).toBe(false);
    const within = "sel:\n  f|contains|windash: 'a-b /x'\ncondition: sel";
    expect([matches(within, { f: 'a-b -x' }), matches(within, { f: 'a/b /x' })]).toEqual([true, false]);
    const bare = "sel:\n  f|contains|windash: 'a-'\ncondition: sel";
    expect(matches(bare, { f: 'a– ' })).toBe(true);
  });

  test('base64offset finds the value wherever it stands inside encoded text', () => {
    const detection = "sel:\n  f|base64offset|contains: 'https://'\ncondition: sel";
    for (const before of ['', 'x', 'xy', 'xyz']) {
      const encoded = Buffer.from(`${before}https://example.com`).toString('base64');
      expect(matches(detection, { f: `cmd ${encoded}` })).toBe(true);
    }
    expect(matches(detection, { f: Buffer.from('http://example.com').toString('base64') })).toBe(false);
  });

  test('wide is two bytes per letter before base64', () => {
    const detection = "sel:\n  f|wide|base64offset|contains: 'Invoke'\ncondition: sel";
    expect(matches(detection, { f: Buffer.from('x Invoke-Y', 'utf16le').toString('base64') })).toBe(true);
    expect(matches(detection, { f: Buffer.from('x Invoke-Y', 'utf8').toString('base64') })).toBe(false);
    expect(reasonOf(`${head}detection:\n  sel:\n    f|wide: x\n  condition: sel`)).toMatch(/^skipped: .*base64/);
  });

  test('placeholders are put in, and a rule with an unknown one is skipped', () => {
    const text = "sel:\n  f|expand: '%admins%'\ncondition: sel";
    expect(criteriaOf(text, { placeholders: { admins: ['ana', 'bo'] } })).toEqual([
      { field: 'f', operator: 'in', value: ['ana', 'bo'] },
    ]);
    expect(reasonOf(`${head}detection:\n${text.replaceAll(/^/gm, '  ')}`)).toBe(
      'skipped: The placeholder %admins% has no values here.',
    );
  });

  test('a list longer than a criterion holds becomes several', () => {
    const values = Array.from({ length: 2500 }, (_, at) => `v${at}`);
    const [criterion] = criteriaOf(`sel:\n  f: [${values.join(', ')}]\ncondition: sel`);
    expect(criterion).toMatchObject({ any: [{ operator: 'in' }, { operator: 'in' }, { operator: 'in' }] });
    expect(matches(`sel:\n  f: [${values.join(', ')}]\ncondition: sel`, { f: 'V2499' })).toBe(true);
  });
});

describe('semantics that first versions get wrong', () => {
  test('a missing field is no match, so its negation is one; null is a missing field', () => {
    expect(matches('sel: { f: a }\ncondition: sel', {})).toBe(false);
    expect(matches('a: { g: 1 }\nsel: { f: a }\ncondition: a and not sel', { g: 1 })).toBe(true);
    expect(matches('sel: { f: null }\ncondition: sel', {})).toBe(true);
    expect(matches("sel: { f: '' }\ncondition: sel", {})).toBe(false);
  });

  test('words without a field are looked for in all values and in the message, not in the JSON around them', () => {
    const detection = "words:\n  - 'C:\\Temp'\n  - other\ncondition: words";
    expect(matches(detection, { deep: { list: ['x', 'in c:\\temp\\y'] } })).toBe(true);
    expect(matches(detection, {}, 'an OTHER text')).toBe(true);
    expect(matches(detection, { other: 'nothing' })).toBe(false);
    expect(matches("words:\n  '|all': [one, two]\ncondition: words", { a: 'one', b: 'two' })).toBe(true);
    expect(matches("words:\n  '|all': [one, two]\ncondition: words", { a: 'one' })).toBe(false);
  });

  test('a rule means the original field where we have a column of that name', () => {
    expect(matches('sel: { action: org.remove }\ncondition: sel', { action: 'org.remove' })).toBe(true);
  });
});

describe('conditions', () => {
  const parts = 'a: { f: a }\nb: { g: b }\nb_2: { h: c }\n_hidden: { i: d }';
  test.each([
    ['a and b', { f: 'a', g: 'b' }, true],
    ['a and b', { f: 'a' }, false],
    ['a or b and b_2', { f: 'a' }, true],
    ['(a or b) and b_2', { f: 'a' }, false],
    ['a and not (b or b_2)', { f: 'a' }, true],
    ['a and not (b or b_2)', { f: 'a', h: 'c' }, false],
    ['not not a', { f: 'a' }, true],
    ['1 of b*', { h: 'c' }, true],
    ['all of b*', { h: 'c' }, false],
    ['all of b*', { g: 'b', h: 'c' }, true],
    ['any of them', { i: 'd' }, false],
    ['all of them', { f: 'a', g: 'b', h: 'c' }, true],
    ['A AND NOT b'.replace('A', 'a'), { f: 'a' }, true],
  ])('%s on %j: %s', (condition, fields, expected) => {
    expect(matches(`${parts}\ncondition: ${condition}`, fields)).toBe(expected);
  });

  test.each([
    ['a and', /ends too early/],
    ['a b', /cannot be read at "b"/],
    ['(a', /ends too early|not closed/],
    ['a)', /cannot be read/],
    ['nobody', /"nobody", which is not there/],
    ['1 of nobody*', /not there/],
    ['2 of b*', /^skipped.*only 1, any and all/],
    ['a | near b', /^skipped.*only count/],
    [`${'('.repeat(5000)}a`, /at most|deeper/],
    [`${'not '.repeat(1000)}a`, /deeper/],
    [`1 of ${'*a'.repeat(200)}b`, /cannot be read/],
  ])('%s is refused', (condition, reason) => {
    expect(reasonOf(`${head}detection:\n${`${parts}\ncondition: "${condition}"`.replaceAll(/^/gm, '  ')}`)).toMatch(
      reason,
    );
  });

  test('a name is looked for in one pass, however many stars there are', () => {
    // With an engine that goes back and tries again, each of these names takes seconds.
    const names = Array.from({ length: 40 }, (_, n) => `${'a'.repeat(197)}${n}: { f: a }`);
    const condition = 'condition: 1 of a*a*a*a*a*b';
    expect(() => matches([...names, condition].join('\n'), { f: 'a' })).toThrow('which is not there');
    expect(matches([...names, 'condition: 1 of a**a*a*a*a*a*a*a39'].join('\n'), { f: 'a' })).toBe(true);
  });

  const metacharacters = ['.', '+', '?', '^', '$', '|', '[', ']', '[a-z]', '{', '}', '{1,9}', '\\', '\\d', '/', '-'];
  test.each([...metacharacters, '.+', '^a$', '[^]', '\\b', '$&', '%', '_x', "'", '#', 'constructor', '__proto__'])(
    'a name with %s in it is that name and no pattern',
    (hostile) => {
      const detection = (condition: string) =>
        `${JSON.stringify(`x${hostile}y`)}: { f: a }\nxzy: { g: b }\nxzzy: { h: c }\ncondition: ${JSON.stringify(condition)}`;
      if (hostile === '|') {
        // What comes after it counts, and is no name.
        expect(() => matches(detection(`x${hostile}y`), { f: 'a' })).toThrow('is not run: only count');
        return;
      }
      expect(matches(detection(`x${hostile}y`), { f: 'a' })).toBe(true);
      expect(matches(detection(`1 of x${hostile}*`), { f: 'a' })).toBe(true);
      expect(matches(detection(`all of *${hostile}y`), { f: 'a' })).toBe(true);
      for (const other of [{ g: 'b' }, { h: 'c' }]) {
        expect(matches(detection(`x${hostile}y`), other)).toBe(false);
        expect(matches(detection(`1 of x${hostile}*`), other)).toBe(false);
        expect(matches(detection(`1 of *${hostile}y`), other)).toBe(false);
      }
    },
  );

  test('an old count becomes a threshold', () => {
    const outcome = one(
      `${head}detection:\n  sel: { f: a }\n  timeframe: 5m\n  condition: sel | count(user) by host, src_ip > 9`,
    );
    expect(outcome).toMatchObject({
      policy: {
        logic: { group_by: ['host', 'src_ip'], threshold: { count: 10, within_s: 300, distinct_field: 'user' } },
      },
    });
  });
});

describe('log sources', () => {
  test('a process that starts is seen by Sysmon and by the Security log, under both names', () => {
    const outcome = one(
      'title: T\nlogsource: { product: windows, category: process_creation }\ndetection:\n  sel:\n    Image|endswith: \\evil.exe\n  condition: sel',
    );
    if (outcome.status !== 'imported') throw new Error(outcome.reason);
    const set = compilePolicies([{ id: 'p', rule: outcome.policy }]);
    const hit = (integration: string, fields: Record<string, unknown>) =>
      evaluate(set, testEvent({ integration, event_type: 'process', fields })).length;
    expect(hit('sysmon', { EventID: 1, Image: 'C:\\Evil.exe' })).toBe(1);
    expect(hit('windows', { EventID: 4688, NewProcessName: 'C:\\evil.exe' })).toBe(1);
    expect(
      hit('windows', {
        Event: { System: { EventID: { '#text': 4688 } }, EventData: { NewProcessName: '\\evil.exe' } },
      }),
    ).toBe(1);
    expect(hit('windows', { winlog: { event_id: 4688, event_data: { NewProcessName: '\\evil.exe' } } })).toBe(1);
    expect(hit('sysmon', { EventID: 7, Image: 'C:\\evil.exe' })).toBe(0);
    expect(hit('okta', { EventID: 1, Image: 'C:\\evil.exe' })).toBe(0);
  });

  test('a source that says nothing is refused: the rule would see everything', () => {
    expect(reasonOf('title: T\nlogsource: {}\ndetection: { sel: { f: a }, condition: sel }')).toMatch(
      /names no product/,
    );
  });
});

test('author, licence, level, references and techniques stay with the policy', () => {
  const outcome = one(
    `${head}author: A. Author\nlevel: informational\nstatus: test\ndate: 2026-01-02\nreferences: [https://example.com/a]\nfalsepositives: [Backups]\ntags: [attack.execution, attack.t1059.001, cve.2024-1]\ndetection: { sel: { f: a }, condition: sel }`,
    { license: 'DRL-1.1' },
  );
  expect(outcome).toMatchObject({
    status: 'imported',
    policy: {
      severity: 'low',
      techniques: ['T1059.001'],
      origin: {
        author: 'A. Author',
        license: 'DRL-1.1',
        level: 'informational',
        date: '2026-01-02',
        references: ['https://example.com/a'],
        false_positives: ['Backups'],
        tags: ['attack.execution', 'attack.t1059.001', 'cve.2024-1'],
      },
    },
  });
});

describe('correlations', () => {
  const base = `${head}name: failed_login\ndetection: { sel: { f: a }, condition: sel }\n`;
  const correlation = (body: string) =>
    `title: Many\nid: 22222222-2222-4222-8222-222222222222\ncorrelation:\n  rules: [failed_login]\n  group-by: [user]\n  timespan: 10m\n${body.replaceAll(/^/gm, '  ')}`;

  test.each([
    ['type: event_count\ncondition: { gte: 10 }', { count: 10, within_s: 600 }],
    ['type: value_count\ncondition: { field: src_ip, gt: 3 }', { count: 4, within_s: 600, distinct_field: 'src_ip' }],
  ])('%s is a threshold, and what it counts opens nothing of its own', (body, threshold) => {
    const outcomes = importSigma([{ name: 'all.yml', text: `${base}---\n${correlation(body)}` }]);
    expect(outcomes).toMatchObject([
      { status: 'skipped', reason: expect.stringMatching(/counted by a correlation/) },
      {
        status: 'imported',
        policy: {
          name: 'Many',
          logic: {
            filter_criteria: [{ field: 'f', operator: 'equals', value: 'a' }],
            group_by: ['user'],
            threshold,
            source: { connector_definition_id: 'acme' },
          },
        },
      },
    ]);
  });

  describe('keep a text that can be imported by itself', () => {
    const counts = correlation('type: event_count\ncondition: { gte: 10 }');
    const textsOf = (files: readonly { name: string; text: string }[]) =>
      importSigma(files).flatMap((outcome) => (outcome.status === 'imported' ? outcome.text : []));

    test('with the rules it names before its own, each once, wherever they are', () => {
      const byId = counts.replace('[failed_login]', '[failed_login, 11111111-1111-4111-8111-111111111111]');
      const [text = '', ...others] = textsOf([
        { name: 'many.yml', text: byId },
        { name: 'base.yml', text: `title: [\n---\n${base}` },
      ]);
      expect(others).toEqual([]);
      expect(text).toBe(`\n${base}\n---\n${byId}`);
      expect(importSigma([{ name: 'again.yml', text }])).toMatchObject([
        { status: 'skipped' },
        { status: 'imported', policy: { name: 'Many' }, text: expect.stringContaining(base) },
      ]);
    });

    test('alone where one file would not take them together', () => {
      const long = `${base}#${'x'.repeat(255_800)}\n`;
      expect(textsOf([{ name: 'all.yml', text: `${long}---\n${counts}` }])).toEqual([`\n${counts}`]);
    });

    test('without growing without end where very many name one long rule', () => {
      const many = Array.from({ length: 100 }, (_, at) => counts.replace('22222222', String(10_000_000 + at)));
      const texts = textsOf([{ name: 'all.yml', text: [`${base}#${'x'.repeat(200_000)}\n`, ...many].join('\n---\n') }]);
      expect(texts).toHaveLength(100);
      expect(texts.join('').length).toBeLessThan(5_000_000);
    });
  });

  test.each([
    ['type: event_count\naliases: { a: { failed_login: b } }\ncondition: { gte: 3 }', /aliases/],
    ['type: value_avg\ncondition: { field: x, gt: 3 }', /not run/],
    ['type: event_count\ncondition: { lt: 3 }', /gt and gte/],
    ['type: event_count\ncondition: { gte: 0 }', /between 1/],
    ['type: event_count\ncondition: { gte: 1000000000 }', /between 1/],
  ])('%s is skipped with the reason', (body, reason) => {
    const outcomes = importSigma([{ name: 'all.yml', text: `${base}---\n${correlation(body)}` }]);
    expect(outcomes[1]).toMatchObject({ status: 'skipped', reason: expect.stringMatching(reason) });
  });

  describe('in time', () => {
    const second = `title: Second\nid: 33333333-3333-4333-8333-333333333333\nname: new_admin\nlogsource: { product: other }\ndetection: { sel: { g: b }, condition: sel }\n`;
    const inTime = (body: string) =>
      `title: Both\nid: 22222222-2222-4222-8222-222222222222\ncorrelation:\n  rules: [failed_login, new_admin]\n  timespan: 10m\n${body.replaceAll(/^/gm, '  ')}`;
    const imported = (body: string) =>
      importSigma([{ name: 'all.yml', text: [base, second, inTime(body)].join('---\n') }])[2];

    test('an ordered one is a sequence with a step, and a source, for each rule', () => {
      expect(imported('type: temporal_ordered\ngroup-by: [user]')).toMatchObject({
        status: 'imported',
        policy: {
          name: 'Both',
          logic: {
            filter_criteria: [],
            group_by: ['user'],
            source: { connector_definition_id: 'acme' },
            sequence: {
              within_s: 600,
              steps: [
                {
                  filter_criteria: [{ field: 'f', operator: 'equals', value: 'a' }],
                  source: { connector_definition_id: 'acme' },
                },
                {
                  filter_criteria: [{ field: 'g', operator: 'equals', value: 'b' }],
                  source: { connector_definition_id: 'other' },
                },
              ],
            },
          },
        },
      });
    });

    test('one without an order may come in any; an alias is what each rule’s events call the field', () => {
      const outcome = imported(
        'type: temporal\ngroup-by: [who, host]\naliases: { who: { failed_login: user, new_admin: actor } }',
      );
      if (outcome?.status !== 'imported') throw new Error(outcome?.reason);
      const { group_by, sequence } = outcome.policy.logic;
      expect(group_by).toEqual(['who', 'host']);
      expect(sequence?.any_order).toBe(true);
      expect(sequence?.steps.map((step) => step.group_by)).toEqual([
        ['user', 'host'],
        ['actor', 'host'],
      ]);
      const set = compilePolicies([{ id: 'p', rule: outcome.policy }]);
      const event = testEvent({ integration: 'other', fields: { g: 'b', actor: 'ana' } });
      expect(evaluate(set, event)).toMatchObject([{ groupValues: { who: 'ana', host: 'web-1' }, steps: [1] }]);
    });

    test.each([
      ['type: temporal\ncondition: { gte: 1 }', /all of its rules/],
      ['type: temporal\naliases: { who: { failed_login: user } }\ngroup-by: [who]', /alias "who" says nothing/],
      ['type: temporal\nrules: [failed_login]', /there twice|at least two/],
    ])('%s is not taken, with the reason', (body, reason) => {
      expect(imported(body)).toMatchObject({ reason: expect.stringMatching(reason) });
    });

    describe('with an alias for fields of different names', () => {
      const hop = (name: string, detection: string) =>
        `title: ${name}\nid: ${name}\nname: ${name}\nlogsource: { product: acme }\ndetection: { sel: ${detection}, condition: sel }\n`;
      const hops = (first: string, then: string) => {
        const correlation = `title: Hops\nid: hops\ncorrelation:\n  type: temporal_ordered\n  rules: [hop_in, hop_out]\n  group-by: [host]\n  aliases: { host: { hop_in: target, hop_out: origin } }\n  timespan: 10m\n`;
        const text = [hop('hop_in', first), hop('hop_out', then), correlation].join('---\n');
        return importSigma([{ name: 'all.yml', text }])[2];
      };

      test.each([
        ['{ event: login }', '{ event: login }'],
        ['{ event: login }', '{ event|contains: log, port: 22 }'],
        ['{ event: [login, su] }', '{ event: [su, sudo] }'],
        ['{ event: [login, su] }', '{ port: 22 }'],
      ])('an event that may fit both, %s and %s, would count for one: not taken', (first, then) => {
        expect(hops(first, then)).toMatchObject({ status: 'skipped', reason: expect.stringMatching(/"hop_in" and/) });
      });

      test.each([
        ['{ event: login }', '{ event: logout }'],
        ['{ event: [login, su], port: 22 }', '{ port: [22, 23], event: [sudo] }'],
      ])('no event fits both %s and %s', (first, then) => {
        expect(hops(first, then)).toMatchObject({ status: 'imported' });
      });
    });

    test('a condition that asks for all of its rules says nothing new', () => {
      expect(imported('type: temporal\ncondition: { gte: 2 }')).toMatchObject({ status: 'imported' });
    });
  });

  test('a rule that is not part of the import is named', () => {
    expect(reasonOf(correlation('type: event_count\ncondition: { gte: 10 }'))).toMatch(/"failed_login" is not part/);
  });
});

describe('bad input', () => {
  const detection = 'detection: { sel: { f: a }, condition: sel }';
  test.each([
    ['', /holds no rule/],
    ['just words', /no map/],
    ['title: [', /Line 1/],
    [`logsource: { product: acme }\n${detection}`, /no title/],
    [`title: T\n${detection}`, /no log source/],
    ['title: T\nlogsource: { product: acme }', /no detection/],
    [`${head}detection: { sel: { f: a } }`, /no condition/],
    [`${head}detection: { condition: sel }`, /no selection/],
    [`${head}detection: { sel: {}, condition: sel }`, /empty/],
    [`${head}detection: { sel: [], condition: sel }`, /empty/],
    [`${head}detection: { sel: { f: [] }, condition: sel }`, /empty list/],
    [`${head}detection: { sel: { f: { g: a } }, condition: sel }`, /neither text nor number/],
    [`${head}detection: { sel: { 'f|sounds_like': a }, condition: sel }`, /no modifier "sounds_like"/],
    [`${head}detection: { sel: { 'f|contains|endswith': a }, condition: sel }`, /cannot both hold/],
    [`${head}detection: { sel: { 'f|cidr': nowhere }, condition: sel }`, /address ranges/],
    [`${head}detection: { sel: { 'f|re': '(' }, condition: sel }`, /^skipped.*RE2/],
    [`${head}detection: { sel: { 'f|re': '(?=a)b' }, condition: sel }`, /^skipped.*RE2/],
    [`${head}detection: { sel: { 'f|re': '[ab]{0,1000}c' }, condition: sel }`, /^skipped.*2,003 parts/],
    [`${head}detection: { sel: { f: a, f: b }, condition: sel }`, /"f" is there twice/],
    [`${head}x: &a [1]\ny: *a\n${detection}`, /references/],
    [`${head}x: !!js/function 'f'\n${detection}`, /Line|tag/i],
    [`${head}${'['.repeat(5000)}`, /nested|Line/i],
    [`${head}description: ${'x'.repeat(300_000)}\n${detection}`, /at most/],
    [`${head}status: deprecated\n${detection}`, /^skipped.*withdrawn/],
    [`${head}action: global\n${detection}`, /^skipped.*action/],
  ])('%#: is refused with the reason', (text, reason) => {
    expect(reasonOf(text)).toMatch(reason);
  });

  test('references that multiply are not even resolved', () => {
    const levels = Array.from(
      { length: 30 },
      (_, at) => `l${at}: &l${at} [${`*l${at - 1},`.repeat(at === 0 ? 0 : 9)}]`,
    );
    expect(reasonOf(`${head}${levels.join('\n')}\n${detection}`)).toMatch(/references/);
  });

  test('a condition that says one long list a thousand times is refused', () => {
    const values = Array.from({ length: 900 }, (_, at) => `value-${at}`);
    const text = `${head}detection:\n  sel: { f: [${values}] }\n  condition: ${Array(900).fill('not (not sel)').join(' or ')}`;
    expect(reasonOf(text.replaceAll('not (not sel)', '(sel)'))).toMatch(/too large|at most/);
  });

  test('of two rules with one id the first is taken and the second names it; a bad rule spoils no other', () => {
    const rule = `${head}${detection}\n`;
    const outcomes = importSigma([
      { name: 'a.yml', text: rule },
      { name: 'b.yml', text: `title: [\n---\n${rule}` },
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['imported', 'failed', 'failed']);
    expect(outcomes[2]).toMatchObject({ reason: expect.stringMatching(/another rule .* a\.yml/) });
  });

  test('names that reach prototypes are names like others', () => {
    expect(matches('sel: { __proto__: a, constructor: b }\ncondition: sel', {})).toBe(false);
    const fields = JSON.parse('{"__proto__":"a","constructor":"b"}') as Record<string, unknown>;
    expect(matches('sel: { __proto__: a, constructor: b }\ncondition: sel', fields)).toBe(true);
    expect(reasonOf(`${head}detection: { sel: { f: a }, condition: constructor }`)).toMatch(/not there/);
    expect(reasonOf(`title: T\nlogsource: { product: windows, category: constructor }\n${detection}`)).toBe('imported');
  });
});
