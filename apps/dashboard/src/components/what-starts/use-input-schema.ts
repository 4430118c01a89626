import type { JsonObject } from '@airdeck/contracts/fields';
import { useQuery } from '@tanstack/react-query';
import { actionQueries } from '../../queries/actions.ts';
import { playbookQueries } from '../../queries/playbooks.ts';
import { useTenantApi } from '../../session/app-context.ts';
import type { WhatStarts } from './what-fields.tsx';

/** Of what is chosen; undefined until something that exists is. */
export function useInputSchema({
  type,
  definitionId,
}: Pick<WhatStarts, 'type' | 'definitionId'>): JsonObject | undefined {
  const tenantApi = useTenantApi();
  const actions = useQuery({ ...actionQueries.list(tenantApi), enabled: type === 'action' });
  const playbooks = useQuery({ ...playbookQueries.list(tenantApi), enabled: type === 'playbook' });
  return type === 'action'
    ? actions.data?.find(({ action_id }) => action_id === definitionId)?.input_schema
    : playbooks.data?.find(({ id, version }) => id === definitionId && version > 0)?.inputs;
}
