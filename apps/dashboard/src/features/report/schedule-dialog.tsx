import { isRefusedWith } from '@airdeck/api-client/api-error';
import { reportLimits } from '@airdeck/contracts/reports/report-limits';
import type { ReportSchedule } from '@airdeck/contracts/reports/schema';
import { searchColumns } from '@airdeck/query-language/search-columns';
import { Button, Group, Input, MultiSelect, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useCallIntent } from '../../components/action-run/use-call-intent.ts';
import { AskDialog } from '../../components/confirmation/ask-dialog.tsx';
import { FilterChips } from '../../components/event-criteria/filter-chips.tsx';
import { SourcePicker } from '../../components/event-criteria/source-picker.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { LoadAgain } from '../../components/load-again.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { t } from '../../language/translate.ts';
import { overwritten } from '../../lib/rebased-fields.ts';
import { showDone } from '../../lib/toasts.ts';
import { searchReportMutations, searchReportQueries } from '../../queries/search-reports.ts';
import { useApp, useTenantApi } from '../../session/app-context.ts';
import { useReader, zoneNameOf } from '../../ui/reader.ts';
import { useRefusal } from '../../ui/use-refusal.ts';
import { FormatChoice } from './format-choice.tsx';
import { LiveLeftOut } from './live-left-out.tsx';
import classes from './report.module.css';
import {
  bodyOf,
  changedFields,
  type FieldProblems,
  fieldsOf,
  problemsOf,
  type ScheduleFields,
  type ScheduleOrigin,
  scheduleWords,
} from './schedule-fields.ts';
import { WhenFields } from './when-fields.tsx';

type Props = ScheduleOrigin & { onClose: () => void };

/** Makes or changes a schedule. */
export function ScheduleDialog({ schedule, like, onClose }: Props) {
  const { queryClient } = useApp();
  const tenantApi = useTenantApi();
  const timeZone = zoneNameOf(useReader());
  const [fields, setFields] = useState(() => fieldsOf({ schedule, like }, timeZone));
  // What the fields began with: the list may be read again meanwhile, and what somebody else saved would be taken for seen.
  const [seen, setSeen] = useState(schedule);
  const [replacing, setReplacing] = useState<ScheduleFields>();
  const [problems, setProblems] = useState<FieldProblems>({});
  const [deleting, setDeleting] = useState(false);
  const create = useMutation(searchReportMutations.createSchedule(tenantApi, queryClient, useCallIntent()));
  const change = useMutation(searchReportMutations.setSchedule(tenantApi, queryClient));
  const failed = create.error ?? change.error;
  const { form, refuse } = useRefusal(failed);
  const queryProblem = isRefusedWith(failed, 'QUERY_INVALID') ? failed.message : undefined;

  const edit = (part: Partial<ScheduleFields>) => {
    setFields({ ...fields, ...part });
    setProblems({});
    // Only what is over: one that goes on would be forgotten, and could be sent again.
    if (create.isError) create.reset();
    if (change.isError) change.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = problemsOf(fields);
    setProblems(found);
    if (Object.keys(found).length > 0) return refuse();
    if (create.isPending || change.isPending) return;
    const body = bodyOf(fields);
    const onSuccess = () => {
      showDone(schedule === undefined ? t('Schedule made') : t('Schedule saved'));
      onClose();
    };
    if (schedule === undefined) create.mutate(body, { onSuccess });
    else change.mutate({ id: schedule.id, body, updatedAt: (seen ?? schedule).updated_at }, { onSuccess });
  };
  const before = fieldsOf({ schedule: seen, like }, timeZone);
  const theirs = replacing && overwritten(scheduleWords(replacing), scheduleWords(fields), scheduleWords(before));
  const loadAgain = () => {
    setFields({ ...fieldsOf({ schedule, like }, timeZone), ...changedFields(before, fields) });
    setSeen(schedule);
    setReplacing(before);
    change.reset();
  };

  return (
    <FormDialog
      title={schedule === undefined ? t('New schedule') : schedule.name}
      size={620}
      dirty={Object.keys(changedFields(before, fields)).length > 0}
      onClose={onClose}
    >
      <form ref={form} onSubmit={submit} noValidate>
        <Stack gap="md">
          {queryProblem === undefined ? <ProblemNote error={failed} /> : null}
          <LoadAgain error={failed} reload={{ mutate: loadAgain }} theirs={theirs} />
          <WhatFields fields={fields} problems={{ ...problems, query: queryProblem }} onEdit={edit} />
          <WhenFields fields={fields} problem={problems.clock} onEdit={edit} />
          <FormatChoice value={fields.format} onChange={(format) => edit({ format })} />
          <LiveLeftOut integrations={fields.integrations} connectorId={fields.connectorId} />
          <Recipients chosen={fields.contact_ids} onChange={(contact_ids) => edit({ contact_ids })} />
          <Switch
            label={t('Switched on##schedule')}
            checked={fields.enabled}
            onChange={(event) => edit({ enabled: event.currentTarget.checked })}
          />
          <Group justify="space-between" gap="xs">
            {schedule === undefined ? (
              <span />
            ) : (
              <Button variant="default" className={classes.danger ?? ''} onClick={() => setDeleting(true)}>
                {t('Delete')}
              </Button>
            )}
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                {t('Cancel')}
              </Button>
              <Button type="submit" loading={create.isPending || change.isPending}>
                {schedule === undefined ? t('Make schedule') : t('Save')}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
      {deleting && schedule !== undefined ? (
        <DeleteSchedule schedule={schedule} onClose={() => setDeleting(false)} onDeleted={onClose} />
      ) : null}
    </FormDialog>
  );
}

