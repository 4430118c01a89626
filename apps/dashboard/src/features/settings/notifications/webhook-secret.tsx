import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { AskDialog } from '../../../components/confirmation/ask-dialog.tsx';
import { notificationMutations } from '../../../queries/notifications.ts';
import { useApp } from '../../../session/app-context.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import classes from '../settings.module.css';

/** Makes the secret that signs the own webhooks, and shows it this one time. */
export function WebhookSecret() {
  const { api } = useApp();
  const [asking, setAsking] = useState(false);
  const make = useMutation(notificationMutations.webhookSecret(api));
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
        New signing secret…
      </Button>
      <Text size="sm" c="dimmed" flex="1 1 260px">
        Calls are signed with it, so that the receiver can tell them from forged ones.
      </Text>
      {asking ? (
        <AskDialog
          title="Make a new signing secret?"
          text="It is shown once. A secret made earlier stops counting at once: the receiver refuses calls until it knows the new one."
          actionLabel="Make secret"
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

function MadeSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog title="Signing secret" onClose={onClose} closeLabel="Close">
      <Stack gap="md">
        <Text size="sm">
          Copy it now: it is shown this one time. Each call carries the header <code>X-AIR-signature</code> with{' '}
          <code>t=</code>seconds and <code>v1=</code>HMAC-SHA256 of time, a dot and the body.
        </Text>
        <div className={classes.key}>
          <code>{secret}</code>
          <CopyButton value={secret} label="Copy secret" />
        </div>
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
