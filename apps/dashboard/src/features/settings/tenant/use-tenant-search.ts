import { getRouteApi } from '@tanstack/react-router';
import { defined } from '../../../lib/search-params.ts';
import type { SearchChange, TenantSettingsSearch } from './tenant-settings-search.ts';

const route = getRouteApi('/_dashboard/settings/tenant-settings/');

/** The search of the screen, and how it is changed; going back undoes a change unless it replaces. */
export function useTenantSearch(): [
  TenantSettingsSearch,
  (part: SearchChange, options?: { replace?: boolean }) => void,
] {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return [
    search,
    (part, { replace = true } = {}) =>
      void navigate({ search: (before) => defined({ ...before, ...part }), replace, resetScroll: false }),
  ];
}
