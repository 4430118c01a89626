import { writeField, writeValue } from '@airdeck/query-language/write-term';
import fc from 'fast-check';
import type { EventRow } from '../../storage/events-store.ts';

export const NOW = Date.parse('2026-11-21T12:00:00Z');

// A small world, so that queries and events meet often.
const word = fc.constantFrom(
  ...[
    'root',
    'Root',
    'admin',
    'web-1',
    'web_1',
    'failed',
    'Failed password',
    'MÜLLER',
    'müller',
    'straße',
    'ΑΣ',
    'İx',
    'naïve',
  ],
  ...[
    '192.0.2.7',
    '192.0.2.70',
    '198.51.100.1',
    '2001:db8::7',
    '2001:DB8:0:0::7',
    '::ffff:192.0.2.7',
    '10.0.0.0/8',
    '1.2.3',
  ],
  ...['5', '5.0', '-3', '1e3', '1000', '0x10', ' 5', '5.', '.5', 'inf', 'nan', '4625', '9007199254740993', 'true'],
  ...[
    'a%b',
    'a_b',
    'aXb',
    'a\\b',
    "o'neil",
    '"q"',
    '`x`',
    '{p0}',
    '日本語',
    '😀',
    'tab\there',
    'line\nbreak',
    '',
    '\\',
    '2026-11-20',
  ],
);
const key = fc.constantFrom(
  'x',
  'y',
  'x.y',
  'list',
  "o'k",
  'ö ä',
  '__proto__',
  'constructor',
  'user',
  'system',
  'select(1)',
  'fields',
);
const leaf = fc.oneof(
  { weight: 4, arbitrary: word },
  fc.constantFrom<unknown>(5, -3, 1000, 0.5, 4625, 1e21, 1e-7, 2 ** 53, true, false, null),
);
const inner = fc.dictionary(fc.constantFrom('y', 'z', "o'k"), fc.oneof(leaf, fc.array(leaf, { maxLength: 2 })), {
  maxKeys: 2,
});
const value = fc.oneof(
  { weight: 4, arbitrary: leaf },
  fc.array(leaf, { maxLength: 3 }),
  inner,
  fc.array(fc.oneof({ weight: 3, arbitrary: inner }, leaf), { maxLength: 3 }),
);
const fields = fc
  .dictionary(key, value, { maxKeys: 6 })
  // The store takes `x.y` and `y` in `x` for the same path, and refuses both at once.
  .filter((all) => !(Object.hasOwn(all, 'x') && Object.hasOwn(all, 'x.y')));
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));

/** Events of that world. */
export const randomEvent: fc.Arbitrary<Partial<EventRow>> = fc.record({
  user: word,
  src_ip: fc.constantFrom('', '192.0.2.7', '192.0.2.70', '2001:db8::7', '2001:DB8:0:0::7', '198.51.100.1', 'unknown'),
  host: fc.constantFrom('web-1', 'WEB-1', 'db-1', ''),
  severity: fc.constantFrom('', 'low', 'high'),
  integration: fc.constantFrom('sshd', 'okta'),
  message: text,
  raw: text,
  time: fc.constantFrom(NOW, NOW - 1, NOW - 60_000, NOW - 3_600_000, NOW - 86_400_000, Date.parse('2026-11-20')),
  fields,
});

