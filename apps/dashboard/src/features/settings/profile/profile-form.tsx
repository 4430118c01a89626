import { ApiError } from '@airdeck/api-client/api-error';
import { NativeSelect, Select, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useMemo, useState } from 'react';
import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { BROWSER_ZONE, searchZones, zoneOptions } from '../../../lib/time-zones.ts';
import { showDone } from '../../../lib/toasts.ts';
import { meMutations } from '../../../queries/me.ts';
import { useApp } from '../../../session/app-context.ts';
import { useCurrentUser } from '../../../session/use-current-user.ts';
import { Panel } from '../../../ui/panel.tsx';
import { SaveBar } from '../../../ui/save-bar.tsx';
import { useNow } from '../../../ui/use-now.ts';
import { useRefusal } from '../../../ui/use-refusal.ts';
import classes from '../settings.module.css';
import { changeOf, fieldsOf, localeOptions, type ProfileFields, problemsOf, timePreview } from './profile-fields.ts';

const SHOWN_ZONES = 60;

/** Name, ways to be reached, and how times are shown; saved together. */
export function ProfileForm() {
  const { api, queryClient } = useApp();
  const { user } = useCurrentUser();
  const saved = fieldsOf(user);
  const [draft, setDraft] = useState<Partial<ProfileFields>>({});
  const [nameMissing, setNameMissing] = useState(false);
  const save = useMutation(meMutations.update(api, queryClient));
  const { form, refuse } = useRefusal(save.error);
  const formId = useId();
  const fields = { ...saved, ...draft };
  const change = changeOf(saved, fields);
  const details = save.error instanceof ApiError ? save.error.details : [];
  const problems = problemsOf(details);

  const edit = (part: Partial<ProfileFields>) => {
    setDraft({ ...draft, ...part });
    setNameMissing(false);
    if (save.isError) save.reset();
  };
  const discard = () => {
    setDraft({});
    setNameMissing(false);
    save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fields.fullname.trim() === '') {
      setNameMissing(true);
      return refuse();
    }
    if (change === undefined || save.isPending) return;
    save.mutate(change, {
      onSuccess: () => {
        // What was typed meanwhile is the next change.
        setDraft((now) => (now === draft ? {} : now));
        showDone(t('Profile saved'));
      },
    });
  };

  return (
    <form ref={form} id={formId} onSubmit={submit} noValidate className={classes.stack}>
      {Object.keys(problems).length === 0 ? <ProblemNote error={save.error} /> : null}
      <Panel title={t('About you')}>
        <Stack gap="md">
          <div className={classes.fields}>
            <TextInput
              label={t('Name')}
              autoComplete="name"
              maxLength={200}
              required
              withAsterisk={false}
              value={fields.fullname}
              error={nameMissing ? t('Enter your name.') : problems.fullname}
              onChange={(event) => edit({ fullname: event.currentTarget.value })}
            />
            <TextInput
              label={t('E-mail address')}
              value={user.email}
              readOnly
              description={t('What you sign in with.')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
            />
            <TextInput
              label={t('Phone')}
              type="tel"
              autoComplete="tel"
              maxLength={40}
              value={fields.phone}
              error={problems.phone}
              onChange={(event) => edit({ phone: event.currentTarget.value })}
            />
            <TextInput
              label={t('Job title')}
              autoComplete="organization-title"
              maxLength={200}
              value={fields.job_title}
              error={problems.job_title}
              onChange={(event) => edit({ job_title: event.currentTarget.value })}
            />
          </div>
        </Stack>
      </Panel>
      <TimeFields fields={fields} problems={problems} onEdit={edit} />
      <SaveBar dirty={change !== undefined} saving={save.isPending} onDiscard={discard} form={formId} />
      <LeaveGuard dirty={change !== undefined} />
    </form>
  );
}

type TimeFieldsProps = {
  fields: ProfileFields;
  problems: ReturnType<typeof problemsOf>;
  onEdit: (part: Partial<ProfileFields>) => void;
};

function TimeFields({ fields, problems, onEdit }: TimeFieldsProps) {
  const now = useNow();
  const zones = useMemo(() => zoneOptions(fields.timezone), [fields.timezone]);
  return (
    <Panel title={t('Dates and times')}>
      <div className={classes.fields}>
        <NativeSelect
          label={t('Locale')}
          value={fields.locale}
          data={[...localeOptions]}
          error={problems.locale}
          onChange={(event) => {
            const chosen = localeOptions.find(({ value }) => value === event.currentTarget.value);
            if (chosen !== undefined) onEdit({ locale: chosen.value });
          }}
        />
        <Select
          label={t('Time zone')}
          description={t('Now shown as “{timePreview}”.', { timePreview: timePreview(fields, now) })}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          searchable
          allowDeselect={false}
          limit={SHOWN_ZONES}
          nothingFoundMessage={t('No time zone has this name.')}
          data={zones}
          filter={({ options, search }) =>
            searchZones(
              options.filter((option) => 'value' in option),
              search,
            )
          }
          value={fields.timezone === '' ? BROWSER_ZONE : fields.timezone}
          error={problems.timezone}
          onChange={(value) => {
            if (value !== null) onEdit({ timezone: value === BROWSER_ZONE ? '' : value });
          }}
        />
      </div>
    </Panel>
  );
}
