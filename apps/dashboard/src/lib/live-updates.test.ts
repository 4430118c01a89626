// @vitest-environment node
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { refreshShownFigures } from './live-updates.ts';
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