const field = fc.oneof(
  fc.constantFrom('user', 'src_ip', 'host', 'severity', 'integration', 'message', 'raw'),
  key,
  fc.constantFrom(
    'x.y',
    'x.z',
    'list.y',
    "list.o'k",
    'fields.user',
    'fields.y',
    'fields.fields.y',
    'missing',
    'x.y.z',
    'system.x',
  ),
);
const quoted = word.map(writeValue);
const wildcard = word.map((one) => {
  const escaped = one.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&');
  return escaped.length < 2
    ? `${escaped}*`
    : `${escaped[0] === '\\' ? escaped.slice(0, 2) : escaped[0]}*${/[\p{L}\p{N}]$/u.test(escaped) ? escaped.slice(-1) : ''}`;
});
const asked = fc.oneof(
  { weight: 5, arbitrary: quoted },
  { weight: 3, arbitrary: wildcard },
  fc.constantFrom('*', '?oot', '*1', 'w?b*1', 'a\\%*', 'a\\_b', '*a*', '??', '*\\ *', '"*"'),
  fc.constantFrom('/.*oo.*/', '/[0-9.]+/', '/(?-i)root/', '/\\\\\\//', '/.*\\n.*/', '/(a+)+$/', '/^\\S+$/', '/.*ü.*/'),
  fc.constantFrom(
    '192.0.2.0/24',
    '192.0.2.0/30',
    '"2001:db8::/32"',
    '10.0.0.0/8',
    '0.0.0.0/0',
    '"::/0"',
    '"::ffff:192.0.2.7"',
  ),
);
const range = fc.constantFrom(
  ...['[5 TO 1000]', '{5 TO 1000}', '[* TO 5}', '>=4625', '<0', '>-3.5', '[1e2 TO *]', '[* TO *]', '>0.4'],
  ...[
    '[a TO n]',
    '{root TO *]',
    '>=m',
    '<"ü"',
    '["日" TO *]',
    '[192.0.2.0 TO 192.0.2.7]',
    '>192.0.2.7',
    '["2001:db8::" TO *]',
  ],
);
const time = fc.constantFrom('time:2026-11-20', 'time:>=now-1h', 'time:[now-1d TO now}', 'time:<now-1m', 'time:*');
const isText = (name: string) => name === 'message' || name === 'raw';
const term = fc.oneof(
  { weight: 3, arbitrary: asked.filter((one) => one !== '""' && !one.startsWith('\\ ')) },
  { weight: 6, arbitrary: fc.tuple(field, asked).map(([name, one]) => `${writeField(name)}:${one}`) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        field.filter((name) => !isText(name)),
        range,
      )
      .map(([name, one]) => `${writeField(name)}:${one}`),
  },
  { weight: 1, arbitrary: field.map((name) => `_exists_:${writeField(name)}`) },
  { weight: 1, arbitrary: time },
);
/** Queries that can be run, about that world. */
export const randomQuery: fc.Arbitrary<string> = fc.letrec<{ query: string }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 6, arbitrary: term },
    { weight: 2, arbitrary: fc.tuple(tie('query'), tie('query')).map(([a, b]) => `(${a} AND ${b})`) },
    { weight: 2, arbitrary: fc.tuple(tie('query'), tie('query')).map(([a, b]) => `(${a} OR ${b})`) },
    { weight: 1, arbitrary: fc.tuple(tie('query'), tie('query')).map(([a, b]) => `(${a} -${b})`) },
    { weight: 2, arbitrary: tie('query').map((a) => `NOT ${a}`) },
  ),
})).query;

const scrap = fc.constantFrom(
  ...[
    "'",
    '"',
    '`',
    '\\',
    '--',
    '/*',
    ';',
    '\0',
    '\n',
    '{p0:String}',
    '%',
    '_',
    '*',
    '?',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '#!',
  ],
  ...[
    ':',
    ' AND ',
    ' OR ',
    ' NOT ',
    '+',
    '-',
    '!',
    '/',
    ' TO ',
    '>=',
    '\ud800',
    '\u{1f600}',
    'ü',
    'root',
    '5',
    'x',
    ' ',
    '^',
  ],
  ...[
    'user:',
    'x.y:',
    'src_ip:',
    '_exists_:',
    '10.0.0.0/8',
    "' or 1=1--",
    'url(',
    'system.tables',
    'merge(',
    '"fields"',
    '[]:',
  ],
);
/** Texts of which few are queries and many look like attempts. */
export const scraps = fc.array(scrap, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));
