import type { FieldCriterion } from '@airdeck/contracts/policies/schema';
import { describe, expect, test } from 'vitest';
import { createFieldSlots, readEvent } from '../event-values.ts';
import { testEvent } from '../test-event.ts';
import { operatorCompilers } from './operators.ts';
import { createSpending } from './policy-spending.ts';

function fits(criterion: Omit<FieldCriterion, 'field'>, value: unknown): boolean | string {
  const slots = createFieldSlots();
  const context = { spending: createSpending() };
  const compiled = operatorCompilers[criterion.operator](slots.slotOf('f'), { field: 'f', ...criterion }, context);
  if (typeof compiled !== 'function') {
    // Without it the sentence is English on every screen.
    expect(compiled.reason).toMatch(/^POLICY_/);
    return compiled.message;
  }
  return compiled(readEvent(testEvent({ fields: value === undefined ? {} : { f: value } }), slots.readers));
}

describe('each operator', () => {
  test.each<[Omit<FieldCriterion, 'field'>, unknown, boolean]>([
    [{ operator: 'equals', value: 'Root' }, 'rOOT', true],
    [{ operator: 'equals', value: 'Root', case_sensitive: true }, 'root', false],
    [{ operator: 'equals', value: 'Root', case_sensitive: true }, 'Root', true],
    [{ operator: 'equals', value: 4625 }, '4625', true],
    [{ operator: 'equals', value: '4625' }, 4625, true],
    [{ operator: 'equals', value: true }, true, true],
    [{ operator: 'equals', value: 'true' }, true, true],
    [{ operator: 'equals', value: 'b' }, ['a', 'B'], true],
    [{ operator: 'equals', value: 'a' }, undefined, false],
    [{ operator: 'equals', value: 'null' }, null, false],
    [{ operator: 'equals', value: '' }, '', true],
    [{ operator: 'equals', value: '[object Object]' }, {}, false],
    [{ operator: 'in', value: ['A', 2] }, 'a', true],
    [{ operator: 'in', value: ['A', 2] }, 2, true],
    [{ operator: 'in', value: ['A', 2] }, ['x', '2'], true],
    [{ operator: 'in', value: ['A'], case_sensitive: true }, 'a', false],
    [{ operator: 'in', value: ['A', 'B'] }, 'C', false],
    [{ operator: 'contains', value: 'ASS' }, 'password', true],
    [{ operator: 'contains', value: 'ASS', case_sensitive: true }, 'password', false],
    [{ operator: 'contains', value: 25 }, 4625, true],
    [{ operator: 'contains', value: '%_*.' }, 'a%_*.b', true],
    [{ operator: 'contains', value: 'x' }, ['a', 'bxb'], true],
    [{ operator: 'startswith', value: 'C:\\Temp' }, 'c:\\temp\\a.exe', true],
    [{ operator: 'startswith', value: 'temp' }, 'c:\\temp', false],
    [{ operator: 'endswith', value: '\\CMD.exe' }, 'c:\\windows\\cmd.exe', true],
    [{ operator: 'endswith', value: 'cmd' }, 'cmd.exe', false],
    [{ operator: 'regex', value: '^fail(ed|ure)' }, 'FAILED password', true],
    [{ operator: 'regex', value: '^fail(ed|ure)', case_sensitive: true }, 'FAILED', false],
    [{ operator: 'regex', value: 'b+$' }, ['a', 'abb'], true],
    [{ operator: 'regex', value: '^b' }, 'ab', false],
    [{ operator: 'cidr', value: '192.0.2.0/24' }, '192.0.2.200', true],
    [{ operator: 'cidr', value: ['198.51.100.0/24', '2001:db8::/32'] }, '2001:db8::1', true],
    [{ operator: 'cidr', value: '192.0.2.0/24' }, 'not an address', false],
    [{ operator: 'exists' }, 'x', true],
    [{ operator: 'exists' }, {}, true],
    [{ operator: 'exists' }, '', true],
    [{ operator: 'exists' }, [], false],
    [{ operator: 'exists' }, null, false],
    [{ operator: 'exists', value: false }, undefined, true],
    [{ operator: 'exists', value: false }, 0, false],
    [{ operator: 'gt', value: 5 }, 5, false],
    [{ operator: 'gte', value: 5 }, '5', true],
    [{ operator: 'lt', value: '10' }, 9.5, true],
    [{ operator: 'lte', value: -1 }, '-1e0', true],
    [{ operator: 'gt', value: 0 }, '', false],
    [{ operator: 'gt', value: 0 }, '0x10', false],
    [{ operator: 'lt', value: 5 }, undefined, false],
    [{ operator: 'gt', value: 5 }, [1, 9], true],
    [{ operator: 'contains', value: ['nope', 'ASS'] }, 'password', true],
    [{ operator: 'contains', value: ['word', 'ASS'], match: 'all' }, 'password', true],
    [{ operator: 'contains', value: ['word', 'nope'], match: 'all' }, 'password', false],
    [{ operator: 'contains', value: ['ab', 'cd'], match: 'all' }, ['xab', 'cdx'], true],
    [{ operator: 'in', value: ['a', 'b'], match: 'all' }, ['A', 'B', 'c'], true],
    [{ operator: 'in', value: ['a', 'b'], match: 'all' }, ['a'], false],
    [{ operator: 'regex', value: ['^x', 'b$'] }, 'ab', true],
    [{ operator: 'regex', value: ['^x', 'b$'], match: 'all' }, 'ab', false],
    [{ operator: 'wildcard', value: 'C:\\Users\\\\*\\a?.exe' }, 'c:\\users\\bob\\x\\a1.exe', true],
    [{ operator: 'wildcard', value: '*a*b*' }, 'ba', false],
    [{ operator: 'wildcard', value: 'a*a' }, 'a', false],
    [{ operator: 'wildcard', value: 'a?c' }, 'a*c', true],
    [{ operator: 'wildcard', value: 'a\\?c' }, 'abc', false],
    [{ operator: 'wildcard', value: 'a\\?c' }, 'a?c', true],
    [{ operator: 'wildcard', value: 'A*', case_sensitive: true }, 'ab', false],
    [{ operator: 'wildcard', value: '?' }, 'ab', false],
    [{ operator: 'wildcard', value: '*' }, '', true],
    [{ operator: 'empty' }, undefined, true],
    [{ operator: 'empty' }, '', true],
    [{ operator: 'empty' }, null, true],
    [{ operator: 'empty' }, '-', false],
    [{ operator: 'empty' }, 0, false],
  ])('%j on %j: %s', (criterion, value, expected) => {
    expect(fits(criterion, value)).toBe(expected);
  });
});

