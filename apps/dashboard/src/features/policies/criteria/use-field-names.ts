import { eventColumns } from '@airdeck/contracts/events/event';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { searchQueries } from '../../../queries/search.ts';
import { useAccess } from '../../../session/access.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import type { SourceChoice } from '../draft/policy-draft.ts';

const DAY_MS = 86_400_000;
/** Names of sources are typed; each asks the store for much. */
const TYPING_PAUSE_MS = 600;

/** Names of fields to choose from: the columns, and what events of these sources had in the last day. */
export function useFieldNames(sources: readonly SourceChoice[]): readonly string[] {
  const { allowed } = useAccess('search');
  const [range] = useState(() => {
    const now = Date.now();
    return { start: new Date(now - DAY_MS).toISOString(), end: new Date(now).toISOString() };
  });
  // As one text, which is the same after every render; no name has a line break.
  const [scopes] = useDebouncedValue(scopesOf(sources).join('\n'), TYPING_PAUSE_MS);
  const fields = useQuery({
    ...searchQueries.fields(useTenantApi(), {
      integrations: scopes === '' ? [] : scopes.split('\n'),
      time_range: range,
    }),
    enabled: allowed,
    retry: false,
    placeholderData: keepPreviousData,
  });
  return useMemo(() => {
    const found = fields.data?.fields.map(({ name }) => name) ?? [];
    return [...new Set([...found, ...eventColumns, '*'])];
  }, [fields.data]);
}

/** As a search takes them; empty, that is all of them, when any source would do. */
export function scopesOf(sources: readonly SourceChoice[]): string[] {
  const scopes = sources.map(({ connector_definition_id: name, event_type }) => {
    const known = name.trim();
    if (known === '' || known.includes(':')) return undefined;
    return event_type.trim() === '' ? known : `${known}:${event_type.trim()}`;
  });
  return scopes.every((scope) => scope !== undefined) ? scopes : [];
}
