import { isRefusedWith } from '@airdeck/api-client/api-error';
import type { Role } from '@airdeck/contracts/access/roles';
import { limits } from '@airdeck/contracts/limits';
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useCallIntent } from '../../../components/action-run/use-call-intent.ts';
import { FormPanel, useUnsaved } from '../../../components/form-panel.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { known, t } from '../../../language/translate.ts';
import { isEmailAddress } from '../../../lib/email-address.ts';
import { showDone } from '../../../lib/toasts.ts';
import { userMutations } from '../../../queries/users.ts';
import { useApp, useTenantApi } from '../../../session/app-context.ts';
import { useRefusal } from '../../../ui/use-refusal.ts';
import { roleOf, roleOptions, roleTexts } from './role-options.ts';

type Props = { opened: boolean; onClose: () => void };

/** Invites somebody by mail. */
export function InvitePanel({ opened, onClose }: Props) {
  return (
    <FormPanel title={t('Invite user')} opened={opened} onClose={onClose}>
      {(onUnsaved) => <InviteForm onUnsaved={onUnsaved} onDone={onClose} />}
    </FormPanel>
  );
}

type Problems = { email?: string; fullname?: string };

type FormProps = { onUnsaved: (unsaved: boolean) => void; onDone: () => void };

function InviteForm({ onUnsaved, onDone }: FormProps) {
  const { queryClient } = useApp();
  const invite = useMutation(userMutations.invite(useTenantApi(), queryClient, useCallIntent()));
  const [fields, setFields] = useState<{ email: string; fullname: string; role: Role }>({
    email: '',
    fullname: '',
    role: 'Analyst',
  });
  const [problems, setProblems] = useState<Problems>({});
  const { form, refuse } = useRefusal(invite.error);
  useUnsaved(fields.email !== '' || fields.fullname !== '', onUnsaved);
  const taken = isRefusedWith(invite.error, 'EMAIL_TAKEN') ? known(invite.error.message) : undefined;
  const edit = (part: Partial<typeof fields>) => {
    setFields({ ...fields, ...part });
    setProblems({});
    if (invite.isError) invite.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { ...fields, email: fields.email.trim(), fullname: fields.fullname.trim() };
    const found = problemsOf(body);
    setProblems(found);
    if (Object.keys(found).length > 0) return refuse();
    if (invite.isPending) return;
    invite.mutate(body, {
      onSuccess: () => {
        showDone(t('Invitation sent to {email}', { email: body.email }));
        onDone();
      },
    });
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('They get a mail with a link that is good for {invitationLifetimeDays} days.', {
            invitationLifetimeDays: limits.invitationLifetimeDays,
          })}
        </Text>
        {taken === undefined ? <ProblemNote error={invite.error} /> : null}
        <TextInput
          label={t('Name')}
          autoComplete="off"
          maxLength={200}
          value={fields.fullname}
          error={problems.fullname}
          onChange={(event) => edit({ fullname: event.currentTarget.value })}
          data-autofocus
        />
        <TextInput
          label={t('E-mail address')}
          type="email"
          autoComplete="off"
          maxLength={254}
          value={fields.email}
          error={problems.email ?? taken}
          onChange={(event) => edit({ email: event.currentTarget.value })}
        />
        <NativeSelect
          label={t('Role')}
          description={roleTexts[fields.role]}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={fields.role}
          data={[...roleOptions]}
          onChange={(event) => edit({ role: roleOf(event.currentTarget.value) ?? fields.role })}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={invite.isPending}>
            {t('Send invitation')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function problemsOf({ email, fullname }: { email: string; fullname: string }): Problems {
  return {
    ...(fullname === '' ? { fullname: t('Enter a name.') } : {}),
    ...(isEmailAddress(email) ? {} : { email: t('Enter an e-mail address.') }),
  };
}
