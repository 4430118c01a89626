import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { createRefresh, refreshShownFigures } from './live-updates.ts';
import { resourceKey } from './query-keys.ts';
import { polling } from './query-policy.ts';

const tenantId = 'own';

/** A client in which queries of playbooks are watched, those of `polled` as pages with figures do. */
function watching(client: QueryClient, tenant: string, part: string, polled: boolean) {
  const state = { asked: 0 };
  const observer = new QueryObserver(client, {
    queryKey: [...resourceKey(tenant, 'playbooks'), part],
    queryFn: async () => {
      state.asked += 1;
      return part;
    },
    initialData: part,
    staleTime: Number.POSITIVE_INFINITY,
    ...(polled ? { refetchInterval: polling.playbookFiguresMs } : {}),
  });
  return { state, stop: observer.subscribe(() => undefined) };
}

test('a run makes the figures that show be read again, and neither a draft nor another tenant', async () => {
  const client = new QueryClient();
  const list = watching(client, tenantId, 'list', true);
  const detail = watching(client, tenantId, 'detail', true);
  const draft = watching(client, tenantId, 'draft', false);
  const versions = watching(client, tenantId, 'versions', false);
  const foreign = watching(client, 'other', 'list', true);
  await refreshShownFigures(client, tenantId);
  const all = [list, detail, draft, versions, foreign];
  expect(all.map(({ state }) => state.asked)).toEqual([1, 1, 0, 0, 0]);
  for (const { stop } of all) stop();
});

test('a list that is still being read is neither given up nor left old: it is read once more when it has come', async () => {
  const client = new QueryClient();
  const key = [...resourceKey(tenantId, 'cases'), 'list'];
  const answers: ((value: string) => void)[] = [];
  const state = { givenUp: 0 };
  const observer = new QueryObserver(client, {
    queryKey: key,
    queryFn: ({ signal }) => {
      signal.addEventListener('abort', () => {
        state.givenUp += 1;
      });
      return new Promise<string>((resolve) => answers.push(resolve));
    },
    initialData: 'old',
    staleTime: Number.POSITIVE_INFINITY,
  });
  const stop = observer.subscribe(() => undefined);
  const refresh = createRefresh(client);
  for (let event = 0; event < 5; event += 1) void refresh({ queryKey: resourceKey(tenantId, 'cases') });
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  answers[0]?.('slow');
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  expect(client.getQueryData(key)).toBe('slow');
  answers[1]?.('newest');
  await vi.waitFor(() => expect(client.getQueryData(key)).toBe('newest'));
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
  expect({ asked: answers.length, ...state }).toEqual({ asked: 2, givenUp: 0 });
  stop();
});

test('a list that could not be read is asked for again when something changed meanwhile', async () => {
  const client = new QueryClient();
  const answers: ((error: Error) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: resourceKey(tenantId, 'cases'),
    queryFn: () => new Promise<string>((_resolve, reject) => answers.push(reject)),
    retry: false,
  });
  const stop = observer.subscribe(() => undefined);
  await createRefresh(client)({ queryKey: resourceKey(tenantId, 'prompts') });
  void createRefresh(client)({ queryKey: resourceKey(tenantId, 'cases') });
  answers[0]?.(new Error('Busy.'));
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  stop();
});
