import { requirements } from '@airdeck/contracts/access/requirements';
import { hasRole } from '@airdeck/contracts/access/roles';
import type { Playbook } from '@airdeck/contracts/playbooks/schema';
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCallIntent } from '../../../components/action-run/use-call-intent.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { playbookMutations } from '../../../queries/playbooks.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { useCurrentUser } from '../../../session/use-current-user.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import classes from './detail.module.css';

const NAME_MAX = 200;

type Props = { playbook: Playbook; onClose: () => void };

/** A copy under another name, here or in another tenant the reader builds playbooks in. */
export function DuplicateDialog({ playbook, onClose }: Props) {
  const tenantApi = useTenantApi();
  const navigate = useNavigate();
  const { allowed_tenants, tenant_roles } = useCurrentUser();
  const tenants = allowed_tenants.filter(({ id }) => {
    const role = tenant_roles[id];
    return role !== undefined && hasRole(role, requirements.playbooks.role);
  });
  const [name, setName] = useState(t('{name} (copy)', { name: playbook.metadata.name }).slice(0, NAME_MAX));
  const [tenant, setTenant] = useState(tenantApi.tenantId);
  const [asked, setAsked] = useState(false);
  const intent = useCallIntent();
  const duplicate = useMutation(playbookMutations.duplicate(tenantApi, useQueryClient(), { id: playbook.id, intent }));
  const elsewhere = tenant !== tenantApi.tenantId;
  const missing = name.trim() === '' ? t('Give the copy a name.') : undefined;
  const submit = () => {
    setAsked(true);
    if (missing !== undefined) return;
    duplicate.mutate(
      { name: name.trim(), tenant },
      {
        onSuccess: (copy) => {
          const where = tenants.find(({ id }) => id === copy.tenant)?.fullname ?? t('the other tenant');
          showDone(elsewhere ? t('Copied to {where} as a draft', { where }) : t('Copied as a draft'));
          onClose();
          if (!elsewhere) void navigate({ to: '/playbooks/$id', params: { id: copy.id } });
        },
      },
    );
  };
  return (
    <Dialog title={t('Duplicate “{name}”', { name: playbook.metadata.name })} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack gap="md">
          <TextInput
            label={t('Name of the copy')}
            value={name}
            maxLength={NAME_MAX}
            error={asked ? missing : undefined}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          {tenants.length < 2 ? null : (
            <NativeSelect
              label={t('Tenant')}
              value={tenant}
              data={tenants.map(({ id, fullname }) => ({ value: id, label: fullname }))}
              onChange={(event) => setTenant(event.currentTarget.value)}
            />
          )}
          <Text size="sm" className={classes.words ?? ''}>
            {t('The copy is a draft.')}{' '}
            {elsewhere
              ? t('Connectors are those of this tenant, so its steps use the default ones of the other.')
              : t('Nothing starts it before it is published.')}
          </Text>
          <ProblemNote error={duplicate.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={duplicate.isPending}>
              {t('Duplicate##verb')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
