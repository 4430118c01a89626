import { ApiError } from '@airdeck/api-client/api-error';
import type { QueryFunctionContext } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { TenantApi } from '../lib/tenant-api.ts';
import { airOverviewQueries } from './air-overview.ts';

const range = { start: new Date('2026-11-01T00:00:00Z'), end: new Date('2026-11-08T00:00:00Z'), timeZone: 'UTC' };

const failed = { endpoint: '/air/overview', method: 'GET', message: 'No.' } as const;

function ask(answer: (query: Record<string, string>) => unknown) {
  const call = async (_route: string, { query }: { query: Record<string, string> }) => answer(query);
  const { queryFn } = airOverviewQueries.get({ api: { call }, tenantId: 't1' } as unknown as TenantApi, range);
  const context = { signal: new AbortController().signal } as QueryFunctionContext;
  return (queryFn as unknown as (of: QueryFunctionContext) => Promise<unknown>)(context);
}

test('a server of the release before, which knows no zone, is asked without it', async () => {
  const refused = new ApiError({ ...failed, category: 'client', status: 400, code: 'VALIDATION_FAILED' });
  const asked: Record<string, string>[] = [];
  const answer = await ask((query) => {
    asked.push(query);
    if ('time_zone' in query) throw refused;
    return 'figures';
  });
  expect(answer).toBe('figures');
  expect(asked.map(({ time_zone: zone }) => zone)).toEqual(['UTC', undefined]);
});

test('another failure is told as it is', async () => {
  const away = new ApiError({ ...failed, category: 'server', status: 503, code: 'STORE_UNAVAILABLE' });
  let calls = 0;
  const answer = ask(() => {
    calls += 1;
    throw away;
  });
  await expect(answer).rejects.toBe(away);
  expect(calls).toBe(1);
});
