import { expressionSize } from '@airdeck/domain/expression-size';
import { checkFieldToken } from './field-name.ts';
import { queryLimits } from './query-limits.ts';
import { QueryError, type QueryProblem, queryProblem, type Span } from './query-problem.ts';
import type { QueryToken } from './query-tokens.ts';

/** Walks over the tokens that mean something, and counts what is limited. */
export type TokenCursor = {
  readonly text: string;
  /** The next token; a `bad` one is thrown as the problem it is. */
  peek(): QueryToken | undefined;
  take(): QueryToken;
  previous(): QueryToken | undefined;
  /** Takes a field name and its colon. */
  takeField(): string;
  /** Runs what reads the inside of the token, one level deeper. */
  deeper<T>(token: Span, read: () => T): T;
  /** Counts one term. */
  counted<T extends { span: Span }>(term: T): T;
  /** Counts one term that begins with a wildcard. */
  countLeadingWildcard(token: Span): void;
  /** Counts the parts of one regular expression. */
  countPattern(token: QueryToken): void;
};

export function createTokenCursor(text: string, all: readonly QueryToken[]): TokenCursor {
  const tokens = all.filter(({ kind }) => kind !== 'space');
  let at = 0;
  let depth = 0;
  let clauses = 0;
  let leadingWildcards = 0;
  let patternParts = 0;

  function peek(): QueryToken | undefined {
    const token = tokens[at];
    if (token?.kind === 'bad') throw new QueryError(badToken(token));
    return token;
  }
  function take(): QueryToken {
    const token = peek();
    if (token === undefined) throw new Error('Only what was seen is taken.');
    at += 1;
    return token;
  }
  return {
    text,
    peek,
    take,
    previous: () => tokens[at - 1],
    takeField() {
      const field = take();
      checkFieldToken(field);
      take();
      return field.text;
    },
    deeper(token, read) {
      depth += 1;
      if (depth > queryLimits.maxDepth) {
        const values = { maximum: queryLimits.maxDepth };
        throw new QueryError(queryProblem('QUERY_TOO_DEEP', token, { values }));
      }
      const result = read();
      depth -= 1;
      return result;
    },
    counted(term) {
      clauses += 1;
      if (clauses > queryLimits.maxClauses) {
        const values = { maximum: queryLimits.maxClauses };
        throw new QueryError(queryProblem('QUERY_TOO_MANY_TERMS', term.span, { values }));
      }
      return term;
    },
    countLeadingWildcard(token) {
      leadingWildcards += 1;
      if (leadingWildcards > queryLimits.maxLeadingWildcards) {
        const values = { maximum: queryLimits.maxLeadingWildcards };
        throw new QueryError(queryProblem('QUERY_TOO_MANY_LEADING_WILDCARDS', token, { values }));
      }
    },
    countPattern({ text: pattern, start, end }) {
      patternParts += expressionSize(pattern);
      if (patternParts > queryLimits.maxPatternParts) {
        const values = { maximum: queryLimits.maxPatternParts };
        throw new QueryError(queryProblem('QUERY_PATTERNS_TOO_LARGE', { start, end }, { values }));
      }
    },
  };
}

function badToken(token: QueryToken): QueryProblem {
  const { problem } = token;
  return problem === undefined
    ? queryProblem('QUERY_UNREADABLE', token)
    : queryProblem(problem.reason, token, { fix: problem.fix });
}
