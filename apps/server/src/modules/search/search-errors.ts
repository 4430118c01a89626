import { ClickHouseError } from '@clickhouse/client';
import { AppError } from '../../http/app-error.ts';
import { EventsError, isTooExpensive } from '../../storage/events-store.ts';

/** CANNOT_COMPILE_REGEXP: the engine's expressions are a little narrower than those the language takes. */
const PATTERN_REFUSED = '427';

/** What the store said, as the person who searched should hear it. Everything else stays what it is. */
export function asSearchError(error: unknown): unknown {
  if (isTooExpensive(error)) return new AppError('SEARCH_TOO_EXPENSIVE', { cause: error });
  if (error instanceof EventsError && error.cause instanceof ClickHouseError && error.cause.code === PATTERN_REFUSED) {
    const message = 'A regular expression of this query is too large for the store.';
    return new AppError('QUERY_INVALID', { message, cause: error });
  }
  return error;
}
