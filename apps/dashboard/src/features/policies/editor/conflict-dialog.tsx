import type { Policy, PolicyRule } from '@airdeck/contracts/policies/schema';
import { Button, Group, Stack } from '@mantine/core';
import { Person } from '../../../components/person.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { changedParts } from './changed-parts.ts';
import classes from './editor.module.css';

type Props = {
  /** What both began with, what was saved meanwhile, and what was to be saved. */
  base: PolicyRule;
  theirs: Policy;
  mine: PolicyRule;
  busy: boolean;
  onMine: () => void;
  onTheirs: () => void;
  onClose: () => void;
};

/** Two people changed the same policy: who changed what, and the ways to go on. */
export function ConflictDialog({ base, theirs, mine, busy, onMine, onTheirs, onClose }: Props) {
  const changed = changedParts(base, theirs.rule);
  const own = changedParts(base, mine);
  const both = changed.filter((part) => own.includes(part));
  return (
    <Dialog title="Somebody else changed this policy" size={500} closeLabel="Keep editing" onClose={onClose}>
      <Stack gap="md">
        <p className={classes.text}>
          {theirs.updated_by === '' ? 'It was changed' : <Person username={theirs.updated_by} />}
          {theirs.updated_by === '' ? ' ' : ' changed it '}
          <RelativeTime time={theirs.updated_at} />:{' '}
          {changed.length === 0 ? `it is ${theirs.enabled ? 'on' : 'off'} now` : changed.join(', ')}. You changed{' '}
          {own.length === 0 ? 'nothing of the rule' : own.join(', ')}
          {both.length === 0 ? '.' : `, so you both changed ${both.join(', ')}.`}
        </p>
        <p className={classes.text}>
          Saving yours replaces the whole rule with yours; theirs stays in the list of versions. Taking theirs drops
          what you changed here.
        </p>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" disabled={busy} onClick={onTheirs}>
            Take theirs
          </Button>
          <Button variant="default" loading={busy} onClick={onMine}>
            Save mine
          </Button>
          <Button disabled={busy} onClick={onClose} data-autofocus>
            Keep editing
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
