import { describe, expect, it } from 'vitest';
import { parseQuery } from './parse.ts';
import { queryLimits } from './query-limits.ts';
import type { QueryProblem } from './query-problem.ts';
import { fieldsOf, type Match, type QueryNode } from './query-tree.ts';

function treeOf(text: string): QueryNode {
  const result = parseQuery(text);
  if (!result.ok) throw new Error(`${text}: ${result.problem.message}`);
  return result.tree;
}

function problemOf(text: string): QueryProblem {
  const result = parseQuery(text);
  if (result.ok) throw new Error(`${text} was read as ${shape(result.tree)}`);
  return result.problem;
}

/** The tree in one line. */
function shape(node: QueryNode): string {
  if (node.kind === 'all') return 'all';
  if (node.kind === 'not') return `not(${shape(node.part)})`;
  if (node.kind !== 'term') return `${node.kind}(${node.parts.map(shape).join(' ')})`;
  return `${node.field === undefined ? '' : `${node.field}:`}${matchShape(node.match)}`;
}

function matchShape(match: Match): string {
  switch (match.kind) {
    case 'text':
      return match.text;
    case 'wildcard':
      return match.parts.map((part) => (part === 'any' ? '<*>' : part === 'one' ? '<?>' : part.literal)).join('');
    case 'regex':
      return `/${match.pattern}/`;
    case 'exists':
      return '<exists>';
    case 'range': {
      const { from, to } = match;
      const low = from === undefined ? '' : `${from.inclusive ? '>=' : '>'}${from.text}`;
      return `(${low}${to === undefined ? '' : `${to.inclusive ? '<=' : '<'}${to.text}`})`;
    }
  }
}

describe('terms', () => {
  it.each([
    ['', 'all'],
    ['  \n ', 'all'],
    ['*', 'all'],
    ['*:*', 'all'],
    ['*:root', 'root'],
    ['failed', 'failed'],
    ['"failed password"', 'failed password'],
    ['user:root', 'user:root'],
    ['user: root', 'user:root'],
    ['user:"john doe"', 'user:john doe'],
    ['"user name":root', 'user name:root'],
    ['winlog.event_data.User:x', 'winlog.event_data.User:x'],
    ['größe:Übermut', 'größe:Übermut'],
    ['user:adm*', 'user:adm<*>'],
    ['user:**?', 'user:<*><?>'],
    ['user:a\\*b', 'user:a*b'],
    ['user:*', 'user:<exists>'],
    ['_exists_:user.name', 'user.name:<exists>'],
    ['src_ip:10.0.0.0/8', 'src_ip:10.0.0.0/8'],
    ['src_ip:2001:db8::/32', 'src_ip:2001:db8::/32'],
    ['src_ip:(2001:db8::1 OR 2001:db8::2)', 'or(src_ip:2001:db8::1 src_ip:2001:db8::2)'],
    ['src_ip:(2001:db8::/32||fe80::1%eth0)', 'or(src_ip:2001:db8::/32 src_ip:fe80::1%eth0)'],
    ['src_ip:(-::1 ::ffff:192.0.2.7)', 'and(src_ip:::ffff:192.0.2.7 not(src_ip:::1))'],
    ['mac:(00:1A:2b:3c:4d:5e)', 'mac:00:1A:2b:3c:4d:5e'],
    [
      'time:(2026-11-21T10:15 OR 2026-11-21T10:15:00+02:00)',
      'or(time:2026-11-21T10:15 time:2026-11-21T10:15:00+02:00)',
    ],
    ['fe80::1 user:x', 'or(fe80::1 user:x)'],
    ['NOT 00:1a:2b:3c:4d:5e', 'not(00:1a:2b:3c:4d:5e)'],
    ['2001:db8::7', '2001:db8::7'],
    ['user:(c:d)', 'c:d'],
    ['2001:db8', '2001:db8'],
    ['00:1a:2b:3c:4d:5e:x', '00:1a:2b:3c:4d:5e:x'],
    ['path:"/var/log"', 'path:/var/log'],
    ['user:/adm.*\\/x/', 'user:/adm.*/x/'],
    ['/fail(ed|ure)/', '/fail(ed|ure)/'],
    ['port:[1 TO 5]', 'port:(>=1<=5)'],
    ['port:{1 TO 5]', 'port:(>1<=5)'],
    ['port:[* TO 5}', 'port:(<5)'],
    ['port:>=5', 'port:(>=5)'],
    ['port:< 5', 'port:(<5)'],
    ['time:["2026-11-20 10:00" TO now]', 'time:(>=2026-11-20 10:00<=now)'],
    ['temp:-5', 'temp:-5'],
    ['state:OR', 'state:OR'],
    ['sshd[4711]', 'sshd[4711]'],
    ['a-b+c!d', 'a-b+c!d'],
    ['foo\\ bar', 'foo bar'],
    ['foo\\:bar', 'foo:bar'],
    ['DOMAIN\\user', 'DOMAIN\\user'],
    ['"C:\\Windows\\system32"', 'C:\\Windows\\system32'],
    ['"say \\"hi\\" \\\\"', 'say "hi" \\'],
    ['\\AND', '\\AND'],
    ['"AND"', 'AND'],
  ])('%s is %s', (text, expected) => {
    expect(shape(treeOf(text))).toBe(expected);
  });
});

