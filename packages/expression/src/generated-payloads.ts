/**
 * Expressions by the grammar, from a seed: most of them well-formed and many of them hostile, in what they name, how deep they
 * go and how much work they ask for. The same seed gives the same expressions on every machine.
 */

/** In [0, 1). */
export type Random = () => number;

/** A small generator with a period of 2^32 (mulberry32); its whole state is the seed. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What the expressions may read: hostile keys, long text, a long list, every type of JSON. Frozen, all of it. */
export const generatedContext: Readonly<Record<string, unknown>> = deepFrozen({
  data: JSON.parse(
    '{"a":1,"b":{"c":[1,2,{"d":"x"}]},"__proto__":{"polluted":1},"constructor":{"prototype":1},"toString":"t","then":"t"}',
  ) as unknown,
  text: `${'a'.repeat(40)}!`,
  long: 'ab '.repeat(10_000),
  items: Array.from({ length: 200 }, (_, index) => index),
  many: Array.from({ length: 2_000 }, (_, index) => ({ n: index, name: `name-${index}` })),
  number: 1,
  ratio: 0.5,
  none: null,
  yes: true,
});

type Grammar = { readonly random: Random; readonly bound: readonly string[] };
type Rule = (grammar: Grammar, depth: number) => string;

const names = ['data', 'text', 'long', 'items', 'many', 'number', 'ratio', 'none', 'yes', 'absent'];
const fields = ['a', 'b', 'c', 'd', 'n', 'name', 'constructor', '__proto__', 'prototype', 'toString', 'then', 'length'];
const literals = [
  ...[
    '0',
    '1',
    '-1',
    '7u',
    '2.5',
    '1e308',
    '9223372036854775807',
    '-9223372036854775808',
    '0x7fffffff',
    'true',
    'false',
  ],
  ...[
    'null',
    '""',
    "'a'",
    '"__proto__"',
    '"constructor"',
    'r"\\d+"',
    'b"ab"',
    '"\\u0000"',
    '"\\ud800"',
    '"""x"""',
    '[]',
  ],
];
const operators = ['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', '&&', '||', 'in'];
const methods = [
  ...['size', 'contains', 'startsWith', 'endsWith', 'matches', 'split', 'join', 'lowerAscii', 'upperAscii', 'trim'],
  ...['substring', 'indexOf', 'lastIndexOf', 'json', 'at', 'hex', 'base64', 'string', 'getFullYear', 'getHours'],
  ...['constructor', 'toString', 'valueOf', 'repeat', 'push', 'call', 'apply', 'bind', 'hasOwnProperty'],
];
const functions = [
  'size',
  'string',
  'int',
  'uint',
  'double',
  'bool',
  'bytes',
  'type',
  'dyn',
  'timestamp',
  'duration',
  'eval',
];
const macros = ['all', 'exists', 'exists_one', 'map', 'filter'];
const patterns = ['"(a+)+$"', '"a{900}"', '"(a|aa)*b"', '"[^ ]* [^ ]* "', '"("', '"(?=a)"', '"\\\\1"', '".*.*.*.*=.*"'];

/** Rules that go deeper, each as often as it stands here. */
const nested: readonly Rule[] = [
  (g, depth) => `${part(g, depth)} ${pick(g, operators)} ${part(g, depth)}`,
  (g, depth) => `(${part(g, depth)} ${pick(g, operators)} ${part(g, depth)})`,
  (g, depth) => `${pick(g, ['!', '-', '!!', '--'])}${part(g, depth)}`,
  (g, depth) => `(${part(g, depth)} ? ${part(g, depth)} : ${part(g, depth)})`,
  (g, depth) => `${part(g, depth)}.${pick(g, fields)}`,
  (g, depth) => `${part(g, depth)}[${part(g, depth)}]`,
  (g, depth) => `[${several(g, depth, part)}]`,
  (g, depth) => `{${several(g, depth, (inner, below) => `${part(inner, below)}: ${part(inner, below)}`)}}`,
  (g, depth) => `${part(g, depth)}.${pick(g, methods)}(${several(g, depth, part)})`,
  (g, depth) => `${pick(g, functions)}(${several(g, depth, part)})`,
  (g, depth) => `has(${part(g, depth)}.${pick(g, fields)})`,
  (g, depth) => `${part(g, depth)}.matches(${pick(g, patterns)})`,
  comprehension,
  comprehension,
  (g, depth) => {
    const name = newName(g);
    return `cel.bind(${name}, ${part(g, depth)}, ${part({ ...g, bound: [...g.bound, name] }, depth)})`;
  },
];

