import { ApiError } from '@airdeck/api-client/api-error';
import { contactChannels, contactKinds } from '@airdeck/contracts/contacts/schema';
import { limits } from '@airdeck/contracts/limits';
import { caseSeverities } from '@airdeck/contracts/statuses';
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { type ComponentProps, type FormEvent, type ReactNode, useState } from 'react';
import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { LoadAgain } from '../../../components/load-again.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { severityLooks } from '../../../components/status-table.ts';
import { t } from '../../../language/translate.ts';
import { overwritten } from '../../../lib/rebased-fields.ts';
import { useRefusal } from '../../../ui/use-refusal.ts';
import {
  type ContactFields,
  type ContactProblems,
  channelWords,
  contactProblemsOf,
  contactWords,
  isSameContact,
  kindWords,
  refusedFields,
} from './contact-fields.ts';
import classes from './contacts.module.css';

type Props = {
  saved: ContactFields;
  /** Places of the escalation to choose from. */
  places: number;
  submitLabel: string;
  saving: boolean;
  /** Failure of the last save. */
  problem: unknown;
  /** Calls `done` once it is saved: what was typed is then part of what is saved. */
  onSave: (fields: ContactFields, done: () => void) => void;
  onEdit: () => void;
  onDiscard?: () => void;
  /** Reads the contact again when somebody else was faster; what was typed stays. */
  reload?: ComponentProps<typeof LoadAgain>['reload'];
  /** After it was read again: what the change was made from before. */
  before?: ContactFields | undefined;
  /** Above the fields. */
  top?: ReactNode;
  /** Left end of the foot, while nothing is changed. */
  rest?: ReactNode;
};

/** Who somebody is, how to reach them, when they are called. The foot saves. */
export function ContactForm(props: Props) {
  const { saved, places, submitLabel, saving, problem, onSave, onEdit, onDiscard, reload, before, top, rest } = props;
  const [draft, setDraft] = useState<Partial<ContactFields>>({});
  const [found, setFound] = useState<ContactProblems>({});
  const { form, refuse } = useRefusal(problem);
  const fields = { ...saved, ...draft };
  const dirty = !isSameContact(fields, saved);
  const refused = refusedFields(problem instanceof ApiError ? problem.details : []);
  const problems = { ...refused, ...found };
  const theirs =
    before === undefined ? undefined : overwritten(contactWords(before), contactWords(fields), contactWords(saved));

  const edit = (part: Partial<ContactFields>) => {
    setDraft({ ...draft, ...part });
    setFound({});
    onEdit();
  };
  const discard = () => {
    setDraft({});
    setFound({});
    onEdit();
    onDiscard?.();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const next = contactProblemsOf(fields);
    setFound(next);
    if (Object.keys(next).length > 0) refuse();
    else if (dirty && !saving) onSave(fields, () => setDraft((now) => (now === draft ? {} : now)));
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className={classes.form}>
      {top}
      {Object.keys(refused).length === 0 ? <ProblemNote error={problem} /> : null}
      {reload === undefined ? null : <LoadAgain error={problem} reload={reload} theirs={theirs} />}
      <PersonFields fields={fields} problems={problems} onEdit={edit} />
      <CallFields fields={fields} problems={problems} places={places} onEdit={edit} />
      <Textarea
        label={t('Notes')}
        description={t('Hours, languages, whom to ask when they are away.')}
        rows={3}
        resize="vertical"
        maxLength={limits.commentMax}
        value={fields.notes}
        error={problems.notes}
        onChange={(event) => edit({ notes: event.currentTarget.value })}
      />
      <div className={classes.foot}>
        {dirty || saving ? (
          <>
            <span className={classes.rest}>{t('Unsaved changes')}</span>
            <Button variant="default" disabled={saving} onClick={discard}>
              {t('Discard')}
            </Button>
          </>
        ) : (
          <span className={classes.rest}>{rest}</span>
        )}
        <Button type="submit" loading={saving} disabled={!dirty}>
          {submitLabel}
        </Button>
      </div>
      <LeaveGuard dirty={dirty} param="user" />
    </form>
  );
}

type PartProps = {
  fields: ContactFields;
  problems: ContactProblems;
  onEdit: (part: Partial<ContactFields>) => void;
};

function PersonFields({ fields, problems, onEdit }: PartProps) {
  return (
    <>
      <TextInput
        label={t('Name')}
        maxLength={200}
        autoComplete="off"
        value={fields.name}
        error={problems.name}
        onChange={(event) => onEdit({ name: event.currentTarget.value })}
        data-autofocus={fields.name === '' || undefined}
      />
      <TextInput
        label={t('E-mail address')}
        type="email"
        maxLength={254}
        autoComplete="off"
        value={fields.email}
        error={problems.email}
        onChange={(event) => onEdit({ email: event.currentTarget.value })}
      />
      <div className={classes.pair}>
        <TextInput
          label={t('Phone')}
          type="tel"
          maxLength={40}
          autoComplete="off"
          value={fields.phone}
          error={problems.phone}
          onChange={(event) => onEdit({ phone: event.currentTarget.value })}
        />
        <TextInput
          label={t('Job title')}
          maxLength={200}
          autoComplete="off"
          value={fields.job_title}
          error={problems.job_title}
          onChange={(event) => onEdit({ job_title: event.currentTarget.value })}
        />
      </div>
      <NativeSelect
        label={t('Kind')}
        value={fields.kind}
        data={contactKinds.map((kind) => ({ value: kind, label: kindWords[kind] }))}
        error={problems.kind}
        onChange={(event) => {
          const kind = contactKinds.find((each) => each === event.currentTarget.value);
          if (kind !== undefined) onEdit({ kind });
        }}
      />
    </>
  );
}

function CallFields({ fields, problems, places, onEdit }: PartProps & { places: number }) {
  const isLeftToPeople = fields.channels.length > 0 && !fields.channels.includes('email');
  return (
    <>
      <NativeSelect
        label={t('Place in the escalation')}
        description={t('Who is called first, second and so on. Others close up or make room.')}
        value={fields.place === undefined ? '' : String(fields.place)}
        data={[
          { value: '', label: t('Not in the escalation') },
          ...Array.from({ length: places }, (_, index) => ({ value: String(index + 1), label: `${index + 1}` })),
        ]}
        error={problems.place}
        onChange={({ currentTarget: { value } }) => onEdit({ place: value === '' ? undefined : Number(value) })}
      />
      <Checkbox.Group
        label={t('Wants to know of cases')}
        description={t(
          'Those with a place in the escalation get mail when nobody responds in time; with nothing ticked, about cases of every severity. Anything else is sent by people.',
        )}
        value={[...fields.severities]}
        error={problems.severities}
        onChange={(values) => onEdit({ severities: caseSeverities.filter((each) => values.includes(each)) })}
      >
        <div className={classes.boxes}>
          {caseSeverities.toReversed().map((severity) => (
            <Checkbox key={severity} size="xs" value={severity} label={severityLooks[severity].word} />
          ))}
        </div>
      </Checkbox.Group>
      <Checkbox.Group
        label={t('By')}
        description={
          isLeftToPeople ? t('Without e-mail nothing is sent to them by itself: people have to.') : undefined
        }
        value={[...fields.channels]}
        error={problems.channels}
        onChange={(values) => onEdit({ channels: contactChannels.filter((each) => values.includes(each)) })}
      >
        <div className={classes.boxes}>
          {contactChannels.map((channel) => (
            <Checkbox key={channel} size="xs" value={channel} label={channelWords[channel]} />
          ))}
        </div>
      </Checkbox.Group>
    </>
  );
}
