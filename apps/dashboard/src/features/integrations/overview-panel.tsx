import type { Connector } from '@airdeck/contracts/connectors/schema';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useConfirmedMutation } from '../../components/confirmation/use-confirmed-mutation.ts';
import { ProblemNote } from '../../components/problem-note.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { connectionTestLooks, connectorStateLooks } from '../../components/status-table.ts';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { showDone } from '../../lib/toasts.ts';
import {
  connectorDeletionKey,
  connectorMutations,
  connectorQueries,
  forgetConnector,
  reloadConnectors,
} from '../../queries/connectors.ts';
import { integrationQueries } from '../../queries/integrations.ts';
import { useApp, useTenantApi } from '../../session/app-context.ts';
import { Count } from '../../ui/count.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { JsonTree } from '../../ui/json-tree.tsx';
import { KeyFacts } from '../../ui/key-facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ActionList } from './action-list.tsx';
import classes from './integrations.module.css';
import { lastTestText } from './last-test-text.ts';

const route = getRouteApi('/_dashboard/integrations/$id');

/** How a connector stands, and what is rarely done with it. */
export function OverviewPanel({ id }: { id: string }) {
  const tenantApi = useTenantApi();
  const { data: connector } = useSuspenseQuery(connectorQueries.detail(tenantApi, id));
  return (
    <div className={classes.parts}>
      <LastTest of={connector} />
      <div className={classes.aside}>
        <Facts of={connector} />
        <ActionList actions={connector.actions} />
      </div>
      <DeletePanel of={connector} />
    </div>
  );
}

const stateTexts: Readonly<Record<Connector['state'], string>> = {
  pending: t('Saved, and not tried yet.'),
  active: t('It answered the last time it was asked.'),
  error: t('The last try failed. It is tried again by itself, so that it can recover.'),
  paused: t('Nothing calls it until it is resumed. Events go on where they stopped.'),
};

function stateText({ state, last_successful_connection: answered }: Connector): string {
  // Some are only sent to: nothing ever asks them.
  return state === 'active' && answered === null ? t('Switched on. Nothing of it is asked.') : stateTexts[state];
}

function LastTest({ of: connector }: { of: Connector }) {
  const {
    state,
    test_connection_status: status,
    test_connection_time: time,
    test_connection_metadata: metadata,
  } = connector;
  return (
    <Panel title={t('Connection')}>
      <div className={classes.form}>
        <p className={classes.line}>
          <StatusBadge look={connectorStateLooks[state]} /> {stateText(connector)}
        </p>
        <div role="status" className={classes.outcome}>
          {status === null ? (
            <span className={classes.faint}>{t('Not tested yet.')}</span>
          ) : (
            <>
              <span className={classes.testHead}>
                {tx('Last test: {result}', {
                  result: <StatusBadge look={connectionTestLooks[status]} variant="plain" />,
                })}
                {time === null ? null : <RelativeTime time={time} className={classes.faint ?? ''} />}
              </span>
              <span className={classes.outcomeText}>{lastTestText(connector)}</span>
            </>
          )}
        </div>
        {metadata === null || Object.keys(metadata).length === 0 ? null : (
          <JsonTree value={metadata} label={t('What the system told about itself')} />
        )}
      </div>
    </Panel>
  );
}

function Facts({ of: connector }: { of: Connector }) {
  const { queryClient } = useApp();
  const tenantApi = useTenantApi();
  const update = useMutation(connectorMutations.update(tenantApi, queryClient));
  const integration = useQuery(integrationQueries.detail(tenantApi, connector.definition_id));
  const makeDefault = () =>
    update.mutate(
      { id: connector.id, body: { default: true } },
      { onSuccess: ({ name }) => showDone(t('{name} is now the default', { name })) },
    );
  return (
    <Panel title={t('Facts')}>
      <KeyFacts
        facts={[
          { label: t('Integration'), value: integration.data?.name ?? connector.definition_id },
          { label: t('Last successful connection'), value: timeOr(connector.last_successful_connection, t('Never')) },
          { label: t('Events in 24 h'), value: <Count value={connector.events_24h} /> },
          { label: t('Events'), value: connector.events_enabled ? t('Fetched##events') : t('Not fetched##events') },
          { label: t('Metrics'), value: connector.metrics_enabled ? t('Fetched##metrics') : t('Not fetched##metrics') },
          { label: t('Last changed'), value: <RelativeTime time={connector.last_updated} /> },
          {
            label: t('Default'),
            value: connector.default ? (
              t('Yes: taken by actions that name no connector')
            ) : (
              <Button variant="default" size="xs" loading={update.isPending} onClick={makeDefault}>
                {t('Make default')}
              </Button>
            ),
          },
        ]}
      />
      <ProblemNote error={update.error} />
      {integration.isError && integration.data === undefined ? (
        <ErrorState
          error={integration.error}
          onRetry={() => void integration.refetch()}
          retrying={integration.isFetching}
        />
      ) : null}
    </Panel>
  );
}

function timeOr(time: string | null, none: string) {
  return time === null ? none : <RelativeTime time={time} />;
}

function DeletePanel({ of: { id, name } }: { of: Connector }) {
  const { queryClient } = useApp();
  const tenantApi = useTenantApi();
  const { api, tenantId } = tenantApi;
  const navigate = route.useNavigate();
  const remove = useConfirmedMutation({
    mutationKey: connectorDeletionKey(tenantApi, id),
    mutationFn: (_: undefined, controls) =>
      api.call('connectors.delete', { params: { tenant: tenantId, id }, ...controls }),
    onSuccess: async () => {
      showDone(t('{name} deleted', { name }));
      // First away: this screen would ask for what is gone.
      await navigate({ to: '/integrations', ignoreBlocker: true });
      await forgetConnector(tenantApi, queryClient, id);
    },
    meta: { failure: 'inline' },
  });
  const ask = () =>
    remove.mutate(undefined, {
      // It is still there, and while the question was open nothing was read again.
      onSettled: (_, error) => (error === null ? undefined : reloadConnectors(tenantApi, queryClient)),
    });
  return (
    <Panel title={t('Delete')}>
      <div className={classes.deleteRow}>
        <span>{t('Its secrets are deleted with it. Events that were fetched stay.')}</span>
        <Button variant="default" className={classes.danger ?? ''} loading={remove.isPending} onClick={ask}>
          {t('Delete…')}
        </Button>
      </div>
      <ProblemNote error={remove.error} />
    </Panel>
  );
}
