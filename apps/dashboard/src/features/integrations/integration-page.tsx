import { Button, Group } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconPlugConnected } from '@tabler/icons-react';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense } from 'react';
import { StatusBadge } from '../../components/status-badge.tsx';
import { connectorStateLooks } from '../../components/status-table.ts';
import { t, told } from '../../language/translate.ts';
import { isNotFound } from '../../lib/or-not-found.ts';
import { defined } from '../../lib/search-params.ts';
import { showDone } from '../../lib/toasts.ts';
import { connectorMutations, connectorQueries } from '../../queries/connectors.ts';
import { integrationQueries } from '../../queries/integrations.ts';
import { useApp, useTenantApi } from '../../session/app-context.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { PanelTabs } from '../../ui/panel-tabs.tsx';
import { Loading } from '../../ui/skeletons.tsx';
import { TextSkeleton } from '../../ui/text-skeleton.tsx';
import { IntegrationGone } from './integration-gone.tsx';
import classes from './integrations.module.css';
import { type IntegrationPanel, integrationPanels } from './integrations-search.ts';
import { OverviewPanel } from './overview-panel.tsx';

const route = getRouteApi('/_dashboard/integrations/$id');

const labels: Readonly<Record<IntegrationPanel, string>> = {
  overview: t('Overview'),
  health: t('Health'),
  settings: t('Settings'),
};

const loadingLabels: Readonly<Record<IntegrationPanel, string>> = {
  overview: t('Loading overview'),
  health: t('Loading health'),
  settings: t('Loading settings'),
};

// The forms of the settings are as large as the rest.
const panels: Readonly<Record<IntegrationPanel, ComponentType<{ id: string }>>> = {
  overview: OverviewPanel,
  health: lazy(() => import('./health-panel.tsx').then(({ HealthPanel }) => ({ default: HealthPanel }))),
  settings: lazy(() => import('./settings-panel.tsx').then(({ SettingsPanel }) => ({ default: SettingsPanel }))),
};

/** One connected system. */
export function IntegrationPage() {
  const tenantApi = useTenantApi();
  const id = route.useParams().id.toLowerCase();
  const { panel: current = 'overview' } = route.useSearch();
  const { data: connector, error } = useSuspenseQuery(connectorQueries.detail(tenantApi, id));
  const integration = useQuery(integrationQueries.detail(tenantApi, connector.definition_id));
  const navigate = route.useNavigate();
  const Panel = panels[current];
  // Somebody else deleted it: what is still known of it is nothing to work with.
  if (isNotFound(error)) return <IntegrationGone />;
  return (
    <>
      <PageHeader
        eyebrow={
          <Link to="/integrations" className={classes.up}>
            {t('Integrations')}
          </Link>
        }
        title={connector.name}
        purpose={integration.data?.name ?? connector.definition_id}
        state={<StatusBadge look={connectorStateLooks[connector.state]} />}
        actions={<Actions id={id} canTest={integration.data?.can_test_connection !== false} />}
      />
      <PanelTabs
        label={t('Parts of the integration')}
        menuLabel={t('Part of the integration')}
        panels={integrationPanels}
        labels={labels}
        current={current}
        link={(panel, props) => <Link to="/integrations/$id" params={{ id }} search={{ panel }} {...props} />}
        onChoose={(panel) => void navigate({ search: defined({ panel }) })}
      />
      <Suspense
        fallback={
          <Loading label={loadingLabels[current]}>
            <TextSkeleton lines={6} />
          </Loading>
        }
      >
        <Panel key={id} id={id} />
      </Suspense>
    </>
  );
}

function Actions({ id, canTest }: { id: string; canTest: boolean }) {
  const { queryClient } = useApp();
  const tenantApi = useTenantApi();
  const { data: connector } = useSuspenseQuery(connectorQueries.detail(tenantApi, id));
  const test = useMutation(connectorMutations.test(tenantApi, queryClient));
  const setPaused = useMutation(connectorMutations.setPaused(tenantApi, queryClient));
  const paused = connector.state === 'paused';
  const togglePaused = () =>
    setPaused.mutate(
      { id, paused: !paused },
      {
        onSuccess: ({ name }) => showDone(paused ? t('{name} is used again', { name }) : t('{name} paused', { name })),
      },
    );
  const testNow = () =>
    test.mutate(id, {
      onSuccess: ({ status, ...sentence }) =>
        showDone(status === 'error' ? t('Test failed: {message}', { message: told(sentence) }) : told(sentence)),
    });
  return (
    <Group gap="xs">
      <Button
        variant="default"
        leftSection={paused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />}
        loading={setPaused.isPending}
        onClick={togglePaused}
      >
        {paused ? t('Resume') : t('Pause')}
      </Button>
      {canTest ? (
        <Button leftSection={<IconPlugConnected size={16} aria-hidden />} loading={test.isPending} onClick={testNow}>
          {t('Test now')}
        </Button>
      ) : null}
    </Group>
  );
}
