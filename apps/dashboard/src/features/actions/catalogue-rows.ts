import type { ActionDefinition } from '@airdeck/contracts/actions/schema';
import { productOf } from '../../components/action-names.ts';
import { plainLetters } from '../../lib/plain-letters.ts';
import type { FacetOption } from '../../ui/facet-menu.tsx';
import type { ActionsSearch } from './actions-search.ts';

/** A product, with its actions below it. */
export type CatalogueRow =
  | { kind: 'product'; id: string; label: string; count: number }
  | { kind: 'action'; id: string; action: ActionDefinition };

type Wanted = Pick<ActionsSearch, 'q' | 'filters'>;

const order = new Intl.Collator('en');

/** The catalogue by vendor and product; within one, by name. */
export function catalogueRows(actions: readonly ActionDefinition[], { q, filters }: Wanted): CatalogueRow[] {
  const vendors = filters?.vendor;
  const found = matching(actions, q).filter(({ vendor }) => vendors === undefined || vendors.includes(vendor));
  const products = new Map<string, ActionDefinition[]>();
  for (const action of found.toSorted(byPlace)) {
    const label = productOf(action);
    const group = products.get(label);
    if (group === undefined) products.set(label, [action]);
    else group.push(action);
  }
  return [...products].flatMap(([label, group]): CatalogueRow[] => [
    { kind: 'product', id: `product ${label}`, label, count: group.length },
    ...group.map((action) => ({ kind: 'action' as const, id: action.action_id, action })),
  ]);
}

/** Vendors with how many of their actions the search finds; a chosen one stays, to be taken back. */
export function vendorOptions(actions: readonly ActionDefinition[], { q, filters }: Wanted): FacetOption[] {
  const counts = new Map<string, number>((filters?.vendor ?? []).map((vendor) => [vendor, 0]));
  for (const { vendor } of matching(actions, q)) counts.set(vendor, (counts.get(vendor) ?? 0) + 1);
  return [...counts]
    .toSorted(([one], [other]) => order.compare(one, other))
    .map(([vendor, count]) => ({ value: vendor, label: vendor, count }));
}

/** Actions in which each word of the search stands somewhere. */
function matching(actions: readonly ActionDefinition[], q: string | undefined): readonly ActionDefinition[] {
  const words = plainLetters(q ?? '')
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return actions;
  return actions.filter((action) => {
    const { friendly_name, description, vendor, product, action_id } = action;
    const text = plainLetters([friendly_name, description, vendor, product, action_id].join(' '));
    return words.every((word) => text.includes(word));
  });
}

function byPlace(one: ActionDefinition, other: ActionDefinition): number {
  return (
    order.compare(productOf(one), productOf(other)) ||
    order.compare(one.friendly_name, other.friendly_name) ||
    order.compare(one.action_id, other.action_id)
  );
}
