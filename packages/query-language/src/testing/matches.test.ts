import { describe, expect, it } from 'vitest';
import { parseQuery } from '../parse.ts';
import type { SearchableEvent } from '../search-columns.ts';
import { testEvent } from '../test-event.ts';
import { createMatcher } from './matches.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

function finds(query: string, parts: Partial<SearchableEvent> = {}): boolean {
  const parsed = parseQuery(query);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const matcher = createMatcher(parsed.tree, { now: NOW });
  if (!matcher.ok) throw new Error(matcher.problem.message);
  return matcher.matches(testEvent(parts));
}

function problemOf(query: string): string {
  const parsed = parseQuery(query);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const matcher = createMatcher(parsed.tree, { now: NOW });
  return matcher.ok ? 'none' : matcher.problem.message;
}

describe('words', () => {
  const message = 'User "MÜLLER" ran powershell.exe -EnCodedCommand from 10.0.0.1, foo_bar';
  it.each([
    ['powershell', true],
    ['powers', false],
    ['powers*', true],
    ['*shell', true],
    ['p?wershell.exe', true],
    ['power*shell', true],
    ['user*exe', false],
    ['encodedcommand', true],
    ['müller', true],
    ['"ran powershell"', true],
    ['"ran power"', false],
    ['"powershell ran"', false],
    ['10.0.0.1', true],
    ['0.0.1', true],
    ['10.0.0.10', false],
    ['0.0.0.1', false],
    ['foo', true],
    ['-encodedcommand', false],
    ['"-encodedcommand"', true],
    ['/coded.*FROM/', true],
    ['/(?-i:FROM)/', false],
    ['message:ran', true],
    ['raw:ran', false],
    ['message:*', true],
    ['message:""', false],
  ])('%s → %s', (query, expected) => {
    expect(finds(query, { message, raw: 'x' })).toBe(expected);
  });
});

describe('fields', () => {
  const fields = {
    EventID: 4625,
    ok: true,
    empty: '',
    nothing: null,
    size: '1500',
    big: 1e21,
    'a.b': 'dotted',
    deep: { er: { name: 'Inner' } },
    list: ['one', 2, null, { x: 'in list' }],
    objects: [{ name: 'first', tags: ['t1', 't2'] }, { name: 'second' }],
    none: [],
    hollow: {},
    net: '10.1.2.3',
    v6: '2001:0DB8::7',
    user: 'original',
    range: '10.0.0.0/8',
  };
  it.each([
    ['EventID:4625', true],
    ['eventid:4625', false],
    ['EventID:[4000 TO 5000]', true],
    ['EventID:[4000 TO 4625}', false],
    ['EventID:>4624.5', true],
    ['size:<=1500', true],
    ['ok:TRUE', true],
    ['big:1e21', true],
    ['empty:""', true],
    ['_exists_:empty', true],
    ['_exists_:nothing', false],
    ['_exists_:none', false],
    ['_exists_:hollow', false],
    ['_exists_:deep', true],
    ['_exists_:deep.er.name', true],
    ['_exists_:a', true],
    ['_exists_:b', false],
    ['_exists_:objects.tags', true],
    ['a.b:DOTTED', true],
    ['deep.er.name:inner', true],
    ['deep.er:inner', false],
    ['list:one', true],
    ['list:2', true],
    ['list.x:"in list"', true],
    ['objects.name:second', true],
    ['objects.tags:t2', true],
    ['objects.name:(first AND second)', true],
    ['net:10.0.0.0/8', true],
    ['net:11.0.0.0/8', false],
    ['net:"10.1.0.0/16"', true],
    ['net:[10.1.2.0 TO 10.1.2.3]', true],
    ['net:{10.1.2.3 TO *}', false],
    ['v6:2001:db8::/32', true],
    ['v6:"2001:db8:0::7"', true],
    ['v6:>10.0.0.0', false],
    ['range:10.0.0.0/8', true],
    ['user:root', true],
    ['fields.user:original', true],
    ['fields.user:root', false],
    ['net:10.*', true],
    ['net:10?1?2?3', true],
    ['net:1', false],
    ['net:/10\\..*/', true],
    ['net:/10/', false],
    ['missing:x', false],
    ['NOT missing:x', true],
    ['__proto__:*', false],
    ['constructor:*', false],
    ['dst_ip:*', false],
    ['dst_ip:""', true],
    ['dst_ip:/.*/', false],
    ['dst_ip:<z', false],
    ['dst_ip:0.0.0.0/0', false],
    ['src_ip:192.0.2.0/24', true],
    ['host:WEB-1*', true],
    ['severity:(low OR medium)', true],
    ['integration:SSHD', true],
    ['_id:0195F3A0-0000-7000-8000-0000000000A1', true],
    ['user:[p TO s]', true],
  ])('%s → %s', (query, expected) => {
    expect(finds(query, { fields })).toBe(expected);
  });
});

describe('times', () => {
  it.each([
    ['time:2026-11-20', true],
    ['time:2026-11-21', false],
    ['time:"2026-11-20T22:14"', true],
    ['time:2026-11-20T22:14:15Z', true],
    ['time:2026-11-20T23:14:15+01:00', true],
    ['time:>now-1d', true],
    ['time:>now-13h', false],
    ['time:[2026-11-19 TO 2026-11-20]', true],
    ['time:[2026-11-19 TO 2026-11-20}', false],
    ['time:{2026-11-20 TO *}', false],
    ['time:>=1763676855250', true],
    ['_received_at:>now', false],
    ['time:*', true],
  ])('%s → %s', (query, expected) => {
    expect(finds(query)).toBe(expected);
  });
});

describe('what a field cannot be asked', () => {
  it.each([
    ['time:yesterday', 'compared with a time'],
    ['time:2026-02-31', 'compared with a time'],
    ['time:2026*', 'compared with a time'],
    ['message:[a TO b]', 'no order'],
    ['*:[a TO b]', 'no order'],
    ['user:/(a/', 'not a regular expression'],
    ['user:/a)|(b/', 'not a regular expression'],
    ['user:/\\Qa/', 'not a regular expression'],
    ['user:/(?=a)/', 'not a regular expression'],
    ['user:/(a)\\1/', 'not a regular expression'],
    ['""', 'nothing in these quotes'],
  ])('%s', (query, message) => {
    expect(problemOf(query)).toContain(message);
  });
});

it('takes linear time for expressions that freeze a backtracking engine', () => {
  expect(finds('/(a+)+$/', { message: `${'a'.repeat(50_000)}!`, raw: '' })).toBe(false);
  expect(finds('a*a*a*a*a*a*a*a*a*b', { message: 'a'.repeat(20_000), raw: '' })).toBe(false);
});
