// @vitest-environment jsdom
import { createApiClient } from '@airdeck/api-client/client';
import type { ActionActivity, PlaybookRun, RunActionSummary } from '@airdeck/contracts/activity/schema';
import type { ActionStatus, RunStatus } from '@airdeck/contracts/statuses';
import { focusManager, InfiniteQueryObserver, type QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createQueryClient } from '../lib/query-client.ts';
import type { TenantApi } from '../lib/tenant-api.ts';
import { ownTenant } from '../session/fixtures.ts';
import { actionRunQueries, runQueries } from './activity.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const ID = '01920000-0000-7000-8000-000000000801';
const NOW = '2026-11-23T12:00:00.000Z';

/** What the server has now; null stands for a server that fails. */
let stored: { runs: PlaybookRun[]; actions: ActionActivity[] } | null;
let asked: string[];
let client: QueryClient;
let stop: (() => void)[];

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(NOW) });
  asked = [];
  stop = [];
  client = createQueryClient({ onMutationError: () => undefined });
});
afterEach(() => {
  for (const each of stop) each();
  client.clear();
  focusManager.setFocused(undefined);
  vi.useRealTimers();
});

const api: TenantApi['api'] = createApiClient({
  baseUrl: 'https://air.test',
  getToken: async () => 'token',
  fetch: async (address) => {
    const { pathname, searchParams } = new URL(String(address));
    asked.push(pathname);
    if (stored === null) return Response.json({ message: 'No.', code: 'NOT_FOUND', request_id: 'r' }, { status: 404 });
    const { runs, actions } = stored;
    if (pathname.endsWith('/playbook_activity')) return Response.json(runs.map(({ summary }) => ({ summary })));
    if (pathname.endsWith(`/playbook_activity/${ID}`)) return Response.json(runs[0]);
    if (pathname.endsWith('/actions_activity')) {
      return Response.json(searchParams.get('page') === '1' ? actions : []);
    }
    return Response.json(actions[0]);
  },
  onUnauthorized: () => undefined,
  newId: () => 'id',
});
const tenantApi: TenantApi = { api, tenantId: ownTenant };

/** Only what these rules look at. */
function run(status: RunStatus, ...actions: ActionStatus[]): PlaybookRun {
  const actions_summary = actions.map((each) => ({ status: each }) as RunActionSummary);
  return { summary: { workflow_uuid: ID, status, actions_summary } } as PlaybookRun;
}
function action(status: ActionStatus, due: string | null = null): ActionActivity {
  return {
    summary: { status, action_name: 'fortigate.block_address' },
    details: { context: { action_uuid: ID, time_scheduled: due } },
  } as ActionActivity;
}

const detail = () => runQueries.detail(tenantApi, ID);
const list = () => runQueries.list(tenantApi, {}, 0);

