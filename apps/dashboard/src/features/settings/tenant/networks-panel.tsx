import type { OwnNetworks } from '@airdeck/contracts/own-networks/schema';
import { Button, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AskDialog } from '../../../components/confirmation/ask-dialog.tsx';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { ownNetworkMutations, ownNetworkQueries } from '../../../queries/own-networks.ts';
import { useApp, useTenantApi } from '../../../session/app-context.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { SettingRow } from '../setting-row.tsx';
import settings from '../settings.module.css';
import { SettingsBlock } from '../settings-block.tsx';
import { StateBadge } from '../state-badge.tsx';
import { NetworkForm } from './network-form.tsx';
import { inputOf } from './network-list.ts';

type Network = OwnNetworks['networks'][number];

/** Private networks with the tenant's own appliances, which its connectors may reach. */
export function NetworksPanel() {
  const query = useQuery(ownNetworkQueries.get(useTenantApi()));
  return (
    <div className={settings.stack}>
      <Text size="sm" c="dimmed">
        {t(
          'Connectors reach public addresses only. A firewall or a log server with a private address can be reached once its network is named here, by an Admin, inside what the operator of this installation has opened.',
        )}
      </Text>
      <SettingsBlock title={t('Own networks')} query={query}>
        {(own) => <Networks of={own} />}
      </SettingsBlock>
      {query.data === undefined || query.data.permitted.length === 0 ? null : <AddNetwork to={query.data} />}
    </div>
  );
}

function Networks({ of: own }: { of: OwnNetworks }) {
  const [leaving, setLeaving] = useState<Network>();
  return (
    <>
      {own.networks.map((each) => (
        <SettingRow
          key={each.network}
          title={<span className="air-mono">{each.network}</span>}
          text={each.note === '' ? undefined : each.note}
          state={each.in_force ? undefined : <StateBadge word={t('Not in force')} tone="warn" />}
          actions={
            <Button
              variant="default"
              size="compact-sm"
              className={settings.danger ?? ''}
              aria-label={t('Remove {network}', { network: each.network })}
              onClick={() => setLeaving(each)}
            >
              {t('Remove')}
            </Button>
          }
        />
      ))}
      {own.networks.some(({ in_force }) => !in_force) ? (
        <div className={settings.none}>
          {t(
            'What is not in force was opened by the operator once and is closed again. It opens nothing and can be removed.',
          )}
        </div>
      ) : null}
      {own.networks.length === 0 ? <NoNetworks permitted={own.permitted} /> : null}
      {leaving === undefined ? null : <Removal of={leaving} from={own} onClose={() => setLeaving(undefined)} />}
    </>
  );
}

function NoNetworks({ permitted }: { permitted: readonly string[] }) {
  if (permitted.length > 0) {
    return (
      <EmptyState title={t('No network yet')}>
        {t('Connectors reach public addresses only until one is added.')}
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t('No network can be named here')}>
      {t(
        'The operator of this installation has opened none of its private networks to tenants. Whoever runs it does so with the setting TENANT_NETWORKS, such as 10.0.0.0/8.',
      )}
    </EmptyState>
  );
}

function AddNetwork({ to: own }: { to: OwnNetworks }) {
  return (
    <Panel title={t('Add a network')}>
      <NetworkForm own={own} />
    </Panel>
  );
}

type RemovalProps = { of: Network; from: OwnNetworks; onClose: () => void };

function Removal({ of: { network }, from: own, onClose }: RemovalProps) {
  const { queryClient } = useApp();
  const put = useMutation(ownNetworkMutations.put(useTenantApi(), queryClient));
  const remove = () =>
    put.mutate(
      inputOf(
        own,
        own.networks.filter((each) => each.network !== network),
      ),
      {
        onSuccess: () => {
          showDone(t('{network} removed', { network }));
          onClose();
        },
      },
    );
  return (
    <AskDialog
      title={t('Remove {network}?', { network })}
      text={t('Connectors that reach a system there fail from now on, until the network is added again.')}
      actionLabel={t('Remove network')}
      busy={put.isPending}
      problem={put.error}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
