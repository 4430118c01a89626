import type { PlaybookRun } from '@airdeck/contracts/activity/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { DraftDefinition, Playbook, PlaybookDraft } from '@airdeck/contracts/playbooks/schema';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';
import { type CallIntent, noteRun } from './activity.ts';
import { withNewFields } from './new-fields.ts';
import { playbookQueries } from './playbooks.ts';

/** `based_on` is the published version the changes were made on; 0 without one. */
export type DraftSave = { definition: DraftDefinition; revision: number; based_on: number };

/** A draft, and what is published beside it; version 0 while nothing is. */
type OpenedDraft = { draft: PlaybookDraft; published: Playbook };

/**
 * First what is published, then the draft: a version published in between is then older than the draft, and the next save
 * is refused. The other way round it would be taken for seen, and overwritten.
 */
async function opened({ api, tenantId }: TenantApi, client: QueryClient, id: string): Promise<OpenedDraft> {
  const published = await client.fetchQuery({
    ...playbookQueries.detail({ api, tenantId }, client, id),
    staleTime: 0,
    // Both are asked again together: each of its tries would have tries of its own.
    retry: false,
  });
  const draft = await api.call('playbooks.draft', { params: { tenant: tenantId, id } });
  return { draft, published };
}

export const draftQueries = {
  /** What the builder begins with. Not under the playbooks' own key: a refresh of those must not read it again. */
  of: (tenantApi: TenantApi, id: string) =>
    queryOptions({
      ...policyOf('playbookDraft'),
      gcTime: 0,
      queryKey: [...resourceKey(tenantApi.tenantId, 'playbooks'), 'draft', id],
      queryFn: ({ client }) => opened(tenantApi, client, id),
    }),
};

/** What the builder calls by itself, outside of queries: it saves and checks what is typed. */
export function draftCalls({ api, tenantId }: TenantApi, queryClient: QueryClient, id: string) {
  const params = { tenant: tenantId, id };
  return {
    load: () => opened({ api, tenantId }, queryClient, id),
    save: async (body: DraftSave): Promise<PlaybookDraft> => {
      const saved = await api.call('playbooks.save-draft', { params, body });
      // Other screens read it again when they are opened; what the builder shows of them does not change with it.
      for (const part of ['list', 'detail']) {
        const queryKey = [...resourceKey(tenantId, 'playbooks'), part];
        void queryClient.invalidateQueries({ queryKey, refetchType: 'none' });
      }
      return saved;
    },
    validate: (definition: DraftDefinition, signal: AbortSignal) =>
      api.call('playbooks.validate', { params: { tenant: tenantId }, body: { definition, playbook_id: id }, signal }),
  };
}

export const draftMutations = {
  create: ({ api, tenantId }: TenantApi, queryClient: QueryClient, intent: CallIntent) =>
    mutationOptions({
      meta: { failure: 'inline' },
      mutationFn: (definition: DraftDefinition) =>
        intent.once(definition, (idempotencyKey) =>
          api.call('playbooks.create', { params: { tenant: tenantId }, body: { definition }, idempotencyKey }),
        ),
      onSuccess: () => refresh(queryClient, tenantId),
    }),

  publish: ({ api, tenantId }: TenantApi, queryClient: QueryClient, id: string) =>
    mutationOptions({
      meta: { failure: 'inline' },
      mutationFn: (body: { revision: number; note: string }) =>
        api.call('playbooks.publish', { params: { tenant: tenantId, id }, body }),
      onSuccess: () => refresh(queryClient, tenantId),
    }),

  discard: ({ api, tenantId }: TenantApi, queryClient: QueryClient, id: string) =>
    mutationOptions({
      meta: { failure: 'inline' },
      mutationFn: () => api.call('playbooks.discard-draft', { params: { tenant: tenantId, id } }),
      onSuccess: () => refresh(queryClient, tenantId),
    }),

  /** Tries exactly what the builder shows. */
  dryRun: (
    { api, tenantId }: TenantApi,
    queryClient: QueryClient,
    { id, intent }: { id: string; intent: CallIntent },
  ) =>
    mutationOptions({
      meta: { failure: 'inline' },
      mutationFn: (body: { definition: DraftDefinition; inputs: JsonObject }): Promise<PlaybookRun> =>
        intent.once(body, (idempotencyKey) =>
          withNewFields({ playbook_id: id }, (more) =>
            api.call('playbooks.dry-run-draft', {
              params: { tenant: tenantId },
              body: { ...body, ...more },
              idempotencyKey,
            }),
          ),
        ),
      onSuccess: (run) => noteRun(queryClient, tenantId, run),
    }),
};

function refresh(queryClient: QueryClient, tenantId: string): void {
  for (const part of ['list', 'detail']) {
    void queryClient.invalidateQueries({ queryKey: [...resourceKey(tenantId, 'playbooks'), part] });
  }
}
