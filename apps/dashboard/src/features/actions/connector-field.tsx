import type { ActionDefinition } from '@airdeck/contracts/actions/schema';
import type { ConnectorSummary } from '@airdeck/contracts/connectors/schema';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { productOf } from '../../components/action-names.ts';
import { t } from '../../language/translate.ts';
import { connectorQueries } from '../../queries/connectors.ts';
import { useAccess } from '../../session/access.ts';
import { useTenantApi } from '../../session/app-context.ts';
import classes from './actions.module.css';

/** Connectors an action can be run with. */
export type ConnectorChoice = {
  /** `none`: not needed; `missing`: needed, and there is not one that may be used. */
  readonly state: 'none' | 'loading' | 'unknown' | 'missing' | 'known';
  readonly connectors: readonly ConnectorSummary[];
  /** Null leaves the choice to the server. */
  readonly chosen: string | null;
  readonly choose: (id: string) => void;
};

/** The tenant's connectors of the action's integration, the default first and chosen. */
export function useConnectorChoice({ definition_id, requires_connector }: ActionDefinition): ConnectorChoice {
  const [wanted, choose] = useState<string>();
  const list = useQuery({ ...connectorQueries.list(useTenantApi()), enabled: requires_connector });
  const connectors = (list.data ?? [])
    .filter((connector) => connector.definition_id === definition_id)
    .toSorted((one, other) => Number(other.default) - Number(one.default) || one.name.localeCompare(other.name));
  const usable = connectors.filter(({ enabled }) => enabled);
  const chosen = (usable.find(({ id }) => id === wanted) ?? usable[0])?.id ?? null;
  const known = usable.length === 0 ? 'missing' : 'known';
  const state = !requires_connector ? 'none' : list.data !== undefined ? known : list.isError ? 'unknown' : 'loading';
  return { state, connectors, chosen, choose };
}

/** Why an action cannot be run with what there is; undefined when it can. */
export function connectorReason({ state, connectors }: ConnectorChoice): string | undefined {
  if (state === 'loading') return t('The connectors are still being loaded.');
  if (state !== 'missing') return undefined;
  return connectors.length === 0
    ? t('Set up a connector first.')
    : t('All its connectors are paused. Resume one first.');
}

type Props = { action: ActionDefinition; choice: ConnectorChoice; disabled: boolean };

/** Which of the tenant's connectors runs it. */
export function ConnectorField({ action, choice, disabled }: Props) {
  const { state, connectors, chosen, choose } = choice;
  if (state === 'none' || state === 'loading') return null;
  if (state === 'missing') return <NoConnector action={action} paused={connectors.length > 0} />;
  if (state === 'unknown') {
    return <p className={classes.words}>{t('The connectors could not be loaded. It runs with the default one.')}</p>;
  }
  return (
    <NativeSelect
      label={t('Connector')}
      disabled={disabled}
      value={chosen ?? ''}
      data={connectors.map((connector) => ({
        value: connector.id,
        label: labelOf(connector),
        disabled: !connector.enabled,
      }))}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}

function labelOf({ name, default: isDefault, enabled, state }: ConnectorSummary): string {
  const notes = [
    isDefault ? t('default') : undefined,
    enabled ? undefined : t('paused'),
    enabled && state === 'error' ? t('its last test failed') : undefined,
  ].filter((note) => note !== undefined);
  return [name, ...notes].join(' · ');
}

function NoConnector({ action, paused }: { action: ActionDefinition; paused: boolean }) {
  const { allowed } = useAccess('integrations');
  const product = productOf(action);
  const what = paused
    ? t('All connectors of {product} in this tenant are paused.', { product })
    : t('No connector for {product} is set up in this tenant.', { product });
  return (
    <p className={classes.missing}>
      {what}{' '}
      {!allowed ? (
        t('Ask a System Manager to {what}.', { what: paused ? t('resume one') : t('set one up') })
      ) : paused ? (
        <Link to="/integrations">{t('Open the integrations')}</Link>
      ) : (
        <Link to="/integrations/new/$id" params={{ id: action.definition_id }}>
          {t('Set one up')}
        </Link>
      )}
    </p>
  );
}