/** Shapes made to cost much: they double, nest, repeat, or go deep. `n` is up to a hundred. */
const explosions: readonly ((g: Grammar, n: number) => string)[] = [
  (_, n) => `${'('.repeat(n)}1${')'.repeat(n)}`,
  (_, n) => `${'['.repeat(n)}${']'.repeat(n)}`,
  (g, n) => `${pick(g, ['!', '-'])}${pick(g, ['!', '-']).repeat(n * 10)}yes`,
  (g, n) => `${pick(g, names)}${` ${pick(g, operators)} ${pick(g, names)}`.repeat(n)}`,
  (g, n) => `${pick(g, names)}${`.${pick(g, fields)}`.repeat(n)}`,
  (_, n) => `${'yes ? '.repeat(n)}1${' : 2'.repeat(n)}`,
  (g, n) => nestedMacros(g, 1 + (n % 9)),
  (g, n) => doubling(g, 1 + (n % 40)),
  (g, n) => `${pick(g, ['items', 'many'])}.map(x, long + string(${n}))`,
  (g) => `${pick(g, ['items', 'many'])}.map(x, ${pick(g, ['items', 'many', 'long'])}).map(x, x + x)`,
  (_, n) => `long.matches("(a|b| ){${n}}(a|b)*c")`,
  (_, n) => `[${'long,'.repeat(n)}long] == [${'long,'.repeat(n)}long]`,
  (_, n) => `many == many && ${'many == many && '.repeat(n)}yes`,
  (_, n) => `long.split("").map(x, x + "${'y'.repeat(n)}")`,
];

/** One expression, at most a few thousand characters long; about one in forty is made to explode, one in ten is broken. */
export function generatedExpression(random: Random): string {
  const grammar: Grammar = { random, bound: [] };
  const kind = random();
  if (kind < 0.025) return pick(grammar, explosions)(grammar, Math.floor(random() * 100));
  const text = part(grammar, 2 + Math.floor(random() * 4));
  return kind < 0.125 ? broken(grammar, text) : text;
}

function part(g: Grammar, depth: number): string {
  if (depth <= 0 || g.random() < 0.15) return leaf(g);
  return pick(g, nested)(g, depth - 1);
}

function leaf(g: Grammar): string {
  const kind = g.random();
  if (kind < 0.3 && g.bound.length > 0) return pick(g, g.bound);
  return kind < 0.7 ? pick(g, names) : pick(g, literals);
}

function comprehension(g: Grammar, depth: number): string {
  const name = newName(g);
  const inner = { ...g, bound: [...g.bound, name] };
  return `${part(g, depth)}.${pick(g, macros)}(${name}, ${part(inner, depth)})`;
}

/** Now and then a name the host knows. */
function newName(g: Grammar): string {
  return pick(g, ['x', 'y', 'z', 'w', 'x', 'y', 'z', 'w', '__proto__', 'constructor', 'data']);
}

function several(g: Grammar, depth: number, rule: Rule): string {
  return Array.from({ length: Math.floor(g.random() * 3) }, () => rule(g, depth)).join(', ');
}

function nestedMacros(g: Grammar, levels: number): string {
  const list = pick(g, ['items', 'many']);
  let text = 'x0';
  for (let level = levels - 1; level >= 0; level -= 1) text = `${list}.${pick(g, macros)}(x${level}, ${text})`;
  return text;
}

function doubling(g: Grammar, levels: number): string {
  const doubled = pick(g, ['NAME + NAME', '[NAME, NAME]', '{"a": NAME, "b": NAME}', 'NAME == NAME ? NAME : NAME']);
  let text = `v${levels}`;
  for (let level = levels; level > 0; level -= 1)
    text = `cel.bind(v${level}, ${doubled.replaceAll('NAME', `v${level - 1}`)}, ${text})`;
  return `cel.bind(v0, ${pick(g, ['text', 'items', 'long', 'many', 'data'])}, ${text})`;
}

/** A character taken out, put in, or everything after a place cut off. */
function broken(g: Grammar, text: string): string {
  const at = Math.floor(g.random() * text.length);
  const added = pick(g, [
    '',
    '(',
    ')',
    '"',
    "'",
    '{{',
    '}}',
    '\\',
    '`',
    ';',
    '=',
    '=>',
    '\u0000',
    '\u202e',
    '//',
    '🦊',
  ]);
  const rest = [text.slice(at), text.slice(at + 1), ''];
  return text.slice(0, at) + added + pick(g, rest);
}

function pick<T>(g: Grammar, from: readonly T[]): T {
  const chosen = from[Math.floor(g.random() * from.length)];
  if (chosen === undefined) throw new Error('There is nothing to choose from.');
  return chosen;
}

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFrozen(inner);
    Object.freeze(value);
  }
  return value;
}
