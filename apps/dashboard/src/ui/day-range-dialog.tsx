import type { Locale } from '@airdeck/domain/display-time';
import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { t } from '../language/translate.ts';
import { DayField } from './day-field.tsx';
import { Dialog } from './dialog.tsx';
import { useReader } from './reader.ts';
import { readDay, typedDay } from './typed-day.ts';
import { useRefusal } from './use-refusal.ts';

/** First and last day as `yyyy-mm-dd`, both included. */
export type DayRange = { from: string; to: string };

type Props = {
  title: string;
  /** Words of the button. */
  action: string;
  /** What stands there at first; empty texts for none. */
  first: DayRange;
  /** The last day there is; none when days to come may be asked for too. */
  latest?: string;
  maxDays?: number;
  onClose: () => void;
  onSave: (range: DayRange) => void;
};

type Problems = { from?: string; to?: string };

const DAY_MS = 86_400_000;

/** Asks for a first and a last day. */
export function DayRangeDialog({ title, action, first, latest, maxDays, onClose, onSave }: Props) {
  const { locale } = useReader();
  // As typed.
  const [range, setRange] = useState<DayRange>(() => ({
    from: typedDay(first.from, locale),
    to: typedDay(first.to, locale),
  }));
  const [problems, setProblems] = useState<Problems>({});
  const { form, refuse } = useRefusal();
  const edit = (part: Partial<DayRange>) => {
    setRange({ ...range, ...part });
    setProblems({});
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const read = readRange(range, { locale, latest, maxDays });
    setProblems(read.problems ?? {});
    if (read.range === undefined) refuse();
    else onSave(read.range);
  };
  return (
    <Dialog title={title} onClose={onClose} closeLabel={t('Close')}>
      <form ref={form} onSubmit={save} noValidate>
        <Stack gap="md">
          <Group grow align="flex-start">
            <DayField
              label={t('First day')}
              value={range.from}
              latest={latest}
              problem={problems.from}
              first
              onChange={(from) => edit({ from })}
            />
            <DayField
              label={t('Last day')}
              value={range.to}
              latest={latest}
              problem={problems.to}
              onChange={(to) => edit({ to })}
            />
          </Group>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit">{action}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

type Limits = { locale: Locale; latest: string | undefined; maxDays: number | undefined };

/** The days of a range as it was typed, or what is wrong with it by field. Days compare as text, as they are year first. */
function readRange(
  typed: DayRange,
  { locale, latest, maxDays }: Limits,
): { range: DayRange; problems?: never } | { range?: never; problems: Problems } {
  const [from, to] = [readTyped(typed.from, locale), readTyped(typed.to, locale)];
  const problems: Problems = {};
  if (from.day === undefined) problems.from = from.problem;
  else if (latest !== undefined && from.day > latest) problems.from = t('This day is in the future.');
  if (to.day === undefined) problems.to = to.problem;
  else if (from.day === undefined) return { problems };
  else if (to.day < from.day) problems.to = t('The last day must not be before the first.');
  else if (maxDays !== undefined && (Date.parse(to.day) - Date.parse(from.day)) / DAY_MS >= maxDays) {
    problems.to = t('At most {maxDays} days.', { maxDays });
  } else if (problems.from === undefined) return { range: { from: from.day, to: to.day } };
  return { problems };
}

function readTyped(text: string, locale: Locale): ReturnType<typeof readDay> {
  return text.trim() === '' ? { problem: t('Enter a day.') } : readDay(text, locale);
}
