import { ApiError, categoryOf } from '@airdeck/api-client/api-error';
import { onlineManager } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { presentError } from './error-presentation.ts';
import { createQueryClient, retryDelay, shouldRetry } from './query-client.ts';
import { policyOf } from './query-policy.ts';

const at = { endpoint: '/x', method: 'GET', code: 'CODE', message: 'words' };
const ofStatus = (status: number, retryAfterS?: number) =>
  new ApiError({ ...at, status, category: categoryOf(status), retryAfterS });
const ofCategory = (category: ApiError['category']) => new ApiError({ ...at, category });

test.each([
  ['a server failure', ofStatus(500), true],
  ['too many requests', ofStatus(429), true],
  ['no network', ofCategory('network'), true],
  ['an abort', ofCategory('abort'), false],
  ['a timeout', ofCategory('timeout'), false],
  ['a bad request', ofStatus(400), false],
  ['not found', ofStatus(404), false],
  ['not allowed', ofStatus(403), false],
  ['a confirmation', ofStatus(449), false],
  ['a mistake of ours', new Error('undefined is not a function'), false],
])('%s is retried: %o', (_, error, retried) => {
  expect(shouldRetry(0, error as Error)).toBe(retried);
});

test('three retries and no more', () => {
  expect([0, 1, 2, 3].map((failures) => shouldRetry(failures, ofStatus(500)))).toEqual([true, true, true, false]);
});

test('the wait doubles, is capped, and is the server’s where it asks for one', () => {
  expect([0, 1, 2, 9].map((failures) => retryDelay(failures, ofStatus(500)))).toEqual([1000, 2000, 4000, 30_000]);
  expect(retryDelay(0, ofStatus(429, 7))).toBe(7000);
});

test('a mutation that fails is not repeated, and is shown unless a form shows it', async () => {
  const onMutationError = vi.fn();
  const client = createQueryClient({ onMutationError });
  const mutationFn = vi.fn(() => Promise.reject(ofStatus(500)));
  const run = (meta: { failure?: 'inline' }) =>
    client
      .getMutationCache()
      .build<unknown, Error, void, unknown>(client, { mutationFn, meta })
      .execute()
      .catch(() => undefined);
  await run({ failure: 'inline' });
  expect(onMutationError).not.toHaveBeenCalled();
  await run({});
  expect(onMutationError).toHaveBeenCalledTimes(1);
  expect(mutationFn).toHaveBeenCalledTimes(2);
});

test('a mutation without a network fails at once, and is not done later', async () => {
  const client = createQueryClient({ onMutationError: () => undefined });
  const mutationFn = vi.fn(() => Promise.reject(ofCategory('network')));
  onlineManager.setOnline(false);
  try {
    const { networkMode } = client.getDefaultOptions().mutations ?? {};
    const mutation = client.getMutationCache().build(client, { mutationFn, ...(networkMode && { networkMode }) });
    await expect(mutation.execute(undefined)).rejects.toMatchObject({ category: 'network' });
    expect(mutationFn).toHaveBeenCalledTimes(1);
  } finally {
    onlineManager.setOnline(true);
  }
  expect(mutationFn).toHaveBeenCalledTimes(1);
});

test('a mutation that loads something is told as what it loads', async () => {
  const shown: unknown[] = [];
  const client = createQueryClient({ onMutationError: (error) => shown.push(presentError(error).title) });
  await client
    .getMutationCache()
    .build<unknown, Error, void, unknown>(client, {
      mutationFn: () => Promise.reject(ofStatus(500)),
      meta: { name: 'tenantContractFiles' },
    })
    .execute()
    .catch(() => undefined);
  expect(shown).toEqual(['Unable to load tenant contract files.']);
});

test('a failed query is told by its own text, the reason and the request id', async () => {
  const client = createQueryClient({ onMutationError: () => undefined });
  const failure = new ApiError({ ...at, status: 404, category: 'client', requestId: 'req-1' });
  const error: unknown = await client
    .fetchQuery({ ...policyOf('caseDetails'), queryKey: ['t', 'cases', 'x'], queryFn: () => Promise.reject(failure) })
    .catch((reason: unknown) => reason);
  expect(presentError(error)).toMatchObject({
    title: 'Unable to load case details.',
    text: 'Please refresh and try again. (words)',
    status: 404,
    retryable: false,
    requestId: 'req-1',
  });
});

test('anything unknown is told without its inner words', () => {
  expect(presentError(new Error('secret detail'))).toMatchObject({
    category: 'unknown',
    text: 'An unexpected error occurred. Please try again in a few minutes.',
  });
});