describe('values an operator cannot use are named', () => {
  test.each<[Omit<FieldCriterion, 'field'>, RegExp]>([
    [{ operator: 'equals' }, /one value/],
    [{ operator: 'equals', value: ['a'] }, /one value/],
    [{ operator: 'in', value: 'a' }, /list/],
    [{ operator: 'in', value: [] }, /list/],
    [{ operator: 'contains', value: '' }, /not empty/],
    [{ operator: 'startswith' }, /one text/],
    [{ operator: 'regex', value: '(' }, /RE2 syntax/],
    [{ operator: 'regex', value: '(?=a)b' }, /RE2 syntax/],
    [{ operator: 'regex', value: '(a)\\1' }, /RE2 syntax/],
    [{ operator: 'regex', value: 'a{1001}' }, /RE2 syntax/],
    [{ operator: 'regex', value: 'a{5000}' }, /5,002 parts, of at most 1,500/],
    [{ operator: 'regex', value: '((a{100}){100}){100}' }, /1,020,202 parts, of at most 1,500/],
    [{ operator: 'regex', value: '[ab]{0,1000}c' }, /2,003 parts/],
    [{ operator: 'regex', value: '(?:[ab]{0,30}){0,30}c' }, /1,893 parts/],
    [{ operator: 'regex', value: '(?:[ab]{0,30}){0,30}c'.repeat(40) }, /parts/],
    [{ operator: 'regex', value: ['a{1000}', 'b{1000}'] }, /2,004 parts/],
    [{ operator: 'regex', value: '\\pL'.repeat(600) }, /parts/],
    [{ operator: 'regex', value: 'a'.repeat(2001) }, /2,000/],
    [{ operator: 'cidr', value: '192.0.2.0/99' }, /192\.0\.2\.0\/99/],
    [{ operator: 'cidr', value: [] }, /an address range such as/],
    [{ operator: 'exists', value: 'yes' }, /true, false/],
    [{ operator: 'gt', value: 'many' }, /number/],
    [{ operator: 'contains', value: [] }, /one text/],
    [{ operator: 'contains', value: ['a', ''] }, /not empty/],
    [{ operator: 'regex', value: Array.from({ length: 51 }, () => 'a') }, /at most 50/],
    [{ operator: 'wildcard' }, /pattern/],
    [{ operator: 'empty', value: true }, /no value/],
    [{ operator: 'equals', value: 'a', value_field: 'b' }, /either a value/],
  ])('%j', (criterion, problem) => {
    expect(fits(criterion, 'x')).toMatch(problem);
  });
});

