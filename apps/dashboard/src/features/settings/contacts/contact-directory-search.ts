import { limits } from '@airdeck/contracts/limits';
import { isUuid } from '@airdeck/domain/uuid';
import { checkedSearch, filterParam, filtersOf, textParam } from '../../../lib/search-params.ts';

/** Instead of an id in `user`: the panel with an empty form. */
export const NEW_CONTACT = 'new';

/** Search parameters of spec §2: text, tenants whose contacts are shown, and the contact in the side panel. */
export function contactDirectorySearch(search: Record<string, unknown>) {
  const tenants = filterParam(search, 'tenant')?.filter(isUuid);
  return checkedSearch({
    q: textParam(search, 'q', limits.searchTextMax),
    filters: filtersOf({ tenant: tenants === undefined || tenants.length === 0 ? undefined : tenants }),
    user: contactParam(search),
  });
}

export type ContactDirectorySearch = ReturnType<typeof contactDirectorySearch>;

function contactParam(search: Record<string, unknown>): string | undefined {
  const text = textParam(search, 'user', 36)?.toLowerCase();
  return text === NEW_CONTACT || (text !== undefined && isUuid(text)) ? text : undefined;
}
