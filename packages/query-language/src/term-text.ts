import type { PlainReason } from './query-problem.ts';
import type { TextPart } from './query-tree.ts';

export type TextProblem = { readonly reason: PlainReason; readonly fix?: string };
export type ReadText = { readonly end: number; readonly text: string; readonly problem?: TextProblem };
export type ReadWord = ReadText & { readonly parts: readonly TextPart[] };

/** What ends an unquoted term, by where it stands: a colon only before one, brackets of ranges only inside a range. */
const wordEnds = {
  term: /[\s()":]|&&|\|\|/y,
  value: /[\s()"]|&&|\|\|/y,
  range: /[\s"\]}]/y,
} as const;

/** `roo~1` and `root^2` of Lucene; behind a backslash they are ordinary characters. */
const SUFFIX = /([~^])\d*(?:\.\d+)?$/;
const suffixProblems: Readonly<Record<string, TextProblem>> = {
  '~': { reason: 'QUERY_FUZZY_WORD' },
  '^': { reason: 'QUERY_WEIGHTED_WORD' },
};

/** An unquoted term from `at`, at least one character long. */
export function readWord(text: string, at: number, place: keyof typeof wordEnds): ReadWord {
  const parts: TextPart[] = [];
  let plain = '';
  let run = '';
  const wildcard = (part: 'any' | 'one') => {
    if (run !== '') parts.push({ literal: run });
    run = '';
    if (part === 'one' || parts.at(-1) !== 'any') parts.push(part);
  };
  const ends = wordEnds[place];
  let end = at;
  let lastEscape = -1;
  while (end < text.length && (end === at || !matchesAt(ends, text, end))) {
    const char = text[end] ?? '';
    const escaped = char === '\\' ? escapedAt(text, end) : undefined;
    if (escaped !== undefined) {
      run += escaped;
      plain += escaped;
      lastEscape = end + 1;
      end += 1 + escaped.length;
      continue;
    }
    if (char === '*') wildcard('any');
    else if (char === '?') wildcard('one');
    else run += char;
    plain += char;
    end += 1;
  }
  if (run !== '') parts.push({ literal: run });
  return { end, text: plain, parts, ...wordProblem(text, { at, end, lastEscape }) };
}

function wordProblem(text: string, { at, end, lastEscape }: { at: number; end: number; lastEscape: number }) {
  const written = text.slice(at, end);
  if (written.endsWith('\\') && lastEscape !== end - 1) {
    const problem: TextProblem = {
      reason: 'QUERY_BACKSLASH_ALONE',
      fix: `${text.slice(0, end)}\\${text.slice(end)}`,
    };
    return { problem };
  }
  const suffix = SUFFIX.exec(written);
  if (suffix === null || suffix.index === 0 || at + suffix.index === lastEscape) return {};
  const problem = suffixProblems[suffix[1] ?? ''];
  return problem === undefined ? {} : { problem };
}

/**
 * What a backslash makes of the character behind it. Before a letter or digit it is an ordinary character, so that
 * `DOMAIN\user` and `C:\Windows` mean what they say (Lucene would drop it silently).
 */
function escapedAt(text: string, at: number): string | undefined {
  const next = text.codePointAt(at + 1);
  if (next === undefined) return undefined;
  const char = String.fromCodePoint(next);
  return /[\p{L}\p{N}]/u.test(char) ? undefined : char;
}

/** A phrase from its opening quote. Only `\"` and `\\` are escapes in it, so paths of Windows need no care. */
export function readPhrase(text: string, at: number): ReadText {
  let meant = '';
  for (let end = at + 1; end < text.length; end++) {
    const char = text[end] ?? '';
    if (char === '"') return phraseEnd(text, end + 1, meant);
    const next = text[end + 1];
    if (char === '\\' && (next === '"' || next === '\\')) {
      meant += next;
      end += 1;
    } else meant += char;
  }
  const problem: TextProblem = {
    reason: 'QUERY_QUOTE_UNCLOSED',
    // Behind an odd backslash another quote would be text again.
    ...(text.endsWith('\\') ? {} : { fix: `${text}"` }),
  };
  return { end: text.length, text: meant, problem };
}

function phraseEnd(text: string, end: number, meant: string): ReadText {
  const suffix = /[~^]\d*(?:\.\d+)?/y;
  suffix.lastIndex = end;
  const found = suffix.exec(text);
  if (found === null) return { end, text: meant };
  const problem: TextProblem =
    found[0][0] === '~'
      ? { reason: 'QUERY_FUZZY_PHRASE' }
      : { reason: 'QUERY_WEIGHTED_PHRASE', fix: text.slice(0, end) + text.slice(suffix.lastIndex) };
  return { end: suffix.lastIndex, text: meant, problem };
}

/** A regular expression from its opening slash; `\/` is a slash in it. */
export function readRegex(text: string, at: number): ReadText {
  let pattern = '';
  for (let end = at + 1; end < text.length; end++) {
    const char = text[end] ?? '';
    if (char === '/') {
      const isEnd = end + 1 === text.length || /[\s()]/.test(text[end + 1] ?? '');
      return isEnd && pattern !== '' ? { end: end + 1, text: pattern } : pathInstead(text, at);
    }
    if (char === '\\' && end + 1 < text.length) {
      const next = text[end + 1] ?? '';
      pattern += next === '/' ? '/' : char + next;
      end += 1;
    } else pattern += char;
  }
  return pathInstead(text, at);
}

/** `/var/log/auth.log` would be the expression `var` and a rest in Lucene, which nobody means. */
function pathInstead(text: string, at: number): ReadText {
  const stop = /[\s()]/g;
  stop.lastIndex = at;
  const end = stop.exec(text)?.index ?? text.length;
  // The scheme of `https://example.com` belongs to what is meant.
  const scheme = text.startsWith('//', at)
    ? /[A-Za-z][A-Za-z0-9+.-]{0,20}:$/.exec(text.slice(Math.max(0, at - 21), at))
    : null;
  const from = at - (scheme?.[0].length ?? 0);
  const written = text.slice(from, end);
  const problem: TextProblem = {
    reason: 'QUERY_SLASH_ALONE',
    ...(written.includes('"') ? {} : { fix: `${text.slice(0, from)}"${written}"${text.slice(end)}` }),
  };
  return { end, text: written, problem };
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
