import type { PlaybookRunSummary } from '@airdeck/contracts/activity/schema';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { runMutations } from '../../../queries/activity.ts';
import { useAccess } from '../../../session/access.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import classes from './run.module.css';

/** Stops a run, once it was named and its consequence said. */
export function CancelRun({ run }: { run: PlaybookRunSummary }) {
  const { reason } = useAccess('playbooks');
  const [asking, setAsking] = useState(false);
  const cancel = useMutation(runMutations.cancel(useTenantApi(), useQueryClient(), run.workflow_uuid));
  const started = run.actions_summary.filter(({ time_started }) => time_started !== null).length;
  const confirm = () =>
    cancel.mutate(undefined, {
      onSuccess: () => showDone(t('{workflow_name} cancelled', { workflow_name: run.workflow_name })),
      onSettled: () => setAsking(false),
    });

  return (
    <>
      <GuardedButton
        variant="default"
        reason={reason}
        leftSection={<IconPlayerStop size={16} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('Cancel run')}
      </GuardedButton>
      <Modal
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('Cancel “{workflow_name}”?', { workflow_name: run.workflow_name })}
        size={480}
        closeButtonProps={{ 'aria-label': t('Close') }}
        styles={{ title: { fontWeight: 600 } }}
      >
        <Stack gap="md">
          <Text size="sm">
            {plural(
              started,
              'No further action starts, and what is running is stopped. What the action already did stays done. A cancelled run cannot be resumed.',
              'No further action starts, and what is running is stopped. What actions already did stays done. A cancelled run cannot be resumed.',
            )}
          </Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => setAsking(false)} data-autofocus>
              {t('Keep it running')}
            </Button>
            <Button variant="default" className={classes.danger ?? ''} loading={cancel.isPending} onClick={confirm}>
              {t('Cancel run')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
