import { dayIn } from '@airdeck/domain/zoned-day';
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type DashboardSpan, type DateRange, type ReadSpan, spanWindow } from '../../queries/dashboards.ts';
import { useReader } from '../../ui/reader.ts';
import { isDay } from './widget-store.ts';

type Props = {
  /** Whose period it is. */
  of: string;
  /** What is shown now; the fields start with its days. */
  shown: DashboardSpan;
  onClose: () => void;
  onSave: (range: DateRange) => void;
};

type Problems = { from?: string; to?: string };

/** First and last day of a custom period. */
export function RangeDialog({ of, shown, onClose, onSave }: Props) {
  const { timeZone } = useReader();
  const today = dayOf(new Date(), timeZone);
  const [range, setRange] = useState(() => daysOf({ span: shown, timeZone }));
  const [problems, setProblems] = useState<Problems>({});
  const save = (event: FormEvent) => {
    event.preventDefault();
    const found = problemsOf(range, today);
    setProblems(found);
    if (found.from === undefined && found.to === undefined) onSave(range);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Period of ${of}`}
      size="sm"
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={save} noValidate>
        <Stack gap="md">
          <Group grow align="flex-start">
            <TextInput
              type="date"
              label="First day"
              value={range.from}
              max={today}
              error={problems.from}
              onChange={(event) => setRange({ ...range, from: event.currentTarget.value })}
              data-autofocus
            />
            <TextInput
              type="date"
              label="Last day"
              value={range.to}
              max={today}
              error={problems.to}
              onChange={(event) => setRange({ ...range, to: event.currentTarget.value })}
            />
          </Group>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Show this period</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** What is wrong with a range, by field. Days compare as text, as they are written year first. */
function problemsOf({ from, to }: DateRange, today: string): Problems {
  const problems: Problems = {};
  if (!isDay(from)) problems.from = 'Enter a day.';
  else if (from > today) problems.from = 'This day is in the future.';
  if (!isDay(to)) problems.to = 'Enter a day.';
  else if (isDay(from) && to < from) problems.to = 'The last day must not be before the first.';
  return problems;
}

function daysOf(read: ReadSpan): DateRange {
  if (read.span.period === 'CUSTOM') return read.span.range;
  const { start, end } = spanWindow(read, new Date());
  return { from: dayOf(start, read.timeZone), to: dayOf(end, read.timeZone) };
}

/** A time's day in the reader's zone, as `yyyy-mm-dd`. */
function dayOf(time: Date, timeZone: string | undefined): string {
  const { year, month, day } = dayIn(time, timeZone);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${year}-${pad(month)}-${pad(day)}`;
}
