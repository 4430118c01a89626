import type { ExecutiveReportSettings } from '@airdeck/contracts/reports/executive-report';
import { isTimeZone } from '@airdeck/domain/time-zone';
import { Button, Group, MultiSelect, NativeSelect, Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { LoadAgain } from '../../../components/load-again.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import type { FieldWords } from '../../../lib/rebased-fields.ts';
import { showDone } from '../../../lib/toasts.ts';
import { useRebasedForm } from '../../../lib/use-rebased-form.ts';
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
        <SettingsForm stored={settings.data} onClose={onClose} />
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

const fieldsOf = ({ enabled, locale, contact_ids, user_ids }: ExecutiveReportSettings) => ({
  enabled,
  locale,
  contact_ids,
  user_ids,
});

const wordsOf = ({ enabled, locale }: ReturnType<typeof fieldsOf>): FieldWords => ({
  [t('Make the report of a month when it is over')]: enabled ? t('On') : t('Off'),
  [t('Language and formats')]: localeChoices.find(({ value }) => value === locale)?.label ?? '',
});

function SettingsForm({ stored, onClose }: { stored: ExecutiveReportSettings; onClose: () => void }) {
  const { queryClient } = useApp();
  const tenantApi = useTenantApi();
  const reader = useReader();
  const people = useQuery(executiveReportQueries.recipients(tenantApi));
  const save = useMutation(executiveReportMutations.setSettings(tenantApi, queryClient));
  const { base, fields, edit, reload, theirs } = useRebasedForm({
    ...{ current: stored, fieldsOf, wordsOf, save },
    read: () => queryClient.fetchQuery({ ...executiveReportQueries.settings(tenantApi), staleTime: 0 }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    // One that was taken once, such as CET, is none any more: its times are UTC's.
    save.mutate(
      { ...fields, time_zone: isTimeZone(base.time_zone ?? '') ? base.time_zone : null, updated_at: base.updated_at },
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
        <LoadAgain error={save.error} reload={reload} theirs={theirs} />
        <Switch
          label={t('Make the report of a month when it is over')}
          checked={fields.enabled}
          onChange={(event) => edit({ enabled: event.currentTarget.checked })}
        />
        <NativeSelect
          label={t('Language and formats')}
          value={fields.locale ?? FROM_ADMIN}
          data={[
            {
              value: FROM_ADMIN,
              label: t('As the tenant’s Admin has it ({locale})', { locale: stored.effective.locale }),
            },
            ...localeChoices.map(({ value, label }) => ({ value, label })),
          ]}
          onChange={(event) => {
            const chosen = localeChoices.find(({ value }) => value === event.currentTarget.value);
            edit({ locale: chosen?.value ?? null });
          }}
        />
        <MultiSelect
          label={t('Contacts who get a mail')}
          description={t('With a link that opens the file for two weeks, without signing in.')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={choices(people.data?.contacts)}
          value={fields.contact_ids}
          onChange={(contact_ids) => edit({ contact_ids })}
          disabled={people.data === undefined}
          searchable
          nothingFoundMessage={t('No such contact')}
        />
        <MultiSelect
          label={t('Members who get it too')}
          data={choices(people.data?.users)}
          value={fields.user_ids}
          onChange={(user_ids) => edit({ user_ids })}
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
