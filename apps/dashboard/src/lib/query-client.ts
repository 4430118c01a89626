import { ApiError } from '@airdeck/api-client/api-error';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { noteFailedQuery, type QueryName } from './load-failures.ts';
import { DEFAULT_KEEP_MS, DEFAULT_STALE_MS, staleUnlessFailed } from './query-policy.ts';
import { noteFailure } from './telemetry-queue.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Error;
    queryMeta: { name?: QueryName; persist?: boolean };
    /** `inline`: the form or dialog shows the failure itself, so no toast appears. `name`: what it loads, like a query. */
    mutationMeta: { failure?: 'inline'; name?: QueryName };
  }
}

const MAX_RETRIES = 3;
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 30_000;

/**
 * Retry rule of spec §9: up to three times; never after an abort, a timeout or a 4xx, except 429. An error that is not
 * a failed call is a mistake of ours and would only happen again.
 */
export function shouldRetry(failureCount: number, error: Error): boolean {
  if (failureCount >= MAX_RETRIES || !(error instanceof ApiError)) return false;
  if (error.category === 'abort' || error.category === 'timeout' || error.code === 'TOKEN_MISSING') return false;
  const status = error.status ?? 0;
  return status < 400 || status >= 500 || status === 429;
}

/** Waits as long as the server asked, else doubles from one second up to thirty. */
export function retryDelay(failureCount: number, error: Error): number {
  const asked = error instanceof ApiError ? error.retryAfterS : undefined;
  return Math.min(asked === undefined ? FIRST_DELAY_MS * 2 ** failureCount : asked * 1000, LONGEST_DELAY_MS);
}

type Deps = {
  /** Shows the failure of a mutation nobody else shows. */
  onMutationError: (error: Error) => void;
};

function noted(error: Error, meta: { name?: QueryName } | undefined): void {
  if (meta?.name !== undefined) noteFailedQuery(error, meta.name);
  noteFailure(error);
}

export function createQueryClient({ onMutationError }: Deps): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => noted(error, query.meta),
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        noted(error, mutation.meta);
        if (mutation.meta?.failure !== 'inline') onMutationError(error);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: staleUnlessFailed(DEFAULT_STALE_MS),
        gcTime: DEFAULT_KEEP_MS,
        retry: shouldRetry,
        retryDelay,
      },
      // Without a network too: it fails at once and is told, instead of being done unseen when the network is back.
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
