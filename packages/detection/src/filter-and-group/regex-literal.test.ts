import fc from 'fast-check';
import { expect, test } from 'vitest';
import { literalIn } from './regex-literal.ts';

test.each([
  ['cmd.{0,5}(?:/c|/r).+clip(?:\\.exe)?', 'clip'],
  ['\\s-O\\s', '-O'],
  ['[^/]{100,}$', undefined],
  ['\\\\Windows\\\\Temp', '\\Windows\\Temp'],
  ['abc?def', 'def'],
  ['abcd|efgh', undefined],
  ['(?i)abcd', undefined],
  ['x[]ab]cdef', 'cdef'],
  ['x(a(b)[)])cdef', 'cdef'],
  ['ab{2}cdef', 'cdef'],
  ['ab{2,}cdef{1,3}', 'cde'],
  ['user=evil{admin|token=stolen', undefined],
  ['wxyz1{abc|def}', undefined],
  ['wxyz{,5}|abcd', undefined],
  ['\\Qa.b\\E', undefined],
])('%s needs %s', (expression, literal) => {
  expect(literalIn(expression, { ignoreCase: false })).toBe(literal);
});

test('letters that other letters fold to are left out where case is ignored', () => {
  expect(literalIn('powershell', { ignoreCase: true })).toBe('power');
});

test('what is said to be needed is in everything that is found', () => {
  const piece = fc.constantFrom(
    'ab',
    'b',
    '.',
    'a*',
    'b+',
    'a?',
    '[ab]',
    '(a|b)',
    '(?:ab)+',
    'a{2}',
    '{',
    '{b|',
    '}',
    '\\.',
    '\\\\',
    '^',
    '$',
  );
  const expression = fc.array(piece, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '\\'), maxLength: 12 });
  let found = 0;
  fc.assert(
    fc.property(expression, text, (source, one) => {
      const literal = literalIn(source, { ignoreCase: false });
      if (literal === undefined || !new RegExp(source).test(one)) return;
      found += 1;
      expect(one).toContain(literal);
    }),
    { numRuns: 5000 },
  );
  expect(found).toBeGreaterThan(100);
});
