import { filledText, type Placeholders, type TextValues } from '@airdeck/contracts/filled-text';
import { type QueryReason, queryTexts } from './query-texts.ts';

/** A stretch of the query text in UTF-16 units; `end` is the first unit behind it. */
export type Span = { readonly start: number; readonly end: number };

/** Why a query cannot be run, for the person who wrote it. */
export type QueryProblem = {
  readonly span: Span;
  /** Which of `queryTexts` it is. */
  readonly reason: string;
  /** What its texts fill in. */
  readonly values: TextValues;
  /** One sentence: what is wrong. */
  readonly message: string;
  /** One sentence: what to do about it. */
  readonly suggestion?: string;
  /** The whole query with the problem corrected, where there is only one way to mean it. */
  readonly fix?: string;
};

export type QueryResult<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly problem: QueryProblem };

/** Carries a problem up to the public function, which turns it into a result; never leaves the package. */
export class QueryError extends Error {
  readonly problem: QueryProblem;

  constructor(problem: QueryProblem) {
    super(problem.message);
    this.name = 'QueryError';
    this.problem = problem;
  }
}

type TextsOf<Reason extends QueryReason> = (typeof queryTexts)[Reason][keyof (typeof queryTexts)[Reason]] & string;
type ValuesOf<Reason extends QueryReason> = Readonly<Record<Placeholders<TextsOf<Reason>>, string | number>>;

/** What a problem fills in, and the corrected query, where there is one. */
type More<Reason extends QueryReason> = { readonly fix?: string | undefined } & ([
  Placeholders<TextsOf<Reason>>,
] extends [never]
  ? { readonly values?: undefined }
  : { readonly values: ValuesOf<Reason> });

/** Reasons whose texts fill in nothing. */
export type PlainReason = {
  [Reason in QueryReason]: [Placeholders<TextsOf<Reason>>] extends [never] ? Reason : never;
}[QueryReason];

/** A problem by its reason. */
export function queryProblem<Reason extends QueryReason>(
  reason: Reason,
  { start, end }: Span,
  ...[more]: [Placeholders<TextsOf<Reason>>] extends [never] ? [more?: More<Reason>] : [more: More<Reason>]
): QueryProblem {
  const texts: { message: string; suggestion?: string } = queryTexts[reason];
  const values: TextValues = more?.values ?? {};
  return {
    span: { start, end },
    reason,
    values,
    message: filledText(texts.message, values),
    ...(texts.suggestion === undefined ? {} : { suggestion: filledText(texts.suggestion, values) }),
    ...(more?.fix === undefined ? {} : { fix: more.fix }),
  };
}

/** Runs the work; a `QueryError` becomes a result, everything else is a bug and stays one. */
export function resultOf<T>(work: () => T): QueryResult<T> {
  try {
    return { ok: true, ...work() };
  } catch (error) {
    if (error instanceof QueryError) return { ok: false, problem: error.problem };
    throw error;
  }
}
