import { roleLabels } from '@airdeck/contracts/access/roles';
import type { ApiKey } from '@airdeck/contracts/me/schema';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AskDialog } from '../../../components/confirmation/ask-dialog.tsx';
import { tx } from '../../../language/rich-text.ts';
import { known, t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { apiKeyMutations, apiKeyQueries } from '../../../queries/me.ts';
import { useApp } from '../../../session/app-context.ts';
import { useCurrentUser } from '../../../session/use-current-user.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { useNow } from '../../../ui/use-now.ts';
import { SettingRow } from '../setting-row.tsx';
import classes from '../settings.module.css';
import { SettingsBlock } from '../settings-block.tsx';
import { StateBadge } from '../state-badge.tsx';
import { ApiKeyDialog } from './api-key-dialog.tsx';

/** Keys programs use in one's name, each for one tenant and with a role of its own. */
export function ApiKeysBlock() {
  const { api } = useApp();
  const keys = useQuery(apiKeyQueries.list(api));
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  return (
    <>
      <SettingsBlock
        title={t('API keys')}
        query={keys}
        aside={
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setCreating(true)}
          >
            {t('Create key')}
          </Button>
        }
      >
        {(list) =>
          list.length === 0 ? (
            <div className={classes.none}>
              {t('None yet. A key lets a program of yours call the API in one tenant.')}
            </div>
          ) : (
            list.map((key) => <KeyRow key={key.id} of={key} onRevoke={() => setRevoking(key)} />)
          )
        }
      </SettingsBlock>
      {creating ? <ApiKeyDialog onClose={() => setCreating(false)} /> : null}
      {revoking === undefined ? null : <RevokeKey of={revoking} onClose={() => setRevoking(undefined)} />}
    </>
  );
}

function KeyRow({ of: key, onRevoke }: { of: ApiKey; onRevoke: () => void }) {
  const { allowed_tenants } = useCurrentUser();
  const now = useNow();
  const expired = Date.parse(key.expires_at) <= now.getTime();
  const tenant = allowed_tenants.find(({ id }) => id === key.tenant)?.fullname ?? t('a tenant you left');
  return (
    <SettingRow
      title={key.name}
      state={
        <>
          <span className="air-mono">{key.hint}</span>
          {expired ? <StateBadge word={t('Expired')} tone="warn" /> : null}
        </>
      }
      text={
        <>
          {tx('{role} in {tenant} · {what} {time} ·', {
            role: known(roleLabels[key.role]),
            tenant,
            what: expired ? t('expired') : t('expires'),
            time: <RelativeTime time={key.expires_at} />,
          })}{' '}
          {key.last_used_at === null
            ? t('never used')
            : tx('last used {time}', { time: <RelativeTime time={key.last_used_at} /> })}
        </>
      }
      actions={
        <Button variant="default" aria-label={t('Revoke {name}', { name: key.name })} onClick={onRevoke}>
          {t('Revoke')}
        </Button>
      }
    />
  );
}

function RevokeKey({ of: { id, name }, onClose }: { of: ApiKey; onClose: () => void }) {
  const { api, queryClient } = useApp();
  const revoke = useMutation({ ...apiKeyMutations.revoke(api, queryClient), meta: { failure: 'inline' } });
  return (
    <AskDialog
      title={t('Revoke the key {name}?', { name })}
      text={t('Programs that use it are refused from now on. It cannot be brought back.')}
      actionLabel={t('Revoke key')}
      busy={revoke.isPending}
      problem={revoke.error}
      onConfirm={() =>
        revoke.mutate(id, {
          onSuccess: () => {
            showDone(t('Key revoked'));
            onClose();
          },
        })
      }
      onClose={onClose}
    />
  );
}
