import type { SearchAnswer } from '@airdeck/contracts/search/schema';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { dateFormat, type Reader } from '../../ui/reader.ts';
import type { Bars } from './brush.ts';
import type { Window } from './time-range.ts';

/** One stretch of time; `start` in milliseconds since the epoch. */
export type Bar = { readonly start: number; readonly count: number };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** What the server promises never to exceed, twice: more would be a mistake, not a picture. */
const MOST_BARS = 240;

/** Every stretch of the searched range, also those without events, which the answer leaves out. */
export function histogramBars({
  histogram,
  bucket_ms: width,
  time_range: range,
}: Pick<SearchAnswer, 'histogram' | 'bucket_ms' | 'time_range'>): Bar[] {
  if (width <= 0) return [];
  const counts = new Map(histogram.map(({ t: time, count }) => [Date.parse(time), count]));
  const first = Math.floor(Date.parse(range.start) / width) * width;
  const last = Date.parse(range.end);
  const bars: Bar[] = [];
  for (let start = first; start < last && bars.length < MOST_BARS; start += width) {
    bars.push({ start, count: counts.get(start) ?? 0 });
  }
  return bars;
}

/** The time chosen bars stand for, inside the searched range: the first and last bar may stick out of it. */
export function windowOfBars(bars: readonly Bar[], { from, to }: Bars, widthMs: number, searched: Window): Window {
  const start = bars[from]?.start ?? searched.start.getTime();
  const end = (bars[to]?.start ?? searched.end.getTime()) + widthMs;
  return {
    start: new Date(Math.max(start, searched.start.getTime())),
    end: new Date(Math.min(end, searched.end.getTime())),
  };
}

/** "bars of 5 min": what one bar counts. */
export function perBar(widthMs: number): string {
  if (widthMs < 1000) return t('bars of {value} ms', { value: widthMs });
  if (widthMs < MINUTE_MS) return t('bars of {value} s', { value: widthMs / 1000 });
  if (widthMs < HOUR_MS) return t('bars of {value} min', { value: widthMs / MINUTE_MS });
  if (widthMs < DAY_MS) return t('bars of {value} h', { value: widthMs / HOUR_MS });
  return plural(widthMs / DAY_MS, 'bars of a day', 'bars of {count} days');
}

/** When a bar begins and ends, as short as tells it from its neighbours. */
export function barText({ start }: Bar, widthMs: number, reader: Reader): string {
  return timeFormat(widthMs, reader).formatRange(new Date(start), new Date(start + widthMs));
}

function timeFormat(widthMs: number, reader: Reader): Intl.DateTimeFormat {
  return dateFormat(reader, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(widthMs < MINUTE_MS ? { second: '2-digit' } : {}),
  });
}

export type AxisMark = { readonly at: number; readonly text: string };

/** Evenly spread bars with the time they begin: the clock within a day, the day beyond. `at` is a share of the width. */
export function axisMarks(bars: readonly Bar[], most: number, reader: Reader): AxisMark[] {
  const [first] = bars;
  const last = bars.at(-1);
  if (first === undefined || last === undefined) return [];
  const spread = last.start - first.start;
  const format = dateFormat(
    reader,
    spread <= 2 * DAY_MS
      ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
      : { month: 'short', day: 'numeric' },
  );
  const step = Math.max(1, Math.ceil(bars.length / Math.max(1, most)));
  return bars
    .map(({ start }, index) => ({ at: index / bars.length, text: format.format(new Date(start)) }))
    .filter((_, index) => index % step === 0)
    .filter(({ text }, index, marks) => index === 0 || marks[index - 1]?.text !== text);
}
