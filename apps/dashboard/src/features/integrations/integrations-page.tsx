import type { ConnectorState, ConnectorSummary } from '@airdeck/contracts/connectors/schema';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { connectorStateLooks } from '../../components/status-table.ts';
import { plural } from '../../language/plural.ts';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { defined, filtersOf } from '../../lib/search-params.ts';
import { connectorQueries } from '../../queries/connectors.ts';
import { integrationQueries } from '../../queries/integrations.ts';
import { useAccess } from '../../session/access.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { connectorColumns } from './connector-columns.tsx';
import { type ConnectorRow, connectorRows, stateCounts } from './connector-rows.ts';
import { filterStates } from './integrations-search.ts';

const route = getRouteApi('/_dashboard/integrations/');

/** Rows drawn at a time: hundreds of them at once would make the first stroke of the search field wait. */
const PAGE_ROWS = 100;

/** The systems a tenant has connected, and whether they work. */
export function IntegrationsPage() {
  const tenantApi = useTenantApi();
  const { data: connectors, dataUpdatedAt } = useSuspenseQuery(connectorQueries.list(tenantApi));
  const { q, filters } = route.useSearch();
  const navigate = route.useNavigate();
  const { reason } = useAccess('integrations');
  const search = (part: { q?: string | undefined; filters?: typeof filters }) =>
    void navigate({ search: (before) => defined({ ...before, ...part }), replace: true });
  const clear = () => search({ q: undefined, filters: undefined });
  const counts = stateCounts(connectors);
  const states = filterStates.map((state) => ({
    value: state,
    label: connectorStateLooks[state].word,
    count: counts.get(state) ?? 0,
  }));
  return (
    <>
      <PageHeader
        title={t('Integrations')}
        purpose={t(
          'The systems that are connected: what they send, what can be done in them, and whether they answer.',
        )}
        actions={
          <>
            <SourcesLink />
            {connectors.length === 0 ? null : <AddButton reason={reason} />}
          </>
        }
      />
      {connectors.length === 0 ? null : (
        <FilterBar
          q={q}
          searchLabel={t('Search integrations')}
          onSearch={(text) => search({ q: text })}
          facets={[{ id: 'state', label: t('State'), options: states, selected: filters?.state ?? [] }]}
          onFacet={(_, state) => search({ filters: filtersOf({ state: statesOf(state) }) })}
          onClear={clear}
        />
      )}
      <ConnectorTable
        connectors={connectors}
        readAt={dataUpdatedAt}
        empty={
          connectors.length === 0 ? (
            <EmptyState title={t('Nothing is connected yet')} action={<AddButton reason={reason} />}>
              {t('Connect a system to fetch its events, watch its health and act in it.')}
            </EmptyState>
          ) : (
            <EmptyState
              title={t('No integration matches')}
              action={<Button onClick={clear}>{t('Clear search')}</Button>}
            >
              {t('No name, vendor or test message has this text in the chosen states.')}
            </EmptyState>
          )
        }
      />
    </>
  );
}

/** The way to what sends by itself, for those who may see it. */
function SourcesLink() {
  return useAccess('eventSources').allowed ? (
    <Button variant="default" component={Link} to="/integrations/sources">
      {t('Event sources')}
    </Button>
  ) : null;
}

type TableProps = {
  connectors: readonly ConnectorSummary[];
  /** Milliseconds since the epoch. */
  readAt: number;
  empty: ReactNode;
};

function ConnectorTable({ connectors, readAt, empty }: TableProps) {
  // Only for names: without it the list shows ids.
  const integrations = useQuery(integrationQueries.list(useTenantApi()));
  const { q, filters } = route.useSearch();
  const navigate = route.useNavigate();
  const { allowed } = useAccess('integrations');
  const [shown, setShown] = useState(PAGE_ROWS);
  const rows = connectorRows(connectors, integrations.data, { q, states: filters?.state });
  const open = ({ id }: ConnectorRow) => void navigate({ to: '/integrations/$id', params: { id } });
  return (
    <DataTable<ConnectorRow>
      label={t('Integrations')}
      columns={connectorColumns}
      rows={rows.slice(0, shown)}
      rowId={({ id }) => id}
      // Detail and set-up are for those who may change them (spec §6).
      {...(allowed ? { onOpen: open } : {})}
      empty={empty}
      footer={
        <>
          <span>
            {tx('{what} · updated {time}', {
              what: countText(rows.length, connectors.length),
              time: <RelativeTime time={new Date(readAt).toISOString()} />,
            })}
          </span>
          {rows.length > shown ? (
            <Button variant="default" size="xs" onClick={() => setShown(shown + PAGE_ROWS)}>
              {t('Show {count} more', { count: Math.min(PAGE_ROWS, rows.length - shown) })}
            </Button>
          ) : null}
        </>
      }
    />
  );
}

function AddButton({ reason }: { reason: string | undefined }): ReactNode {
  const icon = <IconPlus size={16} aria-hidden />;
  if (reason !== undefined) {
    return (
      <GuardedButton reason={reason} leftSection={icon}>
        {t('Add integration')}
      </GuardedButton>
    );
  }
  return (
    <Button component={Link} to="/integrations/new" leftSection={icon}>
      {t('Add integration')}
    </Button>
  );
}

function statesOf(chosen: readonly string[] | undefined): ConnectorState[] | undefined {
  return chosen === undefined ? undefined : filterStates.filter((state) => chosen.includes(state));
}

function countText(shown: number, all: number): string {
  return shown === all
    ? plural(all, '{count} integration', '{count} integrations')
    : plural(all, '{shown} of {count} integration', '{shown} of {count} integrations', { shown });
}
