import { isRefusedWith } from '@airdeck/api-client/api-error';
import { parseQuery } from '@airdeck/query-language/parse';
import type { QueryProblem } from '@airdeck/query-language/query-problem';
import { SUGGESTION } from '@airdeck/query-language/query-texts';
import { told } from '../../language/translate.ts';

/** What the language itself says about a text; the store knows more, such as which patterns it runs. */
export function problemOf(query: string): QueryProblem | undefined {
  const read = parseQuery(query);
  return read.ok ? undefined : inWords(read.problem);
}

/** Probably not meant, though it can be searched. */
export function hintsOf(query: string): readonly string[] {
  const read = parseQuery(query);
  return read.ok ? read.hints.map(told) : [];
}

/** The problem of the query in an answer of the server; undefined when it failed for another reason. */
export function problemIn(error: unknown): QueryProblem | undefined {
  if (!isRefusedWith(error, 'QUERY_INVALID')) return undefined;
  const detail = error.details.find(({ path, start }) => path === 'query' || start !== undefined);
  if (detail?.start === undefined || detail.end === undefined) return undefined;
  const { start, end, message, reason = '', values = {}, suggestion, fix } = detail;
  return inWords({
    span: { start, end },
    ...{ message, reason, values },
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(fix === undefined ? {} : { fix }),
  });
}

/** Its texts as the page speaks; the place and the query put right are the same everywhere. */
function inWords(problem: QueryProblem): QueryProblem {
  const { reason, values, suggestion } = problem;
  if (suggestion === undefined) return { ...problem, message: told(problem) };
  return {
    ...problem,
    message: told(problem),
    suggestion: told({ message: suggestion, reason: `${reason}${SUGGESTION}`, values }),
  };
}