async function look(at: 'run' | 'list' | 'action' | 'actions' | 'recent'): Promise<void> {
  // Each of a type of its own.
  const observers = {
    run: () => new QueryObserver(client, detail()).subscribe(() => undefined),
    list: () => new QueryObserver(client, list()).subscribe(() => undefined),
    action: () => new QueryObserver(client, actionRunQueries.detail(tenantApi, ID)).subscribe(() => undefined),
    actions: () => new InfiniteQueryObserver(client, actionRunQueries.list(tenantApi, {})).subscribe(() => undefined),
    recent: () =>
      new QueryObserver(client, actionRunQueries.recent(tenantApi, 'fortigate.block_address')).subscribe(
        () => undefined,
      ),
  };
  stop.push(observers[at]());
  await pass(0);
  expect(asked).toHaveLength(1);
  asked.length = 0;
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('a run of a playbook', () => {
  // Spec §4: in progress.
  test.each([
    ['running', run('running', 'running')],
    ['pending', run('pending')],
    ['waiting for an answer', run('waiting', 'success', 'waiting')],
    ['over, with an action that still runs', run('success', 'success', 'running')],
    ['failed, with an action that is still to begin', run('error', 'error', 'pending')],
    ['cancelled, with an action that still runs', run('cancelled', 'running')],
  ])('that is %s is asked for every five seconds', async (_, going) => {
    stored = { runs: [going], actions: [] };
    await look('run');
    await pass(5 * SECOND - 1);
    expect(asked).toHaveLength(0);
    await pass(1);
    expect(asked).toHaveLength(1);
    await pass(10 * SECOND);
    expect(asked).toHaveLength(3);
  });

  // Spec §4: finished; and cancelled, which ends a run as well.
  test.each([
    ['succeeded', run('success', 'success', 'success')],
    ['failed', run('error', 'error', 'cancelled')],
    ['was cancelled', run('cancelled', 'cancelled')],
  ])('is asked for until it %s, and no more', async (_, over) => {
    stored = { runs: [run('running', 'running')], actions: [] };
    await look('run');
    stored = { runs: [over], actions: [] };
    await pass(5 * SECOND);
    expect(asked).toHaveLength(1);
    await pass(10 * MINUTE);
    expect(asked).toHaveLength(1);
  });

  test('goes on being asked for after an answer that did not come', async () => {
    stored = { runs: [run('running')], actions: [] };
    await look('run');
    stored = null;
    await pass(10 * SECOND);
    expect(asked).toHaveLength(2);
    stored = { runs: [run('success')], actions: [] };
    await pass(10 * MINUTE);
    expect(asked).toHaveLength(3);
  });

  test('is left alone while nobody sees the tab', async () => {
    stored = { runs: [run('running')], actions: [] };
    await look('run');
    focusManager.setFocused(false);
    await pass(MINUTE);
    expect(asked).toHaveLength(0);
    focusManager.setFocused(true);
    await pass(5 * SECOND);
    expect(asked.length).toBeGreaterThan(0);
  });

  test('that nobody looks at any more is left alone', async () => {
    stored = { runs: [run('running')], actions: [] };
    await look('run');
    stop.pop()?.();
    await pass(MINUTE);
    expect(asked).toHaveLength(0);
  });

  test.each([
    ['goes on', 'is stale after ten seconds', run('running'), 10 * SECOND],
    ['is over', 'is stale after an hour', run('success'), 60 * MINUTE],
    ['is over but for an action', 'is stale after ten seconds', run('error', 'running'), 10 * SECOND],
    ['was cancelled', 'is stale after an hour', run('cancelled'), 60 * MINUTE],
  ])('that %s %s', async (_, __, is, staleMs) => {
    stored = { runs: [is], actions: [] };
    // Kept as if something showed it, which would also poll.
    const options = { ...detail(), gcTime: Number.POSITIVE_INFINITY };
    await client.fetchQuery(options);
    await pass(staleMs - 1);
    await client.fetchQuery(options);
    expect(asked).toHaveLength(1);
    await pass(1);
    await client.fetchQuery(options);
    expect(asked).toHaveLength(2);
  });
});

describe('a page of runs', () => {
  test('is asked for every five seconds while one of them goes on', async () => {
    stored = { runs: [run('success'), run('error', 'running'), run('cancelled')], actions: [] };
    await look('list');
    await pass(5 * SECOND - 1);
    expect(asked).toHaveLength(0);
    await pass(1);
    expect(asked).toHaveLength(1);
    stored = { runs: [run('success'), run('error', 'error'), run('cancelled')], actions: [] };
    await pass(5 * SECOND);
    expect(asked).toHaveLength(2);
    await pass(10 * MINUTE);
    expect(asked).toHaveLength(2);
  });

  test('is stale after a minute', async () => {
    stored = { runs: [run('success')], actions: [] };
    await client.fetchQuery(list());
    await pass(MINUTE - 1);
    await client.fetchQuery(list());
    expect(asked).toHaveLength(1);
    await pass(1);
    await client.fetchQuery(list());
    expect(asked).toHaveLength(2);
  });
});

describe('a run of an action', () => {
  test.each(['action', 'actions', 'recent'] as const)(
    '%s: is asked for every four seconds until it is over',
    async (at) => {
      stored = { runs: [], actions: [action('running')] };
      await look(at);
      await pass(4 * SECOND - 1);
      expect(asked).toHaveLength(0);
      await pass(1);
      expect(asked).toHaveLength(1);
      stored = { runs: [], actions: [action('error')] };
      await pass(4 * SECOND);
      expect(asked).toHaveLength(2);
      await pass(10 * MINUTE);
      expect(asked).toHaveLength(2);
    },
  );

  test('that waits for its time is looked at once a minute in a list, and every four seconds when it is due', async () => {
    stored = { runs: [], actions: [action('pending', '2026-11-23T12:00:30.000Z')] };
    await look('actions');
    await pass(MINUTE - 1);
    expect(asked).toHaveLength(0);
    await pass(1);
    expect(asked).toHaveLength(1);
    await pass(4 * SECOND);
    expect(asked).toHaveLength(2);
  });

  test('that waits for its time does not slow the look at one that runs', async () => {
    stored = { runs: [], actions: [action('pending', '2026-11-23T18:00:00.000Z'), action('running')] };
    await look('actions');
    await pass(4 * SECOND);
    expect(asked).toHaveLength(1);
  });
});
