import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../language/translate.ts';
import { searchQueries } from '../../queries/search.ts';
import { useAccess } from '../../session/access.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { EventSearch, EventSearchChange } from './event-search.ts';
import { isNarrowed } from './search-selection.ts';

type Props = { search: EventSearch; live: boolean; onRerun: (part: EventSearchChange) => void };

/** Why the list is empty, and the way on. */
export function NothingFound({ search, live, onRerun }: Props) {
  const scopes = useQuery(searchQueries.scopes(useTenantApi()));
  const mayConnect = useAccess('onboarding').allowed;
  if (live) {
    return <EmptyState title={t('Waiting for events')}>{t('What matches shows here as it arrives.')}</EmptyState>;
  }
  if (scopes.data?.length === 0) {
    return (
      <EmptyState
        title={t('No events have come in yet')}
        action={
          mayConnect ? (
            <Button renderRoot={(props) => <Link to="/set-up" {...props} />}>{t('Connect a system')}</Button>
          ) : null
        }
      >
        {t('Once a system sends its logs here, they can be searched within seconds.')}
      </EmptyState>
    );
  }
  if (isNarrowed(search)) {
    return (
      <EmptyState
        title={t('No event matches')}
        action={
          <Button
            onClick={() =>
              onRerun({ query: undefined, filters: undefined, integrations: undefined, connector_id: undefined })
            }
          >
            {t('Show everything of this time')}
          </Button>
        }
      >
        {t('Nothing in this time range fits query, sources and filters together. A longer range may.')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={t('No events in this time range')}
      action={
        <Button onClick={() => onRerun({ timeRange: { start: 'now-30d', end: 'now' } })}>{t('Last 30 days')}</Button>
      }
    >
      {t('Events are there, but none of this time. Choose a longer range.')}
    </EmptyState>
  );
}
