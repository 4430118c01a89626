import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { useReader } from '../../ui/reader.ts';
import type { Window } from './time-range.ts';
import { type WallTime, wallTimeIn, wallTimeToDate } from './wall-time.ts';

type Props = {
  /** What is shown now; the fields start with it. */
  shown: Window | undefined;
  now: Date;
  onClose: () => void;
  onSave: (window: Window) => void;
};

/** Two moments, as clocks of the reader's zone show them. */
export function AbsoluteRangeDialog({ shown, now, onClose, onSave }: Props) {
  const { timeZone } = useReader();
  const [from, setFrom] = useState(() => wallTimeIn(shown?.start ?? new Date(now.getTime() - 86_400_000), timeZone));
  const [to, setTo] = useState(() => wallTimeIn(shown?.end ?? now, timeZone));
  const [problem, setProblem] = useState<{ from?: string; to?: string }>({});
  const save = (event: FormEvent) => {
    event.preventDefault();
    const start = wallTimeToDate(from, timeZone);
    const end = wallTimeToDate(to, timeZone);
    if (start === undefined || end === undefined) {
      setProblem({
        ...(start === undefined ? { from: 'Enter a day and a time.' } : {}),
        ...(end === undefined ? { to: 'Enter a day and a time.' } : {}),
      });
    } else if (end <= start) setProblem({ to: 'The end must be after the start.' });
    else onSave({ start, end });
  };
  return (
    <Dialog title="Time range" onClose={onClose}>
      <form onSubmit={save} noValidate>
        <Stack gap="md">
          <Moment label="From" value={from} problem={problem.from} onChange={setFrom} />
          <Moment label="To" value={to} problem={problem.to} onChange={setTo} />
          <Text size="xs" c="dimmed">
            Times of the zone {timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone}.
          </Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Search this range</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

type MomentProps = {
  label: string;
  value: WallTime;
  problem: string | undefined;
  onChange: (value: WallTime) => void;
};

function Moment({ label, value, problem, onChange }: MomentProps) {
  return (
    <Group grow align="flex-start" gap="xs">
      <TextInput
        type="date"
        label={`${label}: day`}
        value={value.day}
        error={problem}
        onChange={(event) => onChange({ ...value, day: event.currentTarget.value })}
      />
      <TextInput
        type="time"
        step={1}
        label={`${label}: time`}
        value={value.time}
        onChange={(event) => onChange({ ...value, time: event.currentTarget.value })}
      />
    </Group>
  );
}
