import type { PlaybookDraft } from '@airdeck/contracts/playbooks/schema';
import { Button, Group, Stack } from '@mantine/core';
import { Dialog } from '../../../../ui/dialog.tsx';
import { RelativeTime } from '../../../../ui/relative-time.tsx';
import classes from './draft.module.css';

type Props = { theirs: PlaybookDraft; onMine: () => void; onTheirs: () => void; onClose: () => void };

/** Two people changed the same draft: who saved, and the two ways to go on. */
export function ConflictDialog({ theirs, onMine, onTheirs, onClose }: Props) {
  const steps = theirs.definition.actions.length;
  return (
    <Dialog title="Somebody else saved this draft" size={480} closeLabel="Decide later" onClose={onClose}>
      <Stack gap="md">
        <p className={classes.text}>
          {theirs.updated_by} saved it <RelativeTime time={theirs.updated_at} />; theirs has{' '}
          {steps === 1 ? '1 step' : `${steps} steps`}. Only one of the two can stay. Taking theirs can be undone here;
          saving yours replaces what they saved.
        </p>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onMine}>
            Save mine
          </Button>
          <Button onClick={onTheirs} data-autofocus>
            Take theirs
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