describe('operators', () => {
  it.each([
    ['a b', 'or(a b)'],
    ['a OR b', 'or(a b)'],
    ['a || b||c', 'or(a b c)'],
    ['a AND b', 'and(a b)'],
    ['a && b', 'and(a b)'],
    ['a AND b OR c AND d', 'or(and(a b) and(c d))'],
    ['a AND b c', 'or(and(a b) c)'],
    ['NOT a', 'not(a)'],
    ['!a', 'not(a)'],
    ['-a -b', 'and(not(a) not(b))'],
    ['a NOT b', 'and(a not(b))'],
    ['a -b c', 'and(or(a c) not(b))'],
    ['+a b -c', 'and(a not(c))'],
    ['a AND NOT b', 'and(a not(b))'],
    ['a OR NOT b', 'or(a not(b))'],
    ['NOT NOT a', 'not(not(a))'],
    ['NOT (a b)', 'not(or(a b))'],
    ['user:(a OR b)', 'or(user:a user:b)'],
    ['user:(+a* -host:b "c d")', 'and(user:a<*> not(host:b))'],
    ['port:(>=10 AND <20)', 'and(port:(>=10) port:(<20))'],
    ['-user:root', 'not(user:root)'],
    ['a and b', 'or(a and b)'],
    ['(((a)))', 'a'],
  ])('%s is %s', (text, expected) => {
    expect(shape(treeOf(text))).toBe(expected);
  });

  it.each(['fe80::1', '00:1a:2b:3c:4d:5e', '2026-11-21T10:15'])('%s is a term, not a field', (text) => {
    expect(fieldsOf(treeOf(`user:x AND ${text}`))).toEqual(['user']);
  });

  it('keeps where each part was written, so that the query bar can mark it', () => {
    expect(treeOf('a AND (user:"x y" OR -b)')).toMatchObject({
      span: { start: 0, end: 24 },
      parts: [
        { span: { start: 0, end: 1 } },
        { span: { start: 6, end: 24 }, parts: [{ span: { start: 7, end: 17 } }, {}] },
      ],
    });
  });

  it('names its fields once each', () => {
    expect(fieldsOf(treeOf('b:1 AND (a:2 OR NOT b:3) AND word AND _exists_:c'))).toEqual(['b', 'a', 'c']);
  });
});

describe('what cannot be read', () => {
  it.each([
    ['(a', 0, 1, 'never closed', '(a)'],
    ['a)', 1, 2, 'closes nothing', undefined],
    ['()', 0, 2, 'nothing in these brackets', undefined],
    ['user:"abc', 5, 9, 'never closed', 'user:"abc"'],
    ['a AND', 2, 5, 'nothing behind AND', undefined],
    ['OR a', 0, 2, 'nothing before OR', undefined],
    ['a AND OR b', 2, 5, 'nothing behind AND', undefined],
    ['user:', 0, 4, 'no value behind user:', undefined],
    ['user:(', 5, 6, undefined, undefined],
    ['user: AND b', 0, 4, 'no value behind user:', undefined],
    [':a', 0, 1, 'no field before', undefined],
    ['a :: b', 2, 3, 'no field before', undefined],
    ['port:>', 5, 6, 'no value behind >', undefined],
    ['port:[1 TO', 5, 6, 'never closed', undefined],
    ['port:[1 TO 5', 5, 6, 'never closed', 'port:[1 TO 5]'],
    ['port:[1 5]', 5, 9, 'not a range', undefined],
    ['port:[1* TO 5]', 6, 8, 'no wildcards', undefined],
    ['[1 TO 5]', 0, 1, 'needs a field', undefined],
    ['<38>Oct', 0, 1, 'needs a field', undefined],
    ['/var/log/auth.log', 0, 17, 'slash begins', '"/var/log/auth.log"'],
    ['path:/etc', 5, 9, 'slash begins', 'path:"/etc"'],
    ['C:\\Windows', 0, 10, 'field called C', '"C:\\Windows"'],
    ['https://example.com/x', 6, 21, 'slash begins', '"https://example.com/x"'],
    ['roam~', 0, 5, 'Similar words', undefined],
    ['"a b"~5', 0, 7, 'near each other', undefined],
    ['root^2', 0, 6, 'order of time', undefined],
    ['"a b"^2 c', 0, 7, 'order of time', '"a b" c'],
    ['us*r:x', 0, 4, 'no wildcards', undefined],
    ['a..b:x', 0, 4, 'is empty', undefined],
    ['a.b.c.d.e.f.g.h.i:x', 0, 17, 'at most 8 parts', undefined],
    ['"a`b":x', 0, 5, 'No field', undefined],
    ['a - b', 2, 3, 'stands alone', undefined],
    ['a ] b', 2, 3, 'closes nothing', undefined],
    ['a\\', 0, 2, 'nothing behind it', 'a\\\\'],
    ['_exists_:a*', 0, 11, 'name of a field', undefined],
    ['{"json":1}', 0, 1, 'needs a field', undefined],
  ])('%s: told where, why and what to do', (text, start, end, message, fix) => {
    const problem = problemOf(text);
    expect(problem.span).toEqual({ start, end });
    if (message !== undefined) expect(problem.message).toContain(message);
    expect(problem.fix).toBe(fix);
    if (fix !== undefined) expect(parseQuery(fix).ok).toBe(true);
  });
});

