import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { actionQueries } from '../../queries/actions.ts';
import { useAccess } from '../../session/access.ts';
import { useTenantApi } from '../../session/app-context.ts';

/** What people call an action, and whose product it works on. */
export type ActionName = { name: string; vendor: string | undefined };
export type NameOfAction = (actionId: string) => ActionName;

/** Friendly names where the role may see the catalogue, otherwise the id. */
export function useActionNames(): NameOfAction {
  const { allowed } = useAccess('actions');
  const { data } = useQuery({ ...actionQueries.list(useTenantApi()), enabled: allowed });
  return useMemo(() => {
    const known = new Map(data?.map((action) => [action.action_id, action]));
    return (actionId) => {
      const action = known.get(actionId);
      if (action === undefined) return { name: actionId, vendor: undefined };
      const { friendly_name: name, vendor, product } = action;
      return { name, vendor: vendor === product ? vendor : `${vendor} ${product}` };
    };
  }, [data]);
}
