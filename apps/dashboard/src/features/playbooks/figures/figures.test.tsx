import type { PlaybookFigures } from '@airdeck/contracts/playbooks/schema';
import { runStatuses } from '@airdeck/contracts/statuses';
import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { LastRuns } from './last-runs.tsx';
import { tickForm, ticksWords } from './run-ticks.ts';
import { successText } from './success-rate.ts';

type Run = PlaybookFigures['last_runs'][number];
const run = (number: number, status: Run['status'], duration_s: number | null = 2): Run => ({
  id: `01920000-0000-7000-8000-0000000008${String(number).padStart(2, '0')}`,
  status,
  time_created: '2026-11-20T10:00:00.000Z',
  duration_s,
});

test('ends that differ have forms that differ: nobody needs the colour', () => {
  const ended = (['success', 'error', 'cancelled', 'waiting', 'running'] as const).map(tickForm);
  expect(new Set(ended).size).toBe(ended.length);
  expect(runStatuses.every((status) => tickForm(status) !== undefined)).toBe(true);
});

test('the ticks are said in words, most frequent first, and how the newest ended', () => {
  expect(ticksWords([run(1, 'error'), run(2, 'success'), run(3, 'success')])).toBe(
    'Last 3 runs: 2 success, 1 error. The newest: error',
  );
  expect(ticksWords([run(1, 'waiting', null)])).toBe('Last run: 1 waiting. The newest: waiting');
  expect(ticksWords([])).toBe('It has not run yet');
});

test('time goes to the right, though the newest comes first', () => {
  render(
    <MantineProvider env="test">
      <LastRuns runs={[run(1, 'error'), run(2, 'success')]} />
    </MantineProvider>,
  );
  const ticks = [...screen.getByRole('img').children].map((tick) => tick.getAttribute('data-form'));
  expect(ticks).toEqual(['bar', 'cross']);
});

test('one failure among a thousand is not rounded away', () => {
  expect(successText(0.999, 'en-US')).toBe('99 %');
  expect(successText(1, 'en-US')).toBe('100 %');
  expect(successText(null, 'en-US')).toBe('–');
});
