import type { ApiClient } from '@airdeck/api-client/client';
import { queryOptions } from '@tanstack/react-query';
import { policyOf } from '../lib/query-policy.ts';

const POLL_MS = 5000;

/** Mails of the local outbox, newest first. Stage `local` only. */
export function outboxQuery(api: ApiClient) {
  return queryOptions({
    ...policyOf('outbox'),
    queryKey: ['outbox'],
    queryFn: ({ signal }) => api.call('system.outbox', { anonymous: true, signal }),
    refetchInterval: POLL_MS,
  });
}
