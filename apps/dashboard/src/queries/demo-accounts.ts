import type { ApiClient } from '@airdeck/api-client/client';
import { queryOptions } from '@tanstack/react-query';
import { policyOf } from '../lib/query-policy.ts';

const CODE_LIFE_MS = 30_000;

/** Demo sign-ins with their present codes; asked again when the codes change. Stage `local` only. */
export const demoAccountQueries = {
  list: (api: ApiClient) =>
    queryOptions({
      ...policyOf('demoAccounts'),
      queryKey: ['demo-accounts'],
      queryFn: ({ signal }) => api.call('system.demo-accounts', { anonymous: true, signal }),
      refetchInterval: ({ state }) =>
        state.data === undefined
          ? false
          : Math.min(CODE_LIFE_MS, ...state.data.map(({ seconds_left }) => (seconds_left + 1) * 1000)),
    }),
};
