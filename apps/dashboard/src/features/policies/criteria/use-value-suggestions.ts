import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { resourceKey } from '../../../lib/query-keys.ts';
import { fieldValues } from '../../../queries/search.ts';
import { useAccess } from '../../../session/access.ts';
import { useTenantApi } from '../../../session/app-context.ts';

const TYPING_PAUSE_MS = 250;
const FRESH_MS = 300_000;
const PREFIX_MAX = 200;

/** Values a field had in events of the last day that begin with what is typed; none while they cannot be had. */
export function useValueSuggestions(field: string, typed: string, active: boolean): readonly string[] {
  const tenantApi = useTenantApi();
  const { allowed } = useAccess('search');
  const [prefix] = useDebouncedValue(typed.slice(0, PREFIX_MAX), TYPING_PAUSE_MS);
  const name = field.trim();
  const values = useQuery({
    queryKey: [...resourceKey(tenantApi.tenantId, 'search'), 'values', name, prefix],
    queryFn: ({ signal }) => fieldValues(tenantApi, { field: name, prefix }, signal),
    enabled: allowed && active && name !== '' && name !== '*',
    staleTime: FRESH_MS,
    retry: false,
    placeholderData: keepPreviousData,
  });
  return values.data?.field === name ? values.data.values.map(({ value }) => value) : [];
}
