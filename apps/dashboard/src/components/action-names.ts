import type { ActionDefinition } from '@airdeck/contracts/actions/schema';
import { productName } from '@airdeck/domain/product-name';
import { useQuery } from '@tanstack/react-query';
import { actionQueries } from '../queries/actions.ts';
import { useAccess } from '../session/access.ts';
import { useTenantApi } from '../session/app-context.ts';

/** What people call an action, and whose product it works on. */
export type ActionName = { name: string; vendor: string | undefined };
export type NameOfAction = (actionId: string) => ActionName;

// Every row asks: one table serves as long as the catalogue stays the same.
const tables = new WeakMap<readonly ActionDefinition[], NameOfAction>();
const idsOnly: NameOfAction = (actionId) => ({ name: actionId, vendor: undefined });

/** Vendor and product, said once where they are the same. */
export function productOf({ vendor, product }: Pick<ActionDefinition, 'vendor' | 'product'>): string {
  return productName({ vendor, product });
}

/** Friendly names where the role may see the catalogue, otherwise the id. */
export function useActionNames(): NameOfAction {
  const { allowed } = useAccess('actions');
  const { data } = useQuery({ ...actionQueries.list(useTenantApi()), enabled: allowed });
  return data === undefined ? idsOnly : tableOf(data);
}

function tableOf(actions: readonly ActionDefinition[]): NameOfAction {
  const made = tables.get(actions);
  if (made !== undefined) return made;
  const known = new Map(actions.map((action) => [action.action_id, action]));
  const nameOf: NameOfAction = (actionId) => {
    const action = known.get(actionId);
    if (action === undefined) return idsOnly(actionId);
    return { name: action.friendly_name, vendor: productOf(action) };
  };
  tables.set(actions, nameOf);
  return nameOf;
}
