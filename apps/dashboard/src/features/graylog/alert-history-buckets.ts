import { dayIn, startOfDay } from '@airdeck/domain/zoned-day';
import type { AlertBucket } from '../../components/widgets/alert-buckets.ts';
import type { GraylogAlert } from '../../queries/graylog-answers.ts';
import { severityOfPriority } from './priority.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Lengths a person can name. */
const LENGTHS_MS = [1, 2, 3, 6, 12, 24, 48, 72, 120, 168].map((hours) => hours * HOUR_MS);
const MOST_BUCKETS = 40;

type Given = {
  alerts: readonly Pick<GraylogAlert, 'timestamp' | 'priority'>[];
  start: Date;
  end: Date;
  timeZone: string | undefined;
};

/** Alerts counted by time and priority, oldest first. Buckets of days begin with days of the reader's zone. */
export function historyOf({ alerts, start, end, timeZone }: Given): AlertBucket[] {
  const spanMs = end.getTime() - start.getTime();
  const lengthMs = LENGTHS_MS.find((each) => spanMs / each <= MOST_BUCKETS) ?? DAY_MS * 7;
  const begin = beginOf({ start, lengthMs, timeZone });
  const begins = [begin(0)];
  for (let next = begin(1); next < end.getTime(); next = begin(begins.length)) begins.push(next);
  const buckets = begins.map((ms) => ({ t: new Date(ms).toISOString(), high: 0, medium: 0, low: 0 }));
  for (const { timestamp, priority } of alerts) {
    if (timestamp === null || priority === null) continue;
    const time = Date.parse(timestamp);
    const bucket = buckets[begins.findLastIndex((ms) => ms <= time)];
    if (bucket !== undefined) bucket[severityOfPriority[priority]] += 1;
  }
  return buckets;
}

/** When each bucket begins. Days are counted by the calendar: where clocks change, one is shorter or longer. */
function beginOf({ start, lengthMs, timeZone }: Pick<Given, 'start' | 'timeZone'> & { lengthMs: number }) {
  if (lengthMs < DAY_MS) {
    const firstMs = Math.floor(start.getTime() / HOUR_MS) * HOUR_MS;
    return (index: number) => firstMs + index * lengthMs;
  }
  const first = dayIn(start, timeZone);
  const days = lengthMs / DAY_MS;
  return (index: number) => startOfDay({ ...first, day: first.day + index * days }, timeZone).getTime();
}
