import type { TenantUser } from '@airdeck/contracts/users/schema';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { areOnlyTheFirst, userQueries } from '../queries/users.ts';
import { useTenantApi } from '../session/app-context.ts';

/**
 * People of the tenant who are not disabled. Where one answer does not hold them all, the server looks through the others
 * for what is typed.
 */
export function usePeople(typed: string, { enabled = true } = {}) {
  const tenantApi = useTenantApi();
  const first = useQuery({ ...userQueries.list(tenantApi), enabled });
  const wanted = typed.trim();
  const isAsked = wanted !== '' && areOnlyTheFirst(first.data ?? []);
  const found = useQuery({
    ...userQueries.list(tenantApi, { q: isAsked ? wanted : undefined }),
    enabled,
    placeholderData: keepPreviousData,
  });
  return {
    people: together(first.data ?? [], found.data ?? []),
    isSearching: found.isPending || found.isPlaceholderData,
    isError: first.isError || found.isError,
  };
}

function together(first: TenantUser[], found: TenantUser[]): TenantUser[] {
  if (found === first) return first;
  const known = new Set(first.map(({ id }) => id));
  return [...first, ...found.filter(({ id }) => !known.has(id))];
}
