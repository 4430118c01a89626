import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { compileQuery } from './compile.ts';
import { parseQuery } from './parse.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

function compiled(query: string) {
  const parsed = parseQuery(query);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const result = compileQuery(parsed.tree, { now: NOW });
  if (!result.ok) throw new Error(result.problem.message);
  return { sql: result.sql, params: result.params };
}

describe('the SQL of', () => {
  it('a word asks the text index, once per column, with the word bound once', () => {
    expect(compiled('Failed')).toEqual({
      sql: '(hasToken(lowerUTF8(message), {p0:String}) or hasToken(lowerUTF8(raw), {p0:String}))',
      params: { p0: 'failed' },
    });
  });

  it('a phrase asks for its words first and then for the very text', () => {
    expect(compiled('message:"web-1 (up)"')).toEqual({
      sql: '((hasAllTokens(lowerUTF8(message), {p0:Array(String)}) and match(lowerUTF8(message), {p1:String})))',
      params: {
        p0: ['web', 'up', '1'],
        p1: '(?s)(?:^|[^0-9A-Za-z\\x{80}-\\x{10FFFF}])web-1 \\(up\\)',
      },
    });
  });

  it('a wildcard escapes what LIKE takes for wildcards', () => {
    expect(compiled('user:50%_\\\\x*?').params).toEqual({ p0: '50\\%\\_\\\\x%_' });
  });

  it('the integration uses the order of the table', () => {
    expect(compiled('integration:SSHD')).toEqual({ sql: '(integration = {p0:String})', params: { p0: 'sshd' } });
  });

  it('a time uses the index of times', () => {
    expect(compiled('time:[now-1h TO *]')).toEqual({
      sql: "(time >= fromUnixTimestamp64Milli({p0:Int64}, 'UTC'))",
      params: { p0: NOW - 3_600_000 },
    });
  });

  it('several values of one field read it once', () => {
    expect(compiled('user:(a OR B) OR host:x OR user:c')).toEqual({
      sql: '((lowerUTF8(user) in {p0:Array(String)}) or (lowerUTF8(host) = {p1:String}))',
      params: { p0: ['a', 'b', 'c'], p1: 'x' },
    });
  });

  it('a query for hundreds of fields is refused with a sentence before the store refuses it', () => {
    const parsed = parseQuery(Array.from({ length: 500 }, (_, index) => `f${index}.a:v`).join(' '));
    const result = parsed.ok ? compileQuery(parsed.tree, { now: NOW }) : parsed;
    expect(result).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining('too much at once') },
    });
  });

  it('a name of a field is an identifier that no character of it can end', () => {
    const { sql } = compiled('"x` or 1=1 --\'\\\\\u{1f600}":1'.replace('`', '´'));
    expect(sql).toContain('fields.`x\\xc2\\xb4\\x20or\\x201\\x3d1\\x20\\x2d\\x2d\\x27\\x5c\\xf0\\x9f\\x98\\x80`');
  });
});

// Everything a user may write is in parameters: what is left of the SQL is made of these words and escaped names only.
const OUR_WORDS = new RegExp(
  `^(?:${[
    'or|and|not|in|like|between|message|raw|user|src_ip|dst_ip|host|severity|integration|event_type|action|outcome|time',
    'received_at|connector_id|id|source|fields|lowerUTF8|hasToken|hasAllTokens|match|if|ifNull|startsWith|dynamicType',
    'arrayExists|arrayMap|arrayFilter|arrayFlatten|JSONExtractArrayRaw|JSONExtractRaw|JSONExtractString|JSONAllPaths',
    'assumeNotNull|toJSONString|notEmpty|substring|toIPv6OrNull|toFloat64OrNull|isFinite|toString|fromUnixTimestamp64Milli',
    'Nullable|String|v|h|o|j',
    "'(?:|Array\\(|None|null|UTC|\\{|\\[|\\{\\}|\\[\\]|\")'",
    '\\{p\\d+:(?:String|Array\\(String\\)|Int64|Float64|IPv6|UUID)\\}',
    '`(?:[0-9A-Za-z_]|\\\\x[0-9a-f]{2})*`',
    '[0-9]+|->|::|<=|>=|!=|[()\\[\\],.=<>^ ]',
  ].join('|')})+$`,
);

const hostile = fc.constantFrom(
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
    '$$',
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
  ],
  ...[
    ':',
    'AND ',
    ' OR ',
    ' NOT ',
    '+',
    '-',
    '!',
    '/',
    '~',
    '^',
    ' TO ',
    '>=',
    '\ud800',
    '\u{1f600}',
    'ü',
    'İ',
    '\u202e',
  ],
  ...[
    'user:',
    'a.b:',
    'time:',
    'src_ip:',
    'message:',
    '_exists_:',
    '10.0.0.0/8',
    '5',
    'now-1d',
    "' or 1=1--",
    'url(',
    'x',
  ],
);
const hostileText = fc.oneof(
  fc.array(hostile, { maxLength: 24 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ maxLength: 60 }),
);

test('10,000 hostile texts are read or refused, and whatever is read leaves no text of the user in the SQL', () => {
  let read = 0;
  fc.assert(
    fc.property(hostileText, (text) => {
      const parsed = parseQuery(text);
      if (!parsed.ok) return expectReadable(parsed.problem, text);
      const result = compileQuery(parsed.tree, { now: NOW });
      if (!result.ok) return expectReadable(result.problem, text);
      read += 1;
      expect(result.sql).toMatch(OUR_WORDS);
    }),
    { numRuns: 10_000 },
  );
  expect(read).toBeGreaterThan(2_000);
});

test('values reach the parameters unchanged, whatever characters they have', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.array(hostile, { minLength: 1 }).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(value, (text) => {
      const wellFormed = Buffer.from(text).toString();
      const { params } = compiled(`user:"${text.replaceAll(/["\\]/g, '\\$&')}"`);
      expect(Object.values(params)).toContain(wellFormed.toLowerCase());
    }),
    { numRuns: 2_000 },
  );
});

function expectReadable(problem: { message: string; span: { start: number; end: number } }, text: string): void {
  expect(problem.message).toMatch(/.{10}\.$/s);
  expect(problem.span.start).toBeGreaterThanOrEqual(0);
  expect(problem.span.end).toBeLessThanOrEqual(text.length);
}
