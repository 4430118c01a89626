/** A stretch of the query text in UTF-16 units; `end` is the first unit behind it. */
export type Span = { readonly start: number; readonly end: number };

/** Why a query cannot be run, for the person who wrote it. */
export type QueryProblem = {
  readonly span: Span;
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

/** Runs the work; a `QueryError` becomes a result, everything else is a bug and stays one. */
export function resultOf<T>(work: () => T): QueryResult<T> {
  try {
    return { ok: true, ...work() };
  } catch (error) {
    if (error instanceof QueryError) return { ok: false, problem: error.problem };
    throw error;
  }
}
