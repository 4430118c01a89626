import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { expressionSize } from './expression-size.ts';

const engineSize = (expression: string) => RE2JS.compile(expression, RE2JS.CASE_INSENSITIVE).programSize();

describe('the parts of an expression', () => {
  test.each([
    ['a', 3],
    ['abc', 5],
    ['a{1000}', 1_002],
    ['a{0,1000}', 2_002],
    ['a{30,}', 34],
    ['[ab]{5}', 7],
    ['(?:[ab]{0,30}){0,30}c', 1_893],
    ['(ab){3}', 14],
    // What stands for itself is not counted.
    ['\\{1000}', 8],
    ['[{1000}]', 3],
    ['[]{1000}]', 3],
    ['\\x{1000}', 3],
    ['\\Qa{1000}\\E', 13],
    ['{1000', 7],
    ['C:\\\\programs', 13],
    ['\\pL', 24],
  ])('of %s are %d', (expression, size) => {
    expect(expressionSize(expression)).toBe(size);
  });

  test.each(['\\x{', '\\Q', '\\', '[', '[[:', '(', ')', 'a{1', '{1000}', '*'])(
    'are counted in %s as well',
    (broken) => {
      expect(expressionSize(broken)).toBeGreaterThan(0);
    },
  );

  test('are at least those the engine makes of it', () => {
    const letters = fc.constantFrom(
      'a',
      '.',
      '\\d',
      '\\pL',
      '[a-c]',
      '[^]x]',
      '[[:alpha:]-]',
      '\\x{2019}',
      '\\Qa(\\E',
      '^',
      '\\b',
    );
    const counts = fc.constantFrom('', '*', '+?', '?', '{3}', '{0}', '{2,}', '{0,}', '{0,4}', '{2,3}?');
    const { expression } = fc.letrec<{ expression: string; item: string }>((tie) => ({
      expression: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        tie('item'),
        fc.array(tie('item'), { maxLength: 4 }).map((items) => items.join('')),
        fc.array(tie('expression'), { minLength: 2, maxLength: 3 }).map((ways) => ways.join('|')),
      ),
      item: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.tuple(letters, counts).map((parts) => parts.join('')),
        fc
          .tuple(fc.constantFrom('(', '(?:', '(?i:', '(?P<n>'), tie('expression'), counts)
          .map(([open, inside, count]) => `${open}${inside})${count}`),
      ),
    }));
    let compiled = 0;
    fc.assert(
      fc.property(expression, (one) => {
        let made: number;
        try {
          made = engineSize(one);
        } catch {
          return;
        }
        compiled += 1;
        expect(expressionSize(one)).toBeGreaterThanOrEqual(made);
      }),
      { numRuns: 2_000 },
    );
    expect(compiled).toBeGreaterThan(500);
  });
});
