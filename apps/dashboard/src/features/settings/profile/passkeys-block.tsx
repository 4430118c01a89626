import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { AskDialog } from '../../../components/confirmation/ask-dialog.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { accountQueries } from '../../../queries/me.ts';
import { useApp } from '../../../session/app-context.ts';
import type { Passkey } from '../../../session/identity-provider.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { SettingRow } from '../setting-row.tsx';
import classes from '../settings.module.css';
import { SettingsBlock } from '../settings-block.tsx';
import { deviceWords } from './device-words.ts';
import { useAccountMutation } from './use-account-mutation.ts';

/** Passkeys: sign in with a fingerprint, face or security key instead of password and code. */
export function PasskeysBlock() {
  const { identity } = useApp();
  const security = useQuery(accountQueries.security(identity));
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey>();
  const add = useRef<HTMLButtonElement>(null);
  const reason = 'PublicKeyCredential' in window ? undefined : t('This browser cannot use passkeys.');
  return (
    <>
      <SettingsBlock
        title={t('Passkeys')}
        query={security}
        aside={
          <GuardedButton
            ref={add}
            variant="default"
            size="compact-sm"
            reason={reason}
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setAdding(true)}
          >
            {t('Add passkey')}
          </GuardedButton>
        }
      >
        {({ passkeys }) =>
          passkeys.length === 0 ? (
            <div className={classes.none}>
              {t(
                'None yet. A passkey signs you in with your fingerprint, face or a security key, and cannot be phished.',
              )}
            </div>
          ) : (
            passkeys.map((passkey) => (
              <SettingRow
                key={passkey.id}
                title={passkey.name}
                text={<PasskeyTimes of={passkey} />}
                actions={
                  <Button
                    variant="default"
                    aria-label={t('Remove {name}', { name: passkey.name })}
                    onClick={() => setRemoving(passkey)}
                  >
                    {t('Remove')}
                  </Button>
                }
              />
            ))
          )
        }
      </SettingsBlock>
      {adding ? <AddPasskey onClose={() => setAdding(false)} /> : null}
      {removing === undefined ? null : (
        <RemovePasskey
          of={removing}
          onClose={() => setRemoving(undefined)}
          // The button that was pressed goes with its row.
          onRemoved={() => add.current?.focus({ preventScroll: true })}
        />
      )}
    </>
  );
}

function PasskeyTimes({ of: { createdAt, lastUsedAt } }: { of: Passkey }) {
  return (
    <>
      {tx('Added {time}', { time: <RelativeTime time={createdAt} /> })}
      {lastUsedAt === undefined
        ? t(', not used yet')
        : tx(', last used {time}', { time: <RelativeTime time={lastUsedAt} /> })}
    </>
  );
}

function AddPasskey({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState(() => deviceWords(navigator.userAgent));
  const add = useAccountMutation((account, given: string) => account.addPasskey(given));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '' || add.isPending) return;
    add.mutate(name.trim(), {
      onSuccess: () => {
        showDone(t('Passkey added'));
        onClose();
      },
    });
  };
  return (
    <Dialog title={t('Add a passkey')} onClose={onClose} size={420}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t('Your browser asks next where to keep it: on this device, your phone or a security key.')}
          </Text>
          <ProblemNote error={add.error} />
          <TextInput
            label={t('Name')}
            description={t('To know it again in this list.')}
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={add.isPending} disabled={name.trim() === ''}>
              {t('Continue')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

type RemoveProps = { of: Passkey; onClose: () => void; onRemoved: () => void };

function RemovePasskey({ of: { id, name }, onClose, onRemoved }: RemoveProps) {
  const remove = useAccountMutation((account, given: string) => account.removePasskey(given));
  return (
    <AskDialog
      title={t('Remove the passkey {name}?', { name })}
      text={t(
        'It no longer signs you in, and other sessions that began with a passkey end. Remove it from the device or key that holds it as well.',
      )}
      actionLabel={t('Remove passkey')}
      busy={remove.isPending}
      problem={remove.error}
      onConfirm={() =>
        remove.mutate(id, {
          onSuccess: () => {
            onRemoved();
            onClose();
          },
        })
      }
      onClose={onClose}
    />
  );
}
