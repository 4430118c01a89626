import { reportLimits } from '@airdeck/contracts/reports/report-limits';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ProblemNote } from '../../components/problem-note.tsx';
import { type ExportBody, searchReportMutations } from '../../queries/search-reports.ts';
import { useApp, useTenantApi } from '../../session/app-context.ts';
import { Count } from '../../ui/count.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormatChoice } from './format-choice.tsx';

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
  const begin = useMutation(searchReportMutations.export(useTenantApi(), queryClient));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '' || begin.isPending) return;
    begin.mutate({ ...search, name: name.trim(), format });
  };

  if (begin.data !== undefined) return <Begun id={begin.data.id} onClose={onClose} />;
  return (
    <Dialog title="Export this search" size={500} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <ProblemNote error={begin.error} />
          <TextInput
            label="Name"
            maxLength={NAME_MAX}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <FormatChoice value={format} onChange={setFormat} />
          <Text size="xs" c="dimmed">
            The newest <Count value={reportLimits.rowsMax} /> events at most, or {reportLimits.bytesMax / 1_000_000} MB;
            the report says when older ones were left out. It is kept for {reportLimits.keptDays} days, for everybody
            who may search here.
          </Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={begin.isPending} disabled={name.trim() === ''}>
              Export
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function Begun({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <Dialog title="The report is being made" closeLabel="Close" onClose={onClose}>
      <Stack gap="md">
        <Text size="sm" role="status">
          It goes on while you work. The list of search reports shows how far it is, and has the file when it is done.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button renderRoot={(props) => <Link to="/report/air" search={{ report: id }} {...props} />}>
            Open search reports
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function nameOf(query: string): string {
  const text = query.trim().replace(/\s+/g, ' ');
  return text === '' ? 'All events' : text.slice(0, 80);
}
