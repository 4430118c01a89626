import type { Policy, PolicyRule } from '@airdeck/contracts/policies/schema';
import { Button, Group, Stack } from '@mantine/core';
import { Person } from '../../../components/person.tsx';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
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
  const time = <RelativeTime time={theirs.updated_at} />;
  const changes = changed.length > 0 ? changed.join(', ') : theirs.enabled ? t('it is on now') : t('it is off now');
  const both = changed.filter((part) => own.includes(part));
  return (
    <Dialog title={t('Somebody else changed this policy')} size={500} closeLabel={t('Keep editing')} onClose={onClose}>
      <Stack gap="md">
        <p className={classes.text}>
          {theirs.updated_by === ''
            ? tx('It was changed {time}: {changes}.', { time, changes })
            : tx('{person} changed it {time}: {changes}.', {
                person: <Person username={theirs.updated_by} />,
                time,
                changes,
              })}{' '}
          {own.length === 0
            ? t('You changed nothing of the rule.')
            : both.length === 0
              ? t('You changed {parts}.', { parts: own.join(', ') })
              : t('You changed {parts}, so you both changed {both}.', { parts: own.join(', '), both: both.join(', ') })}
        </p>
        <p className={classes.text}>
          {t(
            'Saving yours replaces the whole rule with yours; theirs stays in the list of versions. Taking theirs drops what you changed here.',
          )}
        </p>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" disabled={busy} onClick={onTheirs}>
            {t('Take theirs')}
          </Button>
          <Button variant="default" loading={busy} onClick={onMine}>
            {t('Save mine')}
          </Button>
          <Button disabled={busy} onClick={onClose} data-autofocus>
            {t('Keep editing')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
