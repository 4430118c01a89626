import { hasRole, type Role, roleLabels, roles } from '@airdeck/contracts/access/roles';
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useCallIntent } from '../../../components/action-run/use-call-intent.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { known, t } from '../../../language/translate.ts';
import { apiKeyMutations } from '../../../queries/me.ts';
import { useApp, useSession } from '../../../session/app-context.ts';
import { useCurrentUser } from '../../../session/use-current-user.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import classes from '../settings.module.css';

const lifetimes = [
  { value: '30', label: t('30 days') },
  { value: '90', label: t('90 days') },
  { value: '180', label: t('180 days') },
  { value: '365', label: t('One year') },
] as const;

const DAY_MS = 86_400_000;

/** Makes a key for one tenant, with at most the own role there, and shows it this one time. */
export function ApiKeyDialog({ onClose }: { onClose: () => void }) {
  const { api, queryClient } = useApp();
  const { currentTenant } = useSession();
  const { allowed_tenants, tenant_roles } = useCurrentUser();
  const [name, setName] = useState('');
  const [tenant, setTenant] = useState(currentTenant);
  const [wantedRole, setRole] = useState<Role>('ReadOnly');
  const [days, setDays] = useState('90');
  // Not the moment of the press: pressed again after a lost answer, it is the same key that is asked for.
  const [openedMs] = useState(() => Date.now());
  const create = useMutation(apiKeyMutations.create(api, queryClient, useCallIntent()));
  const own = tenant_roles[tenant] ?? 'ReadOnly';
  // Another tenant may not allow what was chosen for the one before.
  const role = hasRole(own, wantedRole) ? wantedRole : own;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '' || create.isPending) return;
    const expires_at = new Date(openedMs + Number(days) * DAY_MS).toISOString();
    create.mutate({ name: name.trim(), tenant, role, expires_at });
  };

  if (create.data !== undefined)
    return <CreatedKey name={create.data.name} secret={create.data.key} onClose={onClose} />;
  // Closed while the call is out, what is shown this one time would never be seen.
  const close = create.isPending ? () => undefined : onClose;
  return (
    <Dialog title={t('Create an API key')} onClose={close}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <ProblemNote error={create.error} />
          <TextInput
            label={t('Name')}
            description={t('What uses it, such as CI runner.')}
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <NativeSelect
            label={t('Tenant')}
            value={tenant}
            data={allowed_tenants.map(({ id, fullname }) => ({ value: id, label: fullname }))}
            onChange={(event) => setTenant(event.currentTarget.value)}
          />
          <Group grow align="flex-start">
            <NativeSelect
              label={t('Role')}
              description={t('At most your own there.')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={role}
              data={roles
                .filter((each) => hasRole(own, each))
                .map((each) => ({ value: each, label: known(roleLabels[each]) }))}
              onChange={(event) => setRole(roles.find((each) => each === event.currentTarget.value) ?? 'ReadOnly')}
            />
            <NativeSelect
              label={t('Expires after')}
              value={days}
              data={[...lifetimes]}
              onChange={(event) => setDays(event.currentTarget.value)}
            />
          </Group>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close} disabled={create.isPending}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
              {t('Create key')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function CreatedKey({ name, secret, onClose }: { name: string; secret: string; onClose: () => void }) {
  return (
    <Dialog title={t('Key {name}', { name })} onClose={onClose} closeLabel={t('Close')} closesOnlyByButton>
      <Stack gap="md">
        <Text size="sm">{t('Copy it now: it is shown this one time. Whoever has it can act in your name.')}</Text>
        <div className={classes.key}>
          <code>{secret}</code>
          <CopyButton value={secret} label={t('Copy key')} />
        </div>
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('Done')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
