import { requirements } from '@airdeck/contracts/access/requirements';
import { hasRole } from '@airdeck/contracts/access/roles';
import { limits } from '@airdeck/contracts/limits';
import { type CloseReason, closeReasons } from '@airdeck/contracts/statuses';
import type { TenantUser } from '@airdeck/contracts/users/schema';
import { Button, Group, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { PersonSelect } from '../../components/person-select.tsx';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { useCurrentUser } from '../../session/use-current-user.ts';
import { Dialog } from '../../ui/dialog.tsx';
import type { BulkDialogName } from './bulk-bar.tsx';
import { closeReasonWords } from './case/close-reasons.ts';
import { RunPlaybookForm } from './run-playbook-form.tsx';
import type { BulkDone, BulkWork } from './use-bulk.ts';

export type BulkDialogProps = {
  /** Cases it is about. */
  count: number;
  pending: boolean;
  run: (work: BulkWork, done: BulkDone) => Promise<boolean>;
  onClose: () => void;
};

/** Asks what a change of many cases needs to know. */
export function BulkDialog({ name, ...props }: BulkDialogProps & { name: BulkDialogName }) {
  switch (name) {
    case 'close':
      return <CloseCases {...props} />;
    case 'assign':
      return <AssignCases {...props} />;
    case 'tag':
      return <TagCases {...props} />;
    case 'playbook':
      return (
        <Dialog
          title={plural(props.count, 'Run a playbook for {count} case', 'Run a playbook for {count} cases')}
          size={520}
          onClose={props.onClose}
        >
          <RunPlaybookForm
            {...props}
            run={(work, name) =>
              props.run(work, (count) =>
                plural(count, '{count} case answered with {name}', '{count} cases answered with {name}', { name }),
              )
            }
          />
        </Dialog>
      );
  }
}

function CloseCases(props: BulkDialogProps) {
  const [reason, setReason] = useState<CloseReason>();
  const [comment, setComment] = useState('');
  const [missing, setMissing] = useState(false);
  const submit = async () => {
    if (reason === undefined) {
      setMissing(true);
      return false;
    }
    const note = comment.trim();
    const change = { alert_status: 'closed' as const, close_reason: reason, ...(note === '' ? {} : { comment: note }) };
    return await props.run({ change }, (count) =>
      plural(count, '{count} case closed as {reason}', '{count} cases closed as {reason}', {
        reason: closeReasonWords[reason].label.toLowerCase(),
      }),
    );
  };
  return (
    <BulkForm
      {...props}
      title={plural(props.count, 'Close {count} case', 'Close {count} cases')}
      label={t('Close##case')}
      onSubmit={submit}
    >
      <Radio.Group
        label={t('Why are they closed?')}
        value={reason ?? ''}
        onChange={(value) => {
          setReason(closeReasons.find((each) => each === value));
          setMissing(false);
        }}
        error={missing ? t('Choose why the cases are closed.') : undefined}
      >
        <Stack gap={10} mt={8}>
          {closeReasons.map((value) => (
            <Radio key={value} value={value} size="sm" label={closeReasonWords[value].label} />
          ))}
        </Stack>
      </Radio.Group>
      <Textarea
        label={t('Comment')}
        description={t('Optional; it becomes part of each story.')}
        autosize
        minRows={2}
        maxLength={limits.commentMax}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
    </BulkForm>
  );
}

const NOBODY = '';

function AssignCases(props: BulkDialogProps) {
  const { user } = useCurrentUser();
  const [assignee, setAssignee] = useState(user.uname);
  const submit = () =>
    props.run({ change: { assignee: assignee === NOBODY ? null : assignee } }, (count) =>
      assignee === NOBODY
        ? plural(count, '{count} case given back', '{count} cases given back')
        : plural(count, '{count} case assigned', '{count} cases assigned'),
    );
  return (
    <BulkForm
      {...props}
      title={plural(props.count, 'Assign {count} case', 'Assign {count} cases')}
      label={t('Assign')}
      onSubmit={submit}
    >
      <PersonSelect
        label={t('To##person')}
        value={assignee}
        onChange={setAssignee}
        above={[
          { value: user.uname, label: t('{fullname} (you)', { fullname: user.fullname }) },
          { value: NOBODY, label: t('Nobody') },
        ]}
        fits={(person) => person.uname !== user.uname && mayBeGivenCases(person)}
        nobodyFits={t('Nobody found who can work on cases.')}
      />
    </BulkForm>
  );
}

/** As the server judges it: who only reads, or has not accepted the invitation yet, could not work on them. */
function mayBeGivenCases({ status, role }: TenantUser): boolean {
  return status === 'active' && hasRole(role, requirements.airWork.role);
}

function TagCases(props: BulkDialogProps) {
  const [added, setAdded] = useState('');
  const [removed, setRemoved] = useState('');
  const [missing, setMissing] = useState(false);
  const submit = async () => {
    const [add_tags, remove_tags] = [tagsOf(added), tagsOf(removed)];
    if (add_tags.length + remove_tags.length === 0) {
      setMissing(true);
      return false;
    }
    return await props.run({ change: { add_tags, remove_tags } }, (count) =>
      plural(count, '{count} case tagged', '{count} cases tagged'),
    );
  };
  return (
    <BulkForm
      {...props}
      title={plural(props.count, 'Tag {count} case', 'Tag {count} cases')}
      label={t('Save')}
      onSubmit={submit}
    >
      <TextInput
        label={t('Add')}
        description={t('Separate several with commas.')}
        value={added}
        error={missing ? t('Name a tag to add or to take away.') : undefined}
        data-autofocus
        onChange={(event) => {
          setAdded(event.currentTarget.value);
          setMissing(false);
        }}
      />
      <TextInput label={t('Take away')} value={removed} onChange={(event) => setRemoved(event.currentTarget.value)} />
    </BulkForm>
  );
}

const TAG_MAX = 50;
const TAGS_MAX = 30;

function tagsOf(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim().slice(0, TAG_MAX));
  return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, TAGS_MAX);
}

type FormProps = Pick<BulkDialogProps, 'pending' | 'onClose'> & {
  title: string;
  label: string;
  /** Resolves to whether the dialog is done. */
  onSubmit: () => Promise<boolean>;
  children: ReactNode;
};

function BulkForm({ title, label, pending, onSubmit, onClose, children }: FormProps) {
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await onSubmit()) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          {children}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={pending}>
              {label}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
