import { Button, Group, Stack, Text } from '@mantine/core';
import { t } from '../../language/translate.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemNote } from '../problem-note.tsx';
import classes from './confirmation.module.css';

type Props = {
  /** Names the object: "Revoke the key CI runner?" */
  title: string;
  /** The consequence. */
  text: string;
  actionLabel: string;
  /** The button warns, unless what it does harms nothing. */
  danger?: boolean;
  busy: boolean;
  /** Failure of the action; the dialog stays to show it. */
  problem: unknown;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before something that cannot be taken back, where the server itself asks nothing. */
export function AskDialog({ title, text, actionLabel, danger = true, busy, problem, onConfirm, onClose }: Props) {
  return (
    <Dialog title={title} onClose={busy ? () => undefined : onClose}>
      <Stack gap="md">
        <Text size="sm" className={classes.text ?? ''}>
          {text}
        </Text>
        <ProblemNote error={problem} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} disabled={busy} data-autofocus>
            {t('Cancel')}
          </Button>
          <Button className={danger ? (classes.danger ?? '') : ''} onClick={onConfirm} loading={busy}>
            {actionLabel}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