describe('limits', () => {
  const {
    maxLength,
    maxDepth,
    maxClauses,
    maxPatternLength,
    maxPatternParts,
    maxWildcardsPerTerm,
    maxLeadingWildcards,
  } = queryLimits;
  const repeated = (times: number) => `/a{${times}}/ `;

  it.each([
    ['length', 'a'.repeat(maxLength), 'a'.repeat(maxLength + 1)],
    [
      'depth of brackets',
      `${'('.repeat(maxDepth)}a${')'.repeat(maxDepth)}`,
      `${'('.repeat(maxDepth + 1)}a${')'.repeat(maxDepth + 1)}`,
    ],
    ['depth of negations', `${'-'.repeat(maxDepth)}a`, `${'-'.repeat(maxDepth + 1)}a`],
    ['terms', 'a '.repeat(maxClauses), 'a '.repeat(maxClauses + 1)],
    ['expression', `/${'a'.repeat(maxPatternLength)}/`, `/${'a'.repeat(maxPatternLength + 1)}/`],
    ['parts of an expression', repeated(maxPatternParts - 2), repeated(maxPatternParts - 1)],
    [
      'parts of several',
      repeated(998).repeat(maxPatternParts / 1_000),
      repeated(998).repeat(maxPatternParts / 1_000 + 1),
    ],
    ['wildcards', 'a*'.repeat(maxWildcardsPerTerm), 'a*'.repeat(maxWildcardsPerTerm + 1)],
    ['leading wildcards', '*a '.repeat(maxLeadingWildcards), '*a '.repeat(maxLeadingWildcards + 1)],
  ])('%s: the largest is read, one more is refused with a sentence', (_, largest, beyond) => {
    expect(parseQuery(largest).ok).toBe(true);
    expect(problemOf(beyond).message).toMatch(/\d/);
  });

  it.each([
    ['100 kB of text', 'x'.repeat(100_000)],
    ['10,000 terms', 'a OR '.repeat(10_000)],
    ['open brackets', '('.repeat(8_000)],
    ['closed brackets', ')'.repeat(8_000)],
    ['quotes', '"'.repeat(7_999)],
    ['signs', '!'.repeat(8_000)],
    ['slashes', '/ '.repeat(4_000)],
    ['backslashes', '\\'.repeat(7_999)],
    ['ranges', '['.repeat(8_000)],
  ])('%s are refused, not thrown', (_, text) => {
    expect(parseQuery(text).ok).toBe(false);
  });
});

describe('hints', () => {
  const hintsOf = (text: string) => {
    const result = parseQuery(text);
    return result.ok ? result.hints.map((hint) => hint.message) : [];
  };

  it('tells that an operator in lower case is a word, and that a column is nearly meant', () => {
    expect(hintsOf('a and b')[0]).toContain('write AND');
    expect(hintsOf('User:root')[0]).toContain('did you mean user:');
    expect(hintsOf('srcIp:192.0.2.7')[0]).toContain('did you mean src_ip:');
    expect(hintsOf('user:and OR "or" OR TargetUserName:x OR not')).toEqual([]);
  });
});
