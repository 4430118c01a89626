import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useCallIntent } from '../../../components/action-run/use-call-intent.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { executiveReportMutations } from '../../../queries/executive-reports.ts';
import { useApp, useTenantApi } from '../../../session/app-context.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { useReader, zoneNameOf } from '../../../ui/reader.ts';
import { useNow } from '../../../ui/use-now.ts';
import { localeChoices } from './locale-choices.ts';
import { monthText, reportMonths } from './months.ts';

/** Makes the report of a month now. */
export function MakeReportDialog({ onClose }: { onClose: () => void }) {
  const { queryClient } = useApp();
  const reader = useReader();
  const months = reportMonths(useNow(), reader.timeZone);
  const [month, setMonth] = useState(months[0] ?? '');
  const [locale, setLocale] = useState(localeChoices.find(({ value }) => value === reader.locale)?.value ?? 'en-US');
  const create = useMutation(executiveReportMutations.create(useTenantApi(), queryClient, useCallIntent()));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (create.isPending) return;
    // The zone the months are listed in: left out, the server takes that of the settings or of an Admin.
    const zone = zoneNameOf(reader);
    create.mutate(
      { month, locale, time_zone: zone },
      {
        onSuccess: () => {
          showDone(t('The report is being made; it appears in the list in a moment'));
          onClose();
        },
      },
    );
  };
  const present = months.at(-1);
  return (
    <Dialog title={t('Make a report')} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <ProblemNote error={create.error} />
          <NativeSelect
            label={t('Month')}
            description={t('One that was made on demand before is made anew.')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={month}
            data={months.map((value) => ({
              value,
              label:
                value === present
                  ? t('{month}, up to now', { month: monthText(value, reader) })
                  : monthText(value, reader),
            }))}
            onChange={(event) => setMonth(event.currentTarget.value)}
            data-autofocus
          />
          <NativeSelect
            label={t('Language and formats')}
            value={locale}
            data={localeChoices.map(({ value, label }) => ({ value, label }))}
            onChange={(event) => {
              const chosen = localeChoices.find(({ value }) => value === event.currentTarget.value);
              if (chosen !== undefined) setLocale(chosen.value);
            }}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {t('Make report')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
