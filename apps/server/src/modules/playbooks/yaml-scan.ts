import type { TextValues } from '@airdeck/contracts/filled-text';
import type { PlaybookReason } from '@airdeck/contracts/playbooks/problem-texts';
import { Lexer } from 'yaml';

/** What is wrong at a place of the text; its line is filled in by whoever tells it. */
export type YamlProblem = { readonly offset: number } & YamlMistake;
type YamlMistake = { readonly reason: PlaybookReason; readonly values?: TextValues };

/** Deepest nesting, of brackets and of what begins on one line. */
const MAX_DEPTH = 40;

/** Before the content of a scalar; the lexer adds it, the text does not hold it. */
const SCALAR = '\u001f';
/** The other marks the lexer adds: begin of a document, end of a broken flow. */
const marks: ReadonlySet<string> = new Set(['\u0002', '\u0018']);
const opening: ReadonlySet<string> = new Set(['[', '{']);
const closing: ReadonlySet<string> = new Set([']', '}']);
/** Each begins another level when it follows the one before on the same line. */
const indicators: ReadonlySet<string> = new Set(['-', '?', ':']);

const refusedBeginnings: Readonly<Record<string, PlaybookReason>> = {
  '&': 'YAML_ANCHOR',
  '*': 'YAML_ALIAS',
  '!': 'YAML_TAG',
};

/**
 * The first thing in a text that the parser would take long for or that has no place in plain data, found by a look at its
 * tokens: the time is in proportion to the text up to there, whatever the text is.
 */
export function firstYamlProblem(text: string): YamlProblem | undefined {
  let offset = 0;
  let depth = 0;
  let onLine = 0;
  let isContent = false;
  for (const token of new Lexer().lex(text)) {
    if (token === SCALAR && !isContent) {
      isContent = true;
      continue;
    }
    if (marks.has(token) && !isContent) continue;
    if (!isContent) {
      if (opening.has(token)) depth += 1;
      if (closing.has(token)) depth -= 1;
      if (indicators.has(token) && depth === 0) onLine += 1;
      const mistake = tokenProblem(token, depth, onLine);
      if (mistake !== undefined) return { offset, ...mistake };
    }
    if (token.includes('\n')) onLine = 0;
    offset += token.length;
    isContent = false;
  }
  return undefined;
}

function tokenProblem(token: string, depth: number, onLine: number): YamlMistake | undefined {
  if (depth > MAX_DEPTH || onLine > MAX_DEPTH) return { reason: 'YAML_TOO_DEEP', values: { maximum: MAX_DEPTH } };
  if (depth < 0) return { reason: 'YAML_NOTHING_OPEN', values: { token } };
  const first = token[0] ?? '';
  const reason = Object.hasOwn(refusedBeginnings, first) ? refusedBeginnings[first] : undefined;
  return reason === undefined ? undefined : { reason };
}
