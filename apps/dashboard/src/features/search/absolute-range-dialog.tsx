import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { t } from '../../language/translate.ts';
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
        ...(start === undefined ? { from: t('Enter a day and a time.') } : {}),
        ...(end === undefined ? { to: t('Enter a day and a time.') } : {}),
      });
    } else if (end <= start) setProblem({ to: t('The end must be after the start.') });
    else onSave({ start, end });
  };
  return (
    <Dialog title={t('Time range')} onClose={onClose}>
      <form onSubmit={save} noValidate>
        <Stack gap="md">
          <Moment label={t('From##time')} value={from} problem={problem.from} onChange={setFrom} />
          <Moment label={t('To##time')} value={to} problem={problem.to} onChange={setTo} />
          <Text size="xs" c="dimmed">
            {t('Times of the zone {zone}.', { zone: timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone })}
          </Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit">{t('Search this range')}</Button>
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
        label={t('{label}: day', { label })}
        value={value.day}
        error={problem}
        onChange={(event) => onChange({ ...value, day: event.currentTarget.value })}
      />
      <TextInput
        type="time"
        step={1}
        label={t('{label}: time', { label })}
        value={value.time}
        onChange={(event) => onChange({ ...value, time: event.currentTarget.value })}
      />
    </Group>
  );
}
