import { describe, expect, it } from 'vitest';
import { linearPattern } from './linear-pattern.ts';

describe('a pattern of the linear engine', () => {
  it('finds as a regular expression of JavaScript does', () => {
    expect(linearPattern('^[a-z]{2,4}\\d+$').test('abc12')).toBe(true);
    expect(linearPattern('b').test('abc')).toBe(true);
    expect(linearPattern('^\\u00e9+$').test('éé')).toBe(true);
    expect(linearPattern('^https?://').test('ftp://x')).toBe(false);
  });

  it('answers where the usual engine would work for years', () => {
    expect(linearPattern('^(a+)+$').test(`${'a'.repeat(20_000)}!`)).toBe(false);
  });

  it.each([
    ['look-ahead', '(?=a)'],
    ['a back-reference', '(a)\\1'],
    ['what is no pattern', '(['],
    ['too many states', '(a{100}){100}'],
    ['too many states, which it would take long to make', '(?:\\pL{1000})'.repeat(60)],
    ['too many characters', 'a'.repeat(1_001)],
  ])('refuses %s', (_name, pattern) => {
    expect(() => linearPattern(pattern)).toThrow(SyntaxError);
  });

  it('matches nothing in a text that is too long', () => {
    expect(linearPattern('a').test('a'.repeat(50_001))).toBe(false);
  });
});
