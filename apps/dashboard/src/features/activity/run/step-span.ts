import type { PlaybookRun, RunActionSummary } from '@airdeck/contracts/activity/schema';

/** Hundredths of the time of the run. */
export type Span = { readonly left: number; readonly width: number };

type Times = Pick<RunActionSummary, 'time_started' | 'time_finished' | 'reused'>;

/** When a step ran within its run; undefined where it did not. */
export function spanOf(
  { time_started, time_finished, reused }: Times,
  run: Pick<PlaybookRun['summary'], 'time_created' | 'time_finished'>,
  now: Date,
): Span | undefined {
  if (time_started === null || reused === true) return undefined;
  const begin = Date.parse(run.time_created);
  const [from, to, end] = [time_started, time_finished, run.time_finished].map((time) =>
    time === null ? now.getTime() : Date.parse(time),
  ) as [number, number, number];
  const whole = end - begin;
  if (whole <= 0) return from <= begin ? { left: 0, width: 100 } : { left: 100, width: 0 };
  const share = (time: number) => Math.min(100, Math.max(0, ((time - begin) / whole) * 100));
  const left = share(from);
  return { left, width: Math.max(0, share(to) - left) };
}
