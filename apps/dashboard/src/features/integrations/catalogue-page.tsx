import type { Integration } from '@airdeck/contracts/integrations/schema';
import { Button } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { defined, filtersOf } from '../../lib/search-params.ts';
import { connectorQueries } from '../../queries/connectors.ts';
import { integrationQueries } from '../../queries/integrations.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { categoriesOf, categoryWords, offered, offerText } from './catalogue.ts';
import classes from './integrations.module.css';

const route = getRouteApi('/_dashboard/integrations/new/');

/** Everything that can be connected. */
export function CataloguePage() {
  const tenantApi = useTenantApi();
  const { data: integrations } = useSuspenseQuery(integrationQueries.list(tenantApi));
  // Only for the note which ones are connected already.
  const connectors = useQuery(connectorQueries.list(tenantApi));
  const { q, filters } = route.useSearch();
  const navigate = route.useNavigate();
  const search = (part: { q?: string | undefined; filters?: typeof filters }) =>
    void navigate({ search: (before) => defined({ ...before, ...part }), replace: true });
  const found = offered(integrations, { q, categories: filters?.category });
  const connected = (id: string) => connectors.data?.filter((each) => each.definition_id === id).length ?? 0;
  return (
    <>
      <PageHeader
        title={t('Add an integration')}
        purpose={t('Choose the system to connect.')}
        actions={
          <Button
            variant="default"
            component={Link}
            to="/integrations/new/import"
            leftSection={<IconFileImport size={16} aria-hidden />}
          >
            {t('Import an API')}
          </Button>
        }
      />
      <FilterBar
        q={q}
        searchLabel={t('Search the catalog')}
        onSearch={(text) => search({ q: text })}
        facets={[
          {
            id: 'category',
            label: t('Category'),
            options: categoriesOf(integrations),
            selected: filters?.category ?? [],
          },
        ]}
        onFacet={(_, category) => search({ filters: filtersOf({ category }) })}
        onClear={() => search({ q: undefined, filters: undefined })}
      />
      {found.length === 0 ? (
        <Panel>
          <EmptyState
            title={integrations.length === 0 ? t('Nothing to connect') : t('No integration matches')}
            action={<Button onClick={() => search({ q: undefined, filters: undefined })}>{t('Clear search')}</Button>}
          >
            {t('Nothing in the catalog has this text in the chosen categories.')}
          </EmptyState>
        </Panel>
      ) : (
        <ul className={classes.cards} aria-label={t('Catalog')}>
          {found.map((integration) => (
            <Card key={integration.id} of={integration} connected={connected(integration.id)} />
          ))}
        </ul>
      )}
      <p className={classes.count} role="status">
        {plural(found.length, '{count} integration', '{count} integrations')}
      </p>
    </>
  );
}

function Card({ of: integration, connected }: { of: Integration; connected: number }) {
  const { id, name, description } = integration;
  return (
    <li className={classes.card}>
      <Link to="/integrations/new/$id" params={{ id }} className={classes.cardName}>
        {name}
      </Link>
      <span className={classes.under}>{underText(integration)}</span>
      <p className={classes.cardText} title={description}>
        {description}
      </p>
      <span className={classes.cardFoot}>
        <span>{offerText(integration)}</span>
        {connected === 0 ? null : (
          <span className={classes.connected}>
            {plural(connected, '{count} connected##integration', '{count} connected##integrations')}
          </span>
        )}
      </span>
    </li>
  );
}

/** An imported one is its own vendor, and in no category anybody chose. */
function underText({ name, vendor, category, imported }: Integration): string {
  if (imported) return t('Imported · this tenant only');
  return [...new Set([...(vendor === name ? [] : [vendor]), categoryWords(category)])].join(' · ');
}
