import { expect, test } from 'vitest';
import { sigmaPortions } from './sigma-portions.ts';

const ruleFile = (name: string, text: string) => ({ name: `${name}.yml`, text });
const base = (name: string) => `title: Base\nname: ${name}\ndetection: { sel: { f: a }, condition: sel }\n`;
const correlation = (rules: string, id = 'many') =>
  `title: Many\nid: ${id}\ncorrelation:\n  type: event_count\n  rules: ${rules}\n  timespan: 10m\n  condition: { gte: 3 }\n`;
const many = (count: number, bytes = 20) =>
  Array.from({ length: count }, (_, at) => ruleFile(`f${String(at).padStart(4, '0')}`, 'x'.repeat(bytes)));
const portionOf = (portions: { name: string }[][], name: string) =>
  portions.findIndex((files) => files.some((file) => file.name === `${name}.yml`));

test('portions hold every file once, in order, and fit into a call', () => {
  const files = Array.from({ length: 2500 }, (_, at) => ruleFile(String(at), 'é'.repeat(at % 7 === 0 ? 40_000 : 200)));
  const portions = sigmaPortions(files);
  expect(portions.flat().map(({ name, text }) => ({ name, text }))).toEqual(files);
  for (const portion of portions) {
    expect(portion.length).toBeLessThanOrEqual(1000);
    if (portion.length > 1) expect(new TextEncoder().encode(JSON.stringify(portion)).length).toBeLessThan(1_000_000);
  }
});

test.each([
  ['a list on one line', 'failed_signin', '[other, failed_signin]'],
  ['a list of lines', 'failed_signin', '\n    - other\n    - failed_signin # counted'],
  ['one name', 'failed_signin', 'failed_signin'],
  ['quotes', '"failed_signin" # by name', "['failed_signin']"],
  ['a name of several words', 'Failed sign-in', '\n  - Failed sign-in'],
])('a correlation is sent with the rules it names: %s', (_, name, rules) => {
  const files = [ruleFile('a', correlation(rules)), ...many(1200), ruleFile('z', base(name))];
  for (const lines of ['\n', '\r\n']) {
    const portions = sigmaPortions(files.map((one) => ({ ...one, text: one.text.replaceAll('\n', lines) })));
    expect(portions.length).toBeGreaterThan(2);
    expect(portionOf(portions, 'z')).toBe(portionOf(portions, 'a'));
    expect(portions.flat()).toHaveLength(files.length);
    expect(portions.every((portion) => portion.length <= 500)).toBe(true);
  }
});

test('by id, from behind, and over several files', () => {
  const files = [
    ruleFile('a', base('x').replace('name: x', 'id: 22222222-2222-4222-8222-222222222222')),
    ...many(600),
    ruleFile('y', correlation('[22222222-2222-4222-8222-222222222222, second]')),
    ...many(600).map(({ name, text }) => ruleFile(`z${name}`, text)),
    ruleFile('zz', base('second')),
  ];
  const portions = sigmaPortions(files);
  expect(portions[0]?.filter(({ name }) => /^(a|y|zz)\.yml$/.test(name)).map(({ name }) => name)).toEqual([
    ...['a.yml', 'y.yml', 'zz.yml'],
  ]);
});

test('of rules with one name the first is meant, also where others come to the portion before it', () => {
  const files = [
    ruleFile('0', correlation('[far]')),
    ruleFile('1', base('near')),
    ruleFile('2', correlation('[near]', 'more')),
    ruleFile('3', `${base('far')}---\n${base('near')}`),
  ];
  expect(sigmaPortions(files)[0]?.map(({ name }) => name)).toEqual(['0.yml', '1.yml', '2.yml', '3.yml']);
});

test('what is too large together is sent in its order', () => {
  const files = many(8, 190_000).map(({ name, text }, at) => ({
    name,
    text: `${at === 0 ? base('first') : correlation('[first]')}#${text}`,
  }));
  const portions = sigmaPortions(files);
  expect(portions.flat().map(({ name, text }) => ({ name, text }))).toEqual(files);
  expect(portions.map((portion) => portion.length)).toEqual([3, 3, 2]);
});
