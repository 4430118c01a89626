import type { Told } from '@airdeck/contracts/filled-text';
import type { SsoConnection } from '@airdeck/contracts/settings/schema';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useConfirmedMutation } from '../../../components/confirmation/use-confirmed-mutation.ts';
import { FormPanel } from '../../../components/form-panel.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t, told } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { connectionsChanged, settingsQueries, ssoMutations } from '../../../queries/settings.ts';
import { useApp, useTenantApi } from '../../../session/app-context.ts';
import { SettingRow } from '../setting-row.tsx';
import settingsClasses from '../settings.module.css';
import { SettingsBlock } from '../settings-block.tsx';
import { StateBadge } from '../state-badge.tsx';
import { ssoKindWords } from './sso-fields.ts';
import { SsoForm } from './sso-form.tsx';
import { SsoVerdict } from './sso-verdict.tsx';

/** Issuers people of the tenant sign in with. */
export function SsoBlock() {
  const connections = useQuery(settingsQueries.connections(useTenantApi()));
  const [opened, setOpened] = useState(false);
  // By its id, so that the form follows what was saved; undefined adds one.
  const [editedId, setEditedId] = useState<string>();
  const edited = connections.data?.find(({ id }) => id === editedId);
  const open = (id: string | undefined) => {
    setEditedId(id);
    setOpened(true);
  };
  return (
    <>
      <SettingsBlock
        title={t('Single sign-on')}
        query={connections}
        aside={
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => open(undefined)}
          >
            {t('Add connection')}
          </Button>
        }
      >
        {(list) =>
          list.length === 0 ? (
            <div className={settingsClasses.none}>
              {t(
                'None yet. With a connection, people sign in with Microsoft, Google or any OpenID Connect issuer of yours.',
              )}
            </div>
          ) : (
            list.map((connection) => (
              <ConnectionRow key={connection.id} of={connection} onEdit={() => open(connection.id)} />
            ))
          )
        }
      </SettingsBlock>
      <FormPanel
        title={edited === undefined ? t('Add connection') : edited.label}
        opened={opened}
        onClose={() => setOpened(false)}
      >
        {(onUnsaved) => (
          <SsoForm
            key={editedId ?? 'new'}
            connection={edited}
            redirectUri={connections.data?.[0]?.redirect_uri}
            onUnsaved={onUnsaved}
            onSaved={(saved) => setEditedId(saved.id)}
            onClose={() => setOpened(false)}
          />
        )}
      </FormPanel>
    </>
  );
}

function ConnectionRow({ of: connection, onEdit }: { of: SsoConnection; onEdit: () => void }) {
  const tenantApi = useTenantApi();
  const { queryClient } = useApp();
  const { api, tenantId } = tenantApi;
  const { id, label, kind, issuer, domains, enabled, client_secret_set_at } = connection;
  const test = useMutation(ssoMutations.test(tenantApi));
  const remove = useConfirmedMutation({
    mutationFn: (_: undefined, controls) => api.call('sso.delete', { params: { tenant: tenantId, id }, ...controls }),
    onSuccess: () => {
      showDone(t('Connection deleted'));
      return connectionsChanged(tenantApi, queryClient);
    },
    meta: { failure: 'inline' },
  });
  return (
    <SettingRow
      title={label}
      state={
        <>
          {enabled ? <StateBadge word={t('On')} tone="good" /> : <StateBadge word={t('Off')} />}
          {client_secret_set_at === null ? <StateBadge word={t('No secret')} tone="warn" /> : null}
        </>
      }
      text={
        <>
          {ssoKindWords[kind]} · {issuer}
          {domains.length === 0 ? null : <> · {domains.join(', ')}</>}
          <ProblemNote error={test.error ?? remove.error} />
          {test.data === undefined ? null : <TestResult {...test.data} />}
        </>
      }
      actions={
        <>
          <Button
            variant="default"
            aria-label={t('Test {label}', { label })}
            loading={test.isPending}
            onClick={() => test.mutate(id)}
          >
            {t('Test')}
          </Button>
          <Button variant="default" aria-label={t('Edit {label}', { label })} onClick={onEdit}>
            {t('Edit')}
          </Button>
          <Button
            variant="default"
            className={settingsClasses.danger ?? ''}
            aria-label={t('Delete {label}', { label })}
            loading={remove.isPending}
            onClick={() => remove.mutate(undefined)}
          >
            {t('Delete…')}
          </Button>
        </>
      }
    />
  );
}

function TestResult({ ok, ...sentence }: Told & { ok: boolean }) {
  return (
    <SsoVerdict ok={ok}>
      {ok ? t('Works. ') : t('Does not work. ')}
      {told(sentence)}
    </SsoVerdict>
  );
}
