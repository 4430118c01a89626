import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useCallIntent } from '../../../components/action-run/use-call-intent.ts';
import { AskDialog } from '../../../components/confirmation/ask-dialog.tsx';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { notificationMutations } from '../../../queries/notifications.ts';
import { useApp } from '../../../session/app-context.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import classes from '../settings.module.css';

/** Makes the secret that signs the own webhooks, and shows it this one time. */
export function WebhookSecret() {
  const { api } = useApp();
  const [asking, setAsking] = useState(false);
  const make = useMutation(notificationMutations.webhookSecret(api, useCallIntent()));
  const ask = () => {
    make.reset();
    setAsking(true);
  };
  const confirm = () => {
    if (!make.isPending) make.mutate(undefined, { onSuccess: () => setAsking(false) });
  };
  return (
    <Group gap="md" mt="md">
      <Button variant="default" onClick={ask}>
        {t('New signing secret…')}
      </Button>
      <Text size="sm" c="dimmed" flex="1 1 260px">
        {t('Calls are signed with it, so that the receiver can tell them from forged ones.')}
      </Text>
      {asking ? (
        <AskDialog
          title={t('Make a new signing secret?')}
          text={t(
            'It is shown once. A secret made earlier stops counting at once: the receiver refuses calls until it knows the new one.',
          )}
          actionLabel={t('Make secret')}
          busy={make.isPending}
          problem={make.error}
          onClose={() => setAsking(false)}
          onConfirm={confirm}
        />
      ) : null}
      {make.data === undefined ? null : <MadeSecret secret={make.data.secret} onClose={make.reset} />}
    </Group>
  );
}

const asCode = (text: string) => <code>{text}</code>;

function MadeSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog title={t('Signing secret')} onClose={onClose} closeLabel={t('Close')} closesOnlyByButton>
      <Stack gap="md">
        <Text size="sm">
          {tx(
            'Copy it now: it is shown this one time. Each call carries the header <header>X-AIR-signature</header> with <time>t=</time>seconds and <mac>v1=</mac>HMAC-SHA256 of time, a dot and the body.',
            { header: asCode, time: asCode, mac: asCode },
          )}
        </Text>
        <div className={classes.key}>
          <code>{secret}</code>
          <CopyButton value={secret} label={t('Copy secret')} />
        </div>
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('Done')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
