import { createApiClient } from '@airdeck/api-client/client';
import type { Role } from '@airdeck/contracts/access/roles';
import { QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { createQueryClient } from '../lib/query-client.ts';
import { actionQueries } from '../queries/actions.ts';
import { ownTenant, userWith } from '../session/fixtures.ts';
import { presentSession } from '../session/tenant-session.ts';
import { prefetchOnEntry } from './prefetch-on-entry.ts';

/** Lets everything run that was only waiting for its turn. */
const turn = () =>
  new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });

/** A browser that is idle when the test says so, and a server that answers when the test says so. */
function entry(role: Role) {
  const waiting: (() => void)[] = [];
  const calls: { path: string; signal: AbortSignal | undefined; answer: () => void }[] = [];
  const api = createApiClient({
    baseUrl: 'https://air.test',
    getToken: async () => 'token',
    fetch: (address, init) =>
      new Promise((resolve, reject) => {
        const signal = init?.signal ?? undefined;
        signal?.addEventListener('abort', () => reject(signal.reason));
        const path = new URL(String(address)).pathname.replace(`/api/tenants/${ownTenant}/`, '');
        calls.push({ path, signal, answer: () => resolve(Response.json([])) });
      }),
    onUnauthorized: () => undefined,
    newId: () => 'id',
  });
  const session = presentSession(userWith({ own: role }), []);
  if (session === undefined) throw new Error('No session.');
  const queryClient = createQueryClient({ onMutationError: () => undefined });
  const tenantApi = { api, tenantId: ownTenant };
  const whenIdle = (run: () => void) => {
    waiting.push(run);
    return () => void waiting.splice(waiting.indexOf(run), 1);
  };
  const leave = prefetchOnEntry({ queryClient, tenantApi, session, whenIdle });
  return {
    ...{ waiting, calls, leave, queryClient, tenantApi },
    /** The browser is idle once; resolves when the call is out. */
    async idle() {
      const before = calls.length;
      waiting.shift()?.();
      await vi.waitFor(() => expect(calls).toHaveLength(before + 1));
    },
    /** The call is answered; resolves when the next one waits. */
    async answer() {
      calls.at(-1)?.answer();
      await vi.waitFor(() => expect(waiting).toHaveLength(1));
    },
  };
}

const forAnalysts = ['soar/available_actions', 'soar/playbooks', 'soar/playbook_activity', 'soar/actions_activity'];

test.each([
  ['ReadOnly', 0],
  ['Analyst', forAnalysts.length],
  ['SystemManager', forAnalysts.length + 1],
  ['Admin', forAnalysts.length + 1],
] as const)('%s prefetches what the role may see: %d lists', async (role, count) => {
  const { waiting, calls, idle, answer } = entry(role);
  for (let made = 1; made <= count; made += 1) {
    expect(waiting).toHaveLength(1);
    await idle();
    if (made < count) await answer();
  }
  calls.at(-1)?.answer();
  await turn();
  expect(waiting).toHaveLength(0);
  const paths = calls.map(({ path }) => path);
  expect(paths.slice(0, forAnalysts.length).toSorted()).toEqual(count === 0 ? [] : forAnalysts.toSorted());
  expect(paths.slice(forAnalysts.length)).toEqual(count > forAnalysts.length ? ['onboarding/in_progress'] : []);
});

test('nothing is asked for before the browser is idle, and the next only after the one before is answered', async () => {
  const { waiting, calls, idle } = entry('Analyst');
  expect(calls).toHaveLength(0);
  await idle();
  expect(waiting).toHaveLength(0);
  expect(calls).toHaveLength(1);
});

test('left while it waits, nothing is asked for', () => {
  const { waiting, calls, leave } = entry('Analyst');
  leave();
  expect(waiting).toHaveLength(0);
  expect(calls).toHaveLength(0);
});

test('left while a call is out, the call is let go and no other follows', async () => {
  const { waiting, calls, leave, idle } = entry('Analyst');
  await idle();
  leave();
  await vi.waitFor(() => expect(calls[0]?.signal?.aborted).toBe(true));
  await turn();
  expect(waiting).toHaveLength(0);
  expect(calls).toHaveLength(1);
});

test('a call a screen waits for by now goes on', async () => {
  const { calls, leave, idle, queryClient, tenantApi } = entry('Analyst');
  await idle();
  const stop = new QueryObserver(queryClient, actionQueries.list(tenantApi)).subscribe(() => undefined);
  leave();
  await turn();
  expect(calls[0]?.signal?.aborted).toBe(false);
  stop();
});

test('what is fresh already is not asked for again', async () => {
  const { waiting, calls, idle, queryClient, tenantApi } = entry('Analyst');
  queryClient.setQueryData(actionQueries.list(tenantApi).queryKey, []);
  waiting.shift()?.();
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  await idle();
  expect(calls[0]?.path).toBe('soar/playbooks');
});
