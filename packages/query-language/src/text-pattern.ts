import { RE2JS } from 're2js';
import { QueryError, queryProblem, type Span } from './query-problem.ts';
import type { TextPart } from './query-tree.ts';
import type { WordsTest } from './search-check.ts';

/**
 * Letters, digits and everything beyond ASCII are parts of words; the rest is between them. The text index of the store
 * (`splitByNonAlpha`) cuts texts in the same way.
 */
const WORD_CHARS = '0-9A-Za-z\\x{80}-\\x{10FFFF}';
const isWordChar = (char: string) => /[0-9A-Za-z]/.test(char) || char.charCodeAt(0) > 0x7f;
const MAX_WORDS = 8;

/** Upper and lower case are the same to every comparison. */
export function fold(text: string): string {
  return text.toLowerCase();
}

/**
 * Looks for the text inside a longer one, where it must begin and end with whole words. `*` and `?` stand for characters
 * other than white space.
 */
export function wordsTest(parts: readonly TextPart[]): WordsTest {
  const folded = parts.map((part) => (typeof part === 'string' ? part : { literal: fold(part.literal) }));
  const body = folded.map((part) => (typeof part === 'string' ? wordWildcards[part] : escapePattern(part.literal)));
  const pattern = `(?s)${startOf(folded[0])}${body.join('')}${endOf(folded.at(-1))}`;
  const words = wholeWords(folded);
  const [first] = folded;
  const only = folded.length === 1 && typeof first === 'object' && first.literal === words[0] ? words[0] : undefined;
  return { pattern, words, only };
}

const wordWildcards = { any: '\\S*', one: '\\S' } as const;

function startOf(part: TextPart | undefined): string {
  const isWord = typeof part === 'object' && isWordChar(part.literal[0] ?? ' ');
  return isWord ? `(?:^|[^${WORD_CHARS}])` : '';
}

function endOf(part: TextPart | undefined): string {
  const isWord = typeof part === 'object' && isWordChar(part.literal.at(-1) ?? ' ');
  return isWord ? `(?:$|[^${WORD_CHARS}])` : '';
}

/** Words that must stand alone in every text that matches: those that do not touch a wildcard. */
function wholeWords(parts: readonly TextPart[]): string[] {
  const words = new Set<string>();
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') continue;
    for (const { 0: word, index: at } of part.literal.matchAll(/[0-9A-Za-z\u0080-\uffff]+/g)) {
      const touchesBefore = at === 0 && index > 0;
      const touchesAfter = at + word.length === part.literal.length && index < parts.length - 1;
      if (!touchesBefore && !touchesAfter) words.add(word);
    }
  }
  // Long words are rare ones.
  return [...words].sort((a, b) => b.length - a.length).slice(0, MAX_WORDS);
}

/** The pattern as the whole of a value. Throws a `QueryError` for what the linear engine does not take. */
export function wholePattern(pattern: string, span: Span): string {
  checkPattern(pattern, span);
  return checkPattern(`(?is)^(?:${pattern})$`, span);
}

/** The pattern anywhere in a text. */
export function innerPattern(pattern: string, span: Span): string {
  checkPattern(pattern, span);
  return checkPattern(`(?is)(?:${pattern})`, span);
}

function checkPattern(pattern: string, span: Span): string {
  try {
    RE2JS.compile(pattern);
    return pattern;
  } catch {
    throw new QueryError(queryProblem('QUERY_PATTERN_INVALID', span));
  }
}

/** A test of texts; both engines behind it take time linear in the text. */
export function patternTester(pattern: string): (text: string) => boolean {
  const compiled = RE2JS.compile(pattern);
  return (text) => compiled.matcher(text).find();
}

/** The parts as a pattern over a whole value. */
export function likePattern(parts: readonly TextPart[]): string {
  const body = parts.map((part) => (typeof part === 'string' ? likeWildcards[part] : escapePattern(part.literal)));
  return `(?s)^(?:${body.join('')})$`;
}

const likeWildcards = { any: '.*', one: '.' } as const;

function escapePattern(literal: string): string {
  return literal.replaceAll(/[\\^$.|?*+()[\]{}\p{Cc}]/gu, (char) =>
    /\p{Cc}/u.test(char) ? `\\x{${char.charCodeAt(0).toString(16)}}` : `\\${char}`,
  );
}
