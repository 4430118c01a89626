import type { Criterion } from '@airdeck/contracts/policies/schema';
import { compileWildcard, type PatternPiece } from '../filter-and-group/wildcard.ts';
import { allOf, anyOf, notOf } from './criterion-tree.ts';
import { failed, skipped } from './sigma-problem.ts';

/** The named parts of a rule's detection. */
export type Selections = {
  readonly names: readonly string[];
  /** Throws `SigmaProblem` for a selection that is wrong. */
  criterionOf(name: string): Criterion;
};

const MAX_CHARS = 8_000;
const MAX_DEPTH = 40;
const TOKEN = /\s*(\(|\)|[^\s()]+)/y;

/**
 * Reads `selection and not 1 of filter_*`. `not` binds tighter than `and`, `and` tighter than `or`.
 *
 * Throws `SigmaProblem`: what cannot be read, names that do not exist, counts other than `1 of`, `any of` and `all of`.
 */
export function readCondition(text: string, selections: Selections): Criterion {
  if (text.length > MAX_CHARS) throw failed(`A condition has at most ${MAX_CHARS} characters.`);
  const tokens = tokensOf(text);
  let at = 0;

  const peek = () => tokens[at]?.toLowerCase();
  const next = () => {
    const token = tokens[at];
    if (token === undefined) throw failed('The condition ends too early.');
    at += 1;
    return token;
  };

  function readOr(depth: number): Criterion {
    const parts = [readAnd(depth)];
    while (peek() === 'or') {
      at += 1;
      parts.push(readAnd(depth));
    }
    return anyOf(parts);
  }

  function readAnd(depth: number): Criterion {
    const parts = [readNot(depth)];
    while (peek() === 'and') {
      at += 1;
      parts.push(readNot(depth));
    }
    return allOf(parts);
  }

  function readNot(depth: number): Criterion {
    if (depth > MAX_DEPTH) throw failed(`The condition nests deeper than ${MAX_DEPTH} levels.`);
    if (peek() === 'not') {
      at += 1;
      return notOf(readNot(depth + 1));
    }
    if (peek() === '(') {
      at += 1;
      const inner = readOr(depth + 1);
      if (next() !== ')') throw failed('A bracket of the condition is not closed.');
      return inner;
    }
    return readOperand();
  }

  function readOperand(): Criterion {
    const token = next();
    if (peek() === 'of') {
      at += 1;
      return quantified(token.toLowerCase(), next(), selections);
    }
    if (token === ')' || ['and', 'or', 'of', 'them'].includes(token.toLowerCase())) {
      throw failed(`The condition cannot be read at "${token}".`);
    }
    if (!selections.names.includes(token)) throw failed(`The condition names "${token}", which is not there.`);
    return selections.criterionOf(token);
  }

  const criterion = readOr(0);
  const rest = tokens[at];
  if (rest !== undefined) throw failed(`The condition cannot be read at "${rest}".`);
  return criterion;
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) tokens.push(match[1] ?? '');
  return tokens;
}

function quantified(count: string, pattern: string, { names, criterionOf }: Selections): Criterion {
  if (!['1', 'any', 'all'].includes(count)) {
    if (/^\d+$/.test(count)) throw skipped(`"${count} of" is not run: only 1, any and all.`);
    throw failed(`The condition cannot be read at "${count} of".`);
  }
  const chosen = namesLike(pattern, names);
  if (chosen.length === 0) throw failed(`The condition names "${pattern}", which is not there.`);
  const criteria = chosen.map(criterionOf);
  return count === 'all' ? allOf(criteria) : anyOf(criteria);
}

/** `them` is everything but the names that begin with an underscore. */
function namesLike(pattern: string, names: readonly string[]): string[] {
  if (pattern.toLowerCase() === 'them') return names.filter((name) => !name.startsWith('_'));
  // What is longer is nobody's rule.
  if (pattern.length > 100) throw failed(`The name "${pattern}" cannot be read.`);
  const isLike = compileWildcard(
    pattern
      .split(/(\*)/)
      .flatMap((part): PatternPiece[] => (part === '' ? [] : [part === '*' ? 'any' : { text: part }])),
  );
  return names.filter(isLike);
}
