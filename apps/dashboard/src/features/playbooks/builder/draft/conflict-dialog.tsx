import { Button, Group, Stack } from '@mantine/core';
import { Dialog } from '../../../../ui/dialog.tsx';
import { RelativeTime } from '../../../../ui/relative-time.tsx';
import classes from './draft.module.css';
import type { Theirs } from './draft-saver.ts';

type Props = { theirs: Theirs; onMine: () => void; onTheirs: () => void; onClose: () => void };

/** Two people changed the same playbook: who did what, and the two ways to go on. */
export function ConflictDialog({ theirs, onMine, onTheirs, onClose }: Props) {
  const { what, by, time, at, definition } = theirs;
  const steps = definition.actions.length === 1 ? '1 step' : `${definition.actions.length} steps`;
  const title = what === 'saved' ? 'Somebody else saved this draft' : `Version ${at.version} was published meanwhile`;
  return (
    <Dialog title={title} size={480} closeLabel="Decide later" onClose={onClose}>
      <Stack gap="md">
        <p className={classes.text}>
          {what === 'saved' ? (
            <>
              {by} saved it <RelativeTime time={time} />; theirs has {steps}. Only one of the two can stay. Taking
              theirs can be undone here; saving yours replaces what they saved.
            </>
          ) : (
            <>
              {by} published it <RelativeTime time={time} />; it has {steps}. Your changes were made on an older
              version. Taking theirs can be undone here; saving yours keeps your changes as a draft, and publishing it
              would take back what they published.
            </>
          )}
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
