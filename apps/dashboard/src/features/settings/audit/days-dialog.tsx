import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../../ui/dialog.tsx';
import { useReader } from '../../../ui/reader.ts';
import { daysToTimes } from './audit-filter.ts';

type Props = { onClose: () => void; onChoose: (times: { startTime: string; endTime: string }) => void };

/** First and last day of what to look at. */
export function DaysDialog({ onClose, onChoose }: Props) {
  const [days, setDays] = useState({ from: '', to: '' });
  const [wrong, setWrong] = useState(false);
  const reader = useReader();
  const edit = (part: Partial<typeof days>) => {
    setDays({ ...days, ...part });
    setWrong(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const times = daysToTimes(days, reader);
    if (times === undefined) setWrong(true);
    else onChoose(times);
  };
  return (
    <Dialog title="Records of these days" onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Group grow align="flex-start">
            <TextInput
              type="date"
              label="First day"
              value={days.from}
              onChange={(event) => edit({ from: event.currentTarget.value })}
              data-autofocus
            />
            <TextInput
              type="date"
              label="Last day"
              value={days.to}
              error={wrong ? 'Two days, the first not after the last.' : undefined}
              onChange={(event) => edit({ to: event.currentTarget.value })}
            />
          </Group>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Show these days</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
