import type { PlaybookRun } from '@airdeck/contracts/activity/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { DraftDefinition, Playbook } from '@airdeck/contracts/playbooks/schema';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';
import { type CallIntent, noteRun } from './activity.ts';
import { withNewFields } from './new-fields.ts';

const listKey = (tenantId: string) => [...resourceKey(tenantId, 'playbooks'), 'list'] as const;
const libraryKey = (tenantId: string) => [...resourceKey(tenantId, 'playbooks'), 'library'] as const;
const ofOneKey = (tenantId: string, id: string) => [...resourceKey(tenantId, 'playbooks'), 'detail', id] as const;

export const playbookQueries = {
  /** All playbooks of the tenant, by name; asked only for roles of the `playbooks` area. */
  list: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('playbooks'),
      queryKey: listKey(tenantId),
      queryFn: ({ signal }) => api.call('playbooks.list', { params: { tenant: tenantId }, signal }),
    }),

  /** One playbook; the list, where it is there, knows it already. */
  detail: ({ api, tenantId }: TenantApi, queryClient: QueryClient, id: string) => {
    const list = () => queryClient.getQueryState<Playbook[]>(listKey(tenantId));
    return queryOptions({
      ...policyOf('playbookInfo'),
      queryKey: ofOneKey(tenantId, id),
      queryFn: ({ signal }) => api.call('playbooks.get', { params: { tenant: tenantId, id }, signal }),
      initialData: () => list()?.data?.find((playbook) => playbook.id === id),
      initialDataUpdatedAt: () => list()?.dataUpdatedAt,
    });
  },

  /** Published versions, newest first. */
  versions: ({ api, tenantId }: TenantApi, id: string) =>
    queryOptions({
      ...policyOf('playbookVersions'),
      queryKey: [...ofOneKey(tenantId, id), 'versions'],
      queryFn: ({ signal }) => api.call('playbooks.versions', { params: { tenant: tenantId, id }, signal }),
    }),

  usedBy: ({ api, tenantId }: TenantApi, id: string) =>
    queryOptions({
      ...policyOf('playbookUse'),
      queryKey: [...ofOneKey(tenantId, id), 'used-by'],
      queryFn: ({ signal }) => api.call('playbooks.used-by', { params: { tenant: tenantId, id }, signal }),
    }),

  yaml: ({ api, tenantId }: TenantApi, id: string) =>
    queryOptions({
      ...policyOf('playbookYaml'),
      queryKey: [...ofOneKey(tenantId, id), 'yaml'],
      queryFn: ({ signal }) => api.call('playbooks.export', { params: { tenant: tenantId, id }, signal }),
    }),

  /** What the product ships, and which of it this tenant has, by name. */
  library: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('playbookLibrary'),
      queryKey: libraryKey(tenantId),
      queryFn: ({ signal }) => api.call('playbooks.library', { params: { tenant: tenantId }, signal }),
    }),
};

/** What a run begins with. A try calls nothing but actions that read. */
export type PlaybookStart = {
  playbookId: string;
  inputs: JsonObject;
  dryRun: boolean;
  /** The case it answers; a try answers none. */
  caseId?: string | undefined;
};

export const playbookMutations = {
  /** A run of the published version; lost answers are asked for again under the same key. */
  start: ({ api, tenantId }: TenantApi, queryClient: QueryClient, intent: CallIntent) =>
    mutationOptions({
      meta: { failure: 'inline' },
      mutationFn: (start: PlaybookStart): Promise<PlaybookRun> =>
        intent.once(start, (idempotencyKey) => {
          const { playbookId: id, inputs, dryRun, caseId } = start;
          if (dryRun) {
            return api.call('playbooks.dry-run', {
              params: { tenant: tenantId, id },
              body: { inputs },
              idempotencyKey,
            });
          }
          return withNewFields(caseId === undefined ? {} : { case_id: caseId }, (more) =>
            api.call('playbook-activity.start', {
              params: { tenant: tenantId },
              body: { playbook_id: id, inputs, ...more },
              idempotencyKey,
            }),
          );
        }),
      onSuccess: (run) => {
        noteRun(queryClient, tenantId, run);
        refreshPlaybooks(queryClient, tenantId);
      },
    }),

  /** Reads YAML; nothing is stored. */
  readYaml: ({ api, tenantId }: TenantApi) =>
    mutationOptions({
      meta: { failure: 'inline' },
      mutationFn: (yaml: string) => api.call('playbooks.import', { params: { tenant: tenantId }, body: { yaml } }),
    }),

  /** Keeps what was read as a draft. */
  create: ({ api, tenantId }: TenantApi, queryClient: QueryClient, intent: CallIntent) =>
    mutationOptions({
      meta: { failure: 'inline' },
      mutationFn: (definition: DraftDefinition) =>
        intent.once(definition, (idempotencyKey) =>
          api.call('playbooks.create', { params: { tenant: tenantId }, body: { definition }, idempotencyKey }),
        ),
      onSuccess: () => refreshPlaybooks(queryClient, tenantId),
    }),

  /** Copies what the product ships; what is there already stays as it is, so asking again adds nothing twice. */
  addFromLibrary: ({ api, tenantId }: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      meta: { failure: 'inline' },
      mutationFn: (keys: string[]) =>
        api.call('playbooks.add-from-library', { params: { tenant: tenantId }, body: { keys } }),
      onSuccess: (library) => {
        queryClient.setQueryData(libraryKey(tenantId), library);
        refreshPlaybooks(queryClient, tenantId);
      },
    }),

  rollBack: ({ api, tenantId }: TenantApi, queryClient: QueryClient, id: string) =>
    mutationOptions({
      meta: { failure: 'inline' },
      mutationFn: (version: number) =>
        api.call('playbooks.roll-back', { params: { tenant: tenantId, id }, body: { version } }),
      onSuccess: (playbook) => {
        queryClient.setQueryData(ofOneKey(tenantId, id), playbook);
        refreshPlaybooks(queryClient, tenantId);
      },
    }),

  duplicate: (
    { api, tenantId }: TenantApi,
    queryClient: QueryClient,
    { id, intent }: { id: string; intent: CallIntent },
  ) =>
    mutationOptions({
      meta: { failure: 'inline' },
      mutationFn: ({ name, tenant }: { name: string; tenant: string }) =>
        intent.once([id, name, tenant], (idempotencyKey) =>
          api.call('playbooks.duplicate', { params: { tenant: tenantId, id }, body: { name, tenant }, idempotencyKey }),
        ),
      onSuccess: ({ tenant }) => refreshPlaybooks(queryClient, tenant),
    }),

  delete: ({ api, tenantId }: TenantApi, id: string) =>
    mutationOptions({
      meta: { failure: 'inline' },
      mutationFn: () => api.call('playbooks.delete', { params: { tenant: tenantId, id } }),
    }),
};

/** After a delete, once its screen is left: asked for while it still shows, it would only be not found. */
export function forgetPlaybook(queryClient: QueryClient, tenantId: string, id: string): void {
  queryClient.removeQueries({ queryKey: ofOneKey(tenantId, id) });
  void queryClient.invalidateQueries({ queryKey: listKey(tenantId) });
  void queryClient.invalidateQueries({ queryKey: libraryKey(tenantId) });
}

/** Lists and details, after something changed them or a run added to their figures. */
export function refreshPlaybooks(queryClient: QueryClient, tenantId: string): void {
  void queryClient.invalidateQueries({ queryKey: listKey(tenantId) });
  void queryClient.invalidateQueries({ queryKey: [...resourceKey(tenantId, 'playbooks'), 'detail'] });
}
