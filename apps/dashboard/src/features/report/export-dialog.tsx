import { reportLimits } from '@airdeck/contracts/reports/report-limits';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useCallIntent } from '../../components/action-run/use-call-intent.ts';
import { ProblemNote } from '../../components/problem-note.tsx';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { type ExportBody, searchReportMutations } from '../../queries/search-reports.ts';
import { useApp, useTenantApi } from '../../session/app-context.ts';
import { Count } from '../../ui/count.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormatChoice } from './format-choice.tsx';
import { LiveLeftOut } from './live-left-out.tsx';

const NAME_MAX = 200;

type Props = {
  /** The search as the API takes it, with its range of time. */
  search: Omit<ExportBody, 'name' | 'format'>;
  onClose: () => void;
};

/** Has the events of a search written to a file, which the list of search reports then offers. */
export function ExportDialog({ search, onClose }: Props) {
  const { queryClient } = useApp();
  const [name, setName] = useState(() => nameOf(search.query ?? ''));
  const [format, setFormat] = useState<ExportBody['format']>('csv');
  const begin = useMutation(searchReportMutations.export(useTenantApi(), queryClient, useCallIntent()));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '' || begin.isPending) return;
    begin.mutate({ ...search, name: name.trim(), format });
  };

  if (begin.data !== undefined) return <Begun id={begin.data.id} onClose={onClose} />;
  return (
    <Dialog title={t('Export this search')} size={500} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <ProblemNote error={begin.error} />
          <TextInput
            label={t('Name')}
            maxLength={NAME_MAX}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <FormatChoice value={format} onChange={setFormat} />
          <Text size="xs" c="dimmed">
            {tx(
              'The newest {count} events at most, or {megabytes} MB; the report says when older ones were left out. It is kept for {days} days, for everybody who may search here.',
              {
                count: <Count value={reportLimits.rowsMax} />,
                megabytes: reportLimits.bytesMax / 1_000_000,
                days: reportLimits.keptDays,
              },
            )}
          </Text>
          <LiveLeftOut integrations={search.integrations ?? []} connectorId={search.connector_id} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={begin.isPending} disabled={name.trim() === ''}>
              {t('Export')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function Begun({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <Dialog title={t('The report is being made')} closeLabel={t('Close')} onClose={onClose}>
      <Stack gap="md">
        <Text size="sm" role="status">
          {t(
            'It goes on while you work. The list of search reports shows how far it is, and has the file when it is done.',
          )}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('Close')}
          </Button>
          <Button renderRoot={(props) => <Link to="/report/air" search={{ report: id }} {...props} />}>
            {t('Open search reports')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function nameOf(query: string): string {
  const text = query.trim().replace(/\s+/g, ' ');
  return text === '' ? t('All events') : text.slice(0, 80);
}
