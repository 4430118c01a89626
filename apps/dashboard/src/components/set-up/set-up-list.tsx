import type { Onboarding } from '@airdeck/contracts/onboarding/schema';
import { ActionIcon, Button, Group, Menu, Stack, TextInput } from '@mantine/core';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { showDone } from '../../lib/toasts.ts';
import { onboardingMutations } from '../../queries/onboarding.ts';
import { useApp, useTenantApi } from '../../session/app-context.ts';
import { useCurrentUser } from '../../session/use-current-user.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { AskDialog } from '../confirmation/ask-dialog.tsx';
import { personName } from '../person-name.ts';
import { ProblemNote } from '../problem-note.tsx';
import classes from './set-up.module.css';

type Asked = { what: 'rename' | 'delete'; of: Onboarding };

/** Set-ups begun and not finished: go on, rename, give up. */
export function SetUpList({ list }: { list: readonly Onboarding[] }) {
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  return (
    <>
      <ul className={classes.list}>
        {list.map((each) => (
          <SetUpRow key={each.id} of={each} onAsk={(what) => setAsked({ what, of: each })} />
        ))}
      </ul>
      {asked?.what === 'rename' ? <RenameSetUp of={asked.of} onClose={close} /> : null}
      {asked?.what === 'delete' ? <DeleteSetUp of={asked.of} onClose={close} /> : null}
    </>
  );
}

function SetUpRow({ of, onAsk }: { of: Onboarding; onAsk: (what: Asked['what']) => void }) {
  const { user } = useCurrentUser();
  const at = Math.max(0, of.steps.indexOf(of.step));
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <span className={classes.title}>{of.title}</span>
        <span className={classes.text}>
          {tx('Step {step} of {steps} · begun by {person} · changed {time}', {
            step: at + 1,
            steps: of.steps.length,
            person: personName(of.created_by, user),
            time: <RelativeTime time={of.updated_at} />,
          })}
        </span>
      </div>
      <span className={classes.bar} aria-hidden="true">
        {of.steps.map((step, index) => (
          <span key={step} data-done={index < at || undefined} data-now={index === at || undefined} />
        ))}
      </span>
      <div className={classes.actions}>
        {/* Other kinds go on where they were begun. */}
        {of.kind === 'connector' ? (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t('Continue {title}', { title: of.title })}
            renderRoot={(props) => <Link to="/set-up/$id" params={{ id: of.id }} {...props} />}
          >
            {t('Continue')}
          </Button>
        ) : null}
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon size={28} aria-label={t('More for {name}', { name: of.title })}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPencil size={14} aria-hidden />} onClick={() => onAsk('rename')}>
              {t('Rename')}
            </Menu.Item>
            <Menu.Item
              className={classes.danger ?? ''}
              leftSection={<IconTrash size={14} aria-hidden />}
              onClick={() => onAsk('delete')}
            >
              {t('Delete')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
    </li>
  );
}

function RenameSetUp({ of, onClose }: { of: Onboarding; onClose: () => void }) {
  const { queryClient } = useApp();
  const save = useMutation(onboardingMutations.save(useTenantApi(), queryClient));
  const [title, setTitle] = useState(of.title);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (title.trim() === '' || save.isPending) return;
    const { id, kind, step, steps, data } = of;
    save.mutate({ id, body: { kind, step, steps, data, title: title.trim() } }, { onSuccess: onClose });
  };
  return (
    <Dialog title={t('Rename set-up')} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <ProblemNote error={save.error} />
          <TextInput
            label={t('Name')}
            maxLength={200}
            value={title}
            error={title.trim() === '' ? t('Enter a name.') : undefined}
            onChange={(event) => setTitle(event.currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={save.isPending}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t('Rename')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function DeleteSetUp({ of, onClose }: { of: Onboarding; onClose: () => void }) {
  const { queryClient } = useApp();
  const remove = useMutation(onboardingMutations.delete(useTenantApi(), queryClient));
  return (
    <AskDialog
      title={t('Delete the set-up “{title}”?', { title: of.title })}
      text={t('How far it came is forgotten for everybody. Event sources it made stay.')}
      actionLabel={t('Delete set-up')}
      busy={remove.isPending}
      problem={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(of.id, {
          onSuccess: () => {
            showDone(t('Set-up deleted'));
            onClose();
          },
        })
      }
    />
  );
}
