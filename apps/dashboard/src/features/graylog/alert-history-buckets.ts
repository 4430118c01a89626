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
  const firstMs =
    lengthMs >= DAY_MS
      ? startOfDay(dayIn(start, timeZone), timeZone).getTime()
      : Math.floor(start.getTime() / HOUR_MS) * HOUR_MS;
  const count = Math.max(1, Math.ceil((end.getTime() - firstMs) / lengthMs));
  const buckets = Array.from({ length: count }, (_, index) => ({
    t: new Date(firstMs + index * lengthMs).toISOString(),
    high: 0,
    medium: 0,
    low: 0,
  }));
  for (const { timestamp, priority } of alerts) {
    if (timestamp === null || priority === null) continue;
    const bucket = buckets[Math.floor((Date.parse(timestamp) - firstMs) / lengthMs)];
    if (bucket !== undefined) bucket[severityOfPriority[priority]] += 1;
  }
  return buckets;
}
