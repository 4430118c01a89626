import type { ExecutiveReportSettings } from '@airdeck/contracts/reports/executive-report';
import { Button, Group, MultiSelect, NativeSelect, Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { executiveReportMutations, executiveReportQueries } from '../../../queries/executive-reports.ts';
import { useApp, useTenantApi } from '../../../session/app-context.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { dateFormat, useReader } from '../../../ui/reader.ts';
import { Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';
import { localeChoices } from './locale-choices.ts';

const FROM_ADMIN = '';

/** Whether a report is made each month, in which language, and who gets it by mail. */
export function ReportSettingsDialog({ onClose }: { onClose: () => void }) {
  const settings = useQuery(executiveReportQueries.settings(useTenantApi()));
  return (
    <Dialog title={t('A report each month')} size={560} onClose={onClose}>
      {settings.data !== undefined ? (
        // What somebody else saved meanwhile begins the form anew; what was typed then belongs to another state.
        <SettingsForm key={settings.data.updated_at} stored={settings.data} onClose={onClose} />
      ) : settings.isError ? (
        <ErrorState error={settings.error} onRetry={() => void settings.refetch()} retrying={settings.isFetching} />
      ) : (
        <Loading label={t('Loading report settings')}>
          <TextSkeleton lines={5} />
        </Loading>
      )}
    </Dialog>
  );
}

function SettingsForm({ stored, onClose }: { stored: ExecutiveReportSettings; onClose: () => void }) {
  const { queryClient } = useApp();
  const tenantApi = useTenantApi();
  const reader = useReader();
  const [draft, setDraft] = useState({
    enabled: stored.enabled,
    locale: stored.locale,
    contact_ids: stored.contact_ids,
    user_ids: stored.user_ids,
  });
  const people = useQuery(executiveReportQueries.recipients(tenantApi));
  const save = useMutation(executiveReportMutations.setSettings(tenantApi, queryClient));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    save.mutate(
      { ...draft, time_zone: stored.time_zone, updated_at: stored.updated_at },
      {
        onSuccess: () => {
          showDone(t('Saved'));
          onClose();
        },
      },
    );
  };
  const next = stored.next_report_at;
  const choices = (list: readonly { id: string; name: string; email: string }[] | undefined) =>
    (list ?? []).map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }));
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <ProblemNote error={save.error} />
        <Switch
          label={t('Make the report of a month when it is over')}
          checked={draft.enabled}
          onChange={(event) => setDraft({ ...draft, enabled: event.currentTarget.checked })}
        />
        <NativeSelect
          label={t('Language and formats')}
          value={draft.locale ?? FROM_ADMIN}
          data={[
            {
              value: FROM_ADMIN,
              label: t('As the tenant’s Admin has it ({locale})', { locale: stored.effective.locale }),
            },
            ...localeChoices.map(({ value, label }) => ({ value, label })),
          ]}
          onChange={(event) => {
            const chosen = localeChoices.find(({ value }) => value === event.currentTarget.value);
            setDraft({ ...draft, locale: chosen?.value ?? null });
          }}
        />
        <MultiSelect
          label={t('Contacts who get a mail')}
          description={t('With a link that opens the file for two weeks, without signing in.')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={choices(people.data?.contacts)}
          value={draft.contact_ids}
          onChange={(contact_ids) => setDraft({ ...draft, contact_ids })}
          disabled={people.data === undefined}
          searchable
          nothingFoundMessage={t('No such contact')}
        />
        <MultiSelect
          label={t('Members who get it too')}
          data={choices(people.data?.users)}
          value={draft.user_ids}
          onChange={(user_ids) => setDraft({ ...draft, user_ids })}
          disabled={people.data === undefined}
          searchable
          nothingFoundMessage={t('No such member')}
        />
        <ProblemNote error={people.error} />
        {next === null ? null : (
          <Text size="sm" c="dimmed">
            {t('The next one is made on {day}.', {
              day: dateFormat(reader, { dateStyle: 'long' }).format(new Date(next)),
            })}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('Save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
