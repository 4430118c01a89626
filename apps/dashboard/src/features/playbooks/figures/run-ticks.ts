import type { PlaybookFigures } from '@airdeck/contracts/playbooks/schema';
import type { RunStatus } from '@airdeck/contracts/statuses';
import { formatDuration } from '@airdeck/domain/duration';
import { runStatusLooks } from '../../../components/status-table.ts';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';

/** A form for each way a run stands, so that it is told without its colour. */
export type TickForm = 'bar' | 'cross' | 'dash' | 'ring' | 'half';

const forms: Readonly<Record<RunStatus, TickForm>> = {
  success: 'bar',
  error: 'cross',
  cancelled: 'dash',
  pending: 'ring',
  running: 'ring',
  waiting: 'half',
};

export function tickForm(status: RunStatus): TickForm {
  return forms[status];
}

type Runs = PlaybookFigures['last_runs'];

/** The ticks in words: "Last 12 runs: 10 success, 1 error, 1 waiting. The newest: success." */
export function ticksWords(runs: Runs): string {
  const [newest] = runs;
  if (newest === undefined) return t('It has not run yet');
  const counts = new Map<RunStatus, number>();
  for (const { status } of runs) counts.set(status, (counts.get(status) ?? 0) + 1);
  const parts = [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([status, count]) => counted[status](count));
  return plural(
    runs.length,
    'Last run: {parts}. The newest: {newest}',
    'Last {count} runs: {parts}. The newest: {newest}',
    { parts: parts.join(', '), newest: wordOf(newest.status) },
  );
}

const counted: Readonly<Record<RunStatus, (count: number) => string>> = {
  success: (count) => t('{count} success', { count }),
  error: (count) => t('{count} error', { count }),
  cancelled: (count) => plural(count, '{count} cancelled', '{count} cancelled##several'),
  pending: (count) => plural(count, '{count} pending', '{count} pending##several'),
  running: (count) => t('{count} running', { count }),
  waiting: (count) => t('{count} waiting', { count }),
};

/** One run, for whoever points at its tick. */
export function tickTitle({ status, duration_s }: Runs[number], locale: string): string {
  const { word } = runStatusLooks[status];
  return duration_s === null ? word : t('{word} in {time}', { word, time: formatDuration(duration_s, locale) });
}

function wordOf(status: RunStatus): string {
  return runStatusLooks[status].word.toLowerCase();
}
