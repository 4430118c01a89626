import { requirements } from '@airdeck/contracts/access/requirements';
import { hasRole } from '@airdeck/contracts/access/roles';
import { limits } from '@airdeck/contracts/limits';
import { type CloseReason, closeReasons } from '@airdeck/contracts/statuses';
import type { TenantUser } from '@airdeck/contracts/users/schema';
import { Button, Group, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { FormDialog } from '../../components/form-dialog.tsx';
import { PersonSelect } from '../../components/person-select.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { useCurrentUser } from '../../session/use-current-user.ts';
import { useRefusal } from '../../ui/use-refusal.ts';
import type { BulkDialogName } from './bulk-bar.tsx';
import { RefusedNote } from './bulk-outcome-note.tsx';
import { closeReasonWords } from './case/close-reasons.ts';
import { RunPlaybookForm } from './run-playbook-form.tsx';
import type { Bulk, BulkDone, BulkWork } from './use-bulk.ts';

export type BulkDialogProps = {
  /** Cases it is about. */
  count: number;
  bulk: Bulk;
  /** Resolves to whether nothing is left of it: what was refused is what the dialog is about from then on. */
  run: (work: BulkWork, done: BulkDone) => Promise<boolean>;
  onClose: () => void;
};

/** Asks what a change of many cases needs to know. */
export function BulkDialog({ name, ...given }: BulkDialogProps & { name: BulkDialogName }) {
  // What was refused before it opened is not its own.
  const [hasRun, setHasRun] = useState(false);
  const run: BulkDialogProps['run'] = (work, done) => {
    setHasRun(true);
    return given.run(work, done);
  };
  const note = (
    <>
      <ProblemNote error={given.bulk.failure} />
      <RefusedNote bulk={given.bulk} />
    </>
  );
  const props = { ...given, run, note: hasRun ? note : null };
  switch (name) {
    case 'close':
      return <CloseCases {...props} />;
    case 'assign':
      return <AssignCases {...props} />;
    case 'tag':
      return <TagCases {...props} />;
    case 'playbook':
      return <AnswerCases {...props} />;
  }
}

type AskProps = BulkDialogProps & { note: ReactNode };

function AnswerCases({ count, bulk, run, note, onClose }: AskProps) {
  const [typed, setTyped] = useState(false);
  return (
    <FormDialog
      title={plural(count, 'Run a playbook for {count} case', 'Run a playbook for {count} cases')}
      size={520}
      dirty={typed}
      busy={bulk.pending}
      onClose={onClose}
    >
      <Stack gap="md">
        {note}
        <RunPlaybookForm
          pending={bulk.pending}
          onType={() => setTyped(true)}
          onClose={onClose}
          run={(work, name) =>
            run(work, (done) =>
              plural(done, '{count} case answered with {name}', '{count} cases answered with {name}', { name }),
            )
          }
        />
      </Stack>
    </FormDialog>
  );
}

function CloseCases(props: AskProps) {
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
      label={plural(props.count, 'Close {count} case', 'Close {count} cases')}
      dirty={reason !== undefined || comment.trim() !== ''}
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
            <Radio
              key={value}
              value={value}
              size="sm"
              label={closeReasonWords[value].label}
              description={closeReasonWords[value].help}
            />
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

function AssignCases(props: AskProps) {
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

function TagCases(props: AskProps) {
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
      dirty={added.trim() !== '' || removed.trim() !== ''}
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

type FormProps = Pick<AskProps, 'bulk' | 'note' | 'onClose'> & {
  title: string;
  label: string;
  /** Something was filled in that would be lost. */
  dirty?: boolean;
  /** Resolves to whether the dialog is done. */
  onSubmit: () => Promise<boolean>;
  children: ReactNode;
};

function BulkForm({ title, label, dirty = false, bulk, note, onSubmit, onClose, children }: FormProps) {
  const { form, refuse } = useRefusal();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await onSubmit()) onClose();
    else refuse();
  };
  return (
    <FormDialog title={title} dirty={dirty} busy={bulk.pending} onClose={onClose}>
      <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          {note}
          {children}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={bulk.pending}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={bulk.pending}>
              {label}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  );
}