test('an expression that ruins backtracking engines runs in linear time', () => {
  // A backtracking engine needs 2^5000 steps here: the test would never end.
  expect(fits({ operator: 'regex', value: '^(a+)+$' }, `${'a'.repeat(5000)}!`)).toBe(false);
  expect(fits({ operator: 'regex', value: '^(a|a)*$' }, `${'a'.repeat(5000)}!`)).toBe(false);
});

test('of a text as long as an event may be, an expression with many parts sees the beginning', () => {
  const line = 'ab'.repeat(131_072);
  const many = '[ab]{0,700}c';
  expect(fits({ operator: 'regex', value: many }, line)).toBe(false);
  expect(fits({ operator: 'regex', value: many }, `${line.slice(0, 500)}c${line}`)).toBe(true);
  expect(fits({ operator: 'regex', value: many }, `${line}c`)).toBe(false);
  // With few parts it sees as much as any expression may.
  expect(fits({ operator: 'regex', value: 'c' }, `${line.slice(0, 49_000)}c${line}`)).toBe(true);
  expect(fits({ operator: 'regex', value: 'c' }, `${line}c`)).toBe(false);
  expect(fits({ operator: 'regex', value: many }, [...Array.from({ length: 20 }, () => line.slice(0, 100)), 'c'])).toBe(
    false,
  );
  expect(fits({ operator: 'regex', value: ['b$', 'aa'], match: 'all' }, ['ab', 'aa'])).toBe(true);
});

test('a very long text is no number and does not cost more than its length', () => {
  expect(fits({ operator: 'gt', value: 1 }, `${'1'.repeat(200_000)}x`)).toBe(false);
});

test('a pattern made to be slow is answered at once', () => {
  expect(fits({ operator: 'wildcard', value: '*a'.repeat(2000) }, 'a'.repeat(1999))).toBe(false);
});

describe('what a list of a policy can cost', () => {
  /** What a thousand values made to be slow spend on an event made for them, and whether it fits. */
  function spentOn(criterion: Omit<FieldCriterion, 'field'>, fields: Record<string, unknown>) {
    const slots = createFieldSlots();
    const context = { spending: createSpending(), otherSlot: slots.slotOf('other') };
    const compiled = operatorCompilers[criterion.operator](slots.slotOf('f'), { field: 'f', ...criterion }, context);
    if (typeof compiled !== 'function') throw new Error(compiled.message);
    const values = readEvent(testEvent({ fields }), slots.readers);
    return { fits: compiled(values), spent: values.spent() };
  }
  const MOST = 1_300_000;

  test.each<[string, Omit<FieldCriterion, 'field'>]>([
    ['a pattern compared at every place', { operator: 'wildcard', value: `*${'?a'.repeat(2_000)}b*` }],
    [
      'a thousand of them',
      { operator: 'wildcard', value: Array.from({ length: 1_000 }, (_, index) => `*${'?a'.repeat(1_500)}${index}*`) },
    ],
    [
      'a thousand texts',
      { operator: 'contains', value: Array.from({ length: 1_000 }, (_, index) => `${'a'.repeat(90)}${index}`) },
    ],
  ])('%s: bounded, and said', (_, criterion) => {
    const { fits: found, spent } = spentOn(criterion, { f: 'a'.repeat(262_144) });
    expect(found).toBe(false);
    expect(spent).toBeGreaterThan(50_000);
    expect(spent).toBeLessThan(MOST);
  });

  test('two fields of very many values are compared with a bounded number of them', () => {
    const many = (prefix: string) => Array.from({ length: 30_000 }, (_, index) => `${prefix}${index}`);
    const { fits: found, spent } = spentOn(
      { operator: 'contains', value_field: 'other' },
      { f: many('a'), other: many('b') },
    );
    expect(found).toBe(false);
    expect(spent).toBeLessThan(MOST);
  });

  test('short texts are looked at whole, whatever the list', () => {
    const value = [...Array.from({ length: 999 }, (_, index) => `never ${index}`), 'the end'];
    expect(spentOn({ operator: 'contains', value }, { f: `${'x'.repeat(20_000)} the end` }).fits).toBe(true);
    expect(spentOn({ operator: 'wildcard', value: value.map((one) => `*${one}`) }, { f: 'here is the end' }).fits).toBe(
      true,
    );
  });
});
