import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { zoneText } from '../../components/day-figures/day-text.ts';
import { t } from '../../language/translate.ts';
import { DayField } from '../../ui/day-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { type Reader, useReader } from '../../ui/reader.ts';
import { readDay, typedDay } from '../../ui/typed-day.ts';
import { useRefusal } from '../../ui/use-refusal.ts';
import classes from './absolute-range.module.css';
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
  const reader = useReader();
  const [from, setFrom] = useState(() => typedTime(shown?.start ?? new Date(now.getTime() - 86_400_000), reader));
  const [to, setTo] = useState(() => typedTime(shown?.end ?? now, reader));
  const [problem, setProblem] = useState<{ from?: string; to?: string }>({});
  const { form, refuse } = useRefusal();
  const save = (event: FormEvent) => {
    event.preventDefault();
    const [start, end] = [readTime(from, reader), readTime(to, reader)];
    if (start.at === undefined || end.at === undefined) {
      setProblem({
        ...(start.at === undefined ? { from: start.problem } : {}),
        ...(end.at === undefined ? { to: end.problem } : {}),
      });
    } else if (end.at <= start.at) setProblem({ to: t('The end must be after the start.') });
    else return onSave({ start: start.at, end: end.at });
    refuse();
  };
  return (
    <Dialog title={t('Time range')} onClose={onClose}>
      <form ref={form} onSubmit={save} noValidate>
        <Stack gap="md">
          <Moment label={t('From##time')} value={from} problem={problem.from} onChange={setFrom} />
          <Moment label={t('To##time')} value={to} problem={problem.to} onChange={setTo} />
          <Text size="xs" c="dimmed">
            {t('Times of the zone {zone}.', { zone: zoneText(reader) })}
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

/** As clocks of the reader's zone show it, its day as the reader types it. */
function typedTime(at: Date, { locale, timeZone }: Reader): WallTime {
  const { day, time } = wallTimeIn(at, timeZone);
  return { day: typedDay(day, locale), time };
}

/** The moment that was typed, or what to say beside it. */
function readTime(
  { day: typed, time }: WallTime,
  { locale, timeZone }: Reader,
): { at: Date; problem?: never } | { at?: never; problem: string } {
  const incomplete = { problem: t('Enter a day and a time.') };
  if (typed.trim() === '') return incomplete;
  const { day, problem } = readDay(typed, locale);
  if (day === undefined) return { problem };
  const at = wallTimeToDate({ day, time }, timeZone);
  return at === undefined ? incomplete : { at };
}

type MomentProps = {
  label: string;
  /** Its day as typed. */
  value: WallTime;
  problem: string | undefined;
  onChange: (value: WallTime) => void;
};

function Moment({ label, value, problem, onChange }: MomentProps) {
  return (
    <div className={classes.moment}>
      <DayField
        label={t('{label}: day', { label })}
        value={value.day}
        problem={problem}
        onChange={(day) => onChange({ ...value, day })}
      />
      <TextInput
        type="time"
        step={1}
        label={t('{label}: time', { label })}
        value={value.time}
        onChange={(event) => onChange({ ...value, time: event.currentTarget.value })}
      />
    </div>
  );
}
