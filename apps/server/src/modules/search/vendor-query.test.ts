import { parseQuery } from '@airdeck/query-language/parse';
import { describe, expect, it } from 'vitest';
import { filterNode } from './filter-node.ts';
import { NotAskable, vendorQuery } from './vendor-query.ts';

const dialect = {
  names: { host: 'source', time: 'timestamp' },
  integration: 'graylog',
  now: Date.parse('2026-11-21T12:00:00Z'),
};

function asked(query: string): string {
  const parsed = parseQuery(query);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return vendorQuery(parsed.tree, dialect);
}

describe("a query in the vendor's language", () => {
  it.each([
    ['', '*'],
    ['failed', 'failed'],
    ['"failed password"', '"failed password"'],
    ['host:web-1 AND user:root', 'source:web-1 AND user:root'],
    ['(a OR b) AND c', '(a OR b) AND c'],
    ['a AND NOT b', 'a AND (* AND NOT b)'],
    ['user:a*b?', 'user:a*b?'],
    ['path:"c:\\dir \\"x\\""', 'path:"c:\\\\dir \\"x\\""'],
    ['user:/a.b/', 'user:/a.b/'],
    ['port:[1 TO 5}', 'port:[1 TO 5}'],
    ['port:>=5', 'port:[5 TO *]'],
    ['_exists_:user', '_exists_:user'],
    ['fields.host:x', 'host:x'],
    ['time:>now-1h', 'timestamp:["2026-11-21 11:00:00.001" TO *}'],
    ['time:2026-11-21', 'timestamp:["2026-11-21 00:00:00.000" TO "2026-11-22 00:00:00.000"}'],
    ['time:<="2026-11-21T12:30:00+02:00"', 'timestamp:[* TO "2026-11-21 10:30:01.000"}'],
    ['integration:graylog AND x', '* AND x'],
    ['integration:okta AND x', '(* AND NOT *) AND x'],
  ])('%s is %s', (query, expected) => {
    expect(asked(query)).toBe(expected);
  });

  it('takes every character of a filter as it is', () => {
    const node = filterNode({ field: 'user', op: 'contains', value: 'a" OR *:(x)' });
    expect(vendorQuery(node, dialect)).toBe('user:*a\\"\\ OR\\ \\*\\:\\(x\\)*');
  });

  it.each(['_received_at:>now-1h', '_source_id:x', 'integration:gray*'])('has no way to say %s', (query) => {
    expect(() => asked(query)).toThrow(NotAskable);
  });
});
