import { expressionSize } from '@airdeck/domain/expression-size';
import { RE2JS } from 're2js';

/** A compiled pattern; `toString` gives the pattern back. */
export type LinearPattern = { test(text: string): boolean; toString(): string };

const MAX_PATTERN_LENGTH = 1_000;
const MAX_PROGRAM_SIZE = 500;
/** What may turn out to be small enough. Compiling more than that takes long, as repetitions are written out. */
const MAX_SIZE_TRIED = 4 * MAX_PROGRAM_SIZE;
/** Longer texts match nothing: the work is the product of text and pattern. */
const MAX_TEXT_LENGTH = 50_000;

/**
 * Compiles a regular expression somebody wrote for the engine whose time grows with the text only. Look-around and
 * back-references do not exist there. Throws a `SyntaxError` for what does not compile or is too large.
 */
export function linearPattern(pattern: string): LinearPattern {
  const compiled = compile(pattern);
  return {
    test: (text) => text.length <= MAX_TEXT_LENGTH && compiled.matcher(text).find(),
    toString: () => pattern,
  };
}

function compile(pattern: string): RE2JS {
  if (pattern.length > MAX_PATTERN_LENGTH) throw new SyntaxError('the pattern is too long');
  if (expressionSize(pattern) > MAX_SIZE_TRIED) throw new SyntaxError('the pattern is too large');
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    throw new SyntaxError(`the pattern cannot be used: ${error instanceof Error ? error.message : 'unknown'}`);
  }
  if (compiled.programSize() > MAX_PROGRAM_SIZE) throw new SyntaxError('the pattern is too large');
  return compiled;
}
