import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { t } from '../language/translate.ts';
import { isDay } from '../lib/days.ts';
import { Dialog } from './dialog.tsx';

/** First and last day as `yyyy-mm-dd`, both included. */
export type DayRange = { from: string; to: string };

type Props = {
  title: string;
  /** Words of the button. */
  action: string;
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
  const [range, setRange] = useState(first);
  const [problems, setProblems] = useState<Problems>({});
  const edit = (part: Partial<DayRange>) => {
    setRange({ ...range, ...part });
    setProblems({});
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const found = problemsOf(range, { latest, maxDays });
    setProblems(found);
    if (found.from === undefined && found.to === undefined) onSave(range);
  };
  return (
    <Dialog title={title} onClose={onClose} closeLabel={t('Close')}>
      <form onSubmit={save} noValidate>
        <Stack gap="md">
          <Group grow align="flex-start">
            <TextInput
              type="date"
              label={t('First day')}
              value={range.from}
              max={latest}
              error={problems.from}
              data-autofocus
              onChange={(event) => edit({ from: event.currentTarget.value })}
            />
            <TextInput
              type="date"
              label={t('Last day')}
              value={range.to}
              max={latest}
              error={problems.to}
              onChange={(event) => edit({ to: event.currentTarget.value })}
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

/** What is wrong with a range, by field. Days compare as text, as they are written year first. */
function problemsOf(
  { from, to }: DayRange,
  { latest, maxDays }: { latest: string | undefined; maxDays: number | undefined },
): Problems {
  const problems: Problems = {};
  if (!isDay(from)) problems.from = t('Enter a day.');
  else if (latest !== undefined && from > latest) problems.from = t('This day is in the future.');
  if (!isDay(to)) problems.to = t('Enter a day.');
  else if (isDay(from) && to < from) problems.to = t('The last day must not be before the first.');
  else if (isDay(from) && maxDays !== undefined && (Date.parse(to) - Date.parse(from)) / DAY_MS >= maxDays) {
    problems.to = t('At most {maxDays} days.', { maxDays });
  }
  return problems;
}