/** Names a filter can be about without a look at the events; any other can be typed. */
const columnNames = [...searchColumns.keys()].filter((name) => !name.startsWith('_'));

type WhatProps = {
  fields: ScheduleFields;
  problems: { name?: string | undefined; query: string | undefined };
  onEdit: (part: Partial<ScheduleFields>) => void;
};

function WhatFields({ fields, problems, onEdit }: WhatProps) {
  return (
    <>
      <TextInput
        label={t('Name')}
        description={t('Each report is named after it and the time it covers.')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        maxLength={200}
        value={fields.name}
        error={problems.name}
        onChange={(event) => onEdit({ name: event.currentTarget.value })}
        data-autofocus
      />
      <Textarea
        label={t('Search')}
        description={t('As in the search, such as outcome:failure AND user:root. Empty means every event.')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={8_192}
        spellCheck={false}
        classNames={{ input: 'air-mono' }}
        value={fields.query}
        error={problems.query}
        onChange={(event) => onEdit({ query: event.currentTarget.value })}
      />
      <Input.Wrapper label={t('From')} labelElement="div">
        <div>
          <SourcePicker
            integrations={fields.integrations}
            connectorId={fields.connectorId}
            onChange={(integrations) => onEdit({ integrations: integrations ?? [] })}
            onConnector={(connectorId) => onEdit({ connectorId })}
          />
        </div>
      </Input.Wrapper>
      <Input.Wrapper label={t('Only events where')} labelElement="div">
        <FilterChips
          filters={fields.filters}
          fields={columnNames}
          switchable={false}
          onChange={(filters) => onEdit({ filters: filters ?? [] })}
        />
      </Input.Wrapper>
    </>
  );
}

function Recipients({ chosen, onChange }: { chosen: string[]; onChange: (ids: string[]) => void }) {
  const contacts = useQuery(searchReportQueries.recipients(useTenantApi()));
  const options = (contacts.data ?? []).map(({ id, name, email }) => ({ value: id, label: `${name}, ${email}` }));
  if (contacts.isError && contacts.data === undefined) return <ProblemNote error={contacts.error} />;
  return (
    <MultiSelect
      label={t('Tell these contacts')}
      description={
        contacts.data?.length === 0
          ? t('There are no contacts yet. An Admin adds them in the contact directory.')
          : t(
              'They get a mail with a link to this page, where they sign in. The file itself is never mailed: who has no account of this tenant cannot open it.',
            )
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      searchable
      clearable
      maxValues={reportLimits.recipientsMax}
      nothingFoundMessage={t('No contact has this name.')}
      data={options}
      value={chosen}
      onChange={onChange}
    />
  );
}

type DeleteProps = { schedule: ReportSchedule; onClose: () => void; onDeleted: () => void };

function DeleteSchedule({ schedule, onClose, onDeleted }: DeleteProps) {
  const { queryClient } = useApp();
  const remove = useMutation(searchReportMutations.deleteSchedule(useTenantApi(), queryClient));
  return (
    <AskDialog
      title={t('Delete {name}?', { name: schedule.name })}
      text={t('No more reports are made by it. Those that are there stay until their time is over.')}
      actionLabel={t('Delete schedule')}
      busy={remove.isPending}
      problem={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(schedule.id, {
          onSuccess: () => {
            showDone(t('Schedule deleted'));
            onClose();
            onDeleted();
          },
        })
      }
    />
  );
}
