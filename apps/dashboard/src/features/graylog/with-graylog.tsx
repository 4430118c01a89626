import type { ConnectorSummary } from '@airdeck/contracts/connectors/schema';
import { Button } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../language/translate.ts';
import { connectorQueries } from '../../queries/connectors.ts';
import { useAccess } from '../../session/access.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { graylogOf } from './graylog-connector.ts';

/** The tenant's Graylog, which the loader of the area has looked for; undefined without one. */
export function useGraylog(): ConnectorSummary | undefined {
  return graylogOf(useSuspenseQuery(connectorQueries.list(useTenantApi())).data);
}

/** What a screen shows of Graylog, or why there is none to ask. */
export function WithGraylog({ children }: { children: (graylog: ConnectorSummary) => ReactNode }) {
  const graylog = useGraylog();
  if (graylog === undefined) return <NotConnected />;
  if (!graylog.enabled) return <Paused graylog={graylog} />;
  return children(graylog);
}

function NotConnected() {
  const { allowed } = useAccess('integrations');
  return (
    <Panel>
      <EmptyState
        title={t('Graylog is not connected')}
        action={
          allowed ? (
            <Button component={Link} to="/integrations/new/graylog">
              {t('Connect Graylog')}
            </Button>
          ) : undefined
        }
      >
        {allowed
          ? t(
              'Its alerts and event definitions show here as soon as it is, and alerts can start playbooks and actions.',
            )
          : t(
              'Its alerts and event definitions show here as soon as a System Manager or Admin of this tenant has connected it under Integrations.',
            )}
      </EmptyState>
    </Panel>
  );
}

function Paused({ graylog: { id, name } }: { graylog: ConnectorSummary }) {
  const { allowed } = useAccess('integrations');
  return (
    <Panel>
      <EmptyState
        title={t('{name} is paused', { name })}
        action={
          allowed ? (
            <Button component={Link} to={`/integrations/${id}`} variant="default">
              {t('Open the integration')}
            </Button>
          ) : undefined
        }
      >
        {allowed
          ? t('Nothing is asked of a paused connector. Resume it to see its alerts and event definitions.')
          : t('Nothing is asked of a paused connector. A System Manager or Admin of this tenant can resume it.')}
      </EmptyState>
    </Panel>
  );
}
