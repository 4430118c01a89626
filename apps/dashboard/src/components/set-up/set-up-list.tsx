import type { Onboarding } from '@airdeck/contracts/onboarding/schema';
import { ActionIcon, Button, Group, Menu, Stack, TextInput } from '@mantine/core';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
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
          Step {at + 1} of {of.steps.length} · begun by {personName(of.created_by, user)} · changed{' '}
          <RelativeTime time={of.updated_at} />
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
            aria-label={`Continue ${of.title}`}
            renderRoot={(props) => <Link to="/set-up/$id" params={{ id: of.id }} {...props} />}
          >
            Continue
          </Button>
        ) : null}
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon size={28} aria-label={`More for ${of.title}`}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPencil size={14} aria-hidden />} onClick={() => onAsk('rename')}>
              Rename
            </Menu.Item>
            <Menu.Item
              className={classes.danger ?? ''}
              leftSection={<IconTrash size={14} aria-hidden />}
              onClick={() => onAsk('delete')}
            >
              Delete
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
    <Dialog title="Rename set-up" onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <ProblemNote error={save.error} />
          <TextInput
            label="Name"
            maxLength={200}
            value={title}
            error={title.trim() === '' ? 'Enter a name.' : undefined}
            onChange={(event) => setTitle(event.currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={save.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              Rename
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
      title={`Delete the set-up “${of.title}”?`}
      text="How far it came is forgotten for everybody. Event sources it made stay."
      actionLabel="Delete set-up"
      busy={remove.isPending}
      problem={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(of.id, {
          onSuccess: () => {
            showDone('Set-up deleted');
            onClose();
          },
        })
      }
    />
  );
}
