import { Button, Group, Stack } from '@mantine/core';
import { Person } from '../../../../components/person.tsx';
import { plural } from '../../../../language/plural.ts';
import { tx } from '../../../../language/rich-text.ts';
import { t } from '../../../../language/translate.ts';
import { Dialog } from '../../../../ui/dialog.tsx';
import { RelativeTime } from '../../../../ui/relative-time.tsx';
import classes from './draft.module.css';
import type { Theirs } from './draft-saver.ts';

type Props = { theirs: Theirs; onMine: () => void; onTheirs: () => void; onClose: () => void };

/** Two people changed the same playbook: who did what, and the two ways to go on. */
export function ConflictDialog({ theirs, onMine, onTheirs, onClose }: Props) {
  const { did, time, at, definition } = theirs;
  const by = <Person username={theirs.by} />;
  const steps = plural(definition.actions.length, '{count} step', '{count} steps');
  const title =
    did === 'saved'
      ? t('Somebody else saved this draft')
      : t('Version {version} was published meanwhile', { version: at.version });
  return (
    <Dialog title={title} size={480} closeLabel={t('Decide later')} onClose={onClose}>
      <Stack gap="md">
        <p className={classes.text}>
          {did === 'saved'
            ? tx(
                '{by} saved it {time}; theirs has {steps}. Only one of the two can stay. Taking theirs can be undone here; saving yours replaces what they saved.',
                { by, time: <RelativeTime time={time} />, steps },
              )
            : tx(
                '{by} published it {time}; it has {steps}. Your changes were made on an older version. Taking theirs can be undone here; saving yours keeps your changes as a draft, and publishing it would take back what they published.',
                { by, time: <RelativeTime time={time} />, steps },
              )}
        </p>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onMine}>
            {t('Save mine')}
          </Button>
          <Button onClick={onTheirs} data-autofocus>
            {t('Take theirs')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
