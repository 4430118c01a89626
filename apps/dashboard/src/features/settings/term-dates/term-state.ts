import type { Contract } from '@airdeck/contracts/contract/schema';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { dateFormat } from '../../../ui/reader.ts';

type Terms = Pick<Contract, 'start_date' | 'end_date' | 'renewal_notice_date'>;

/** `notice`: the day by which to say whether one goes on has come; `over`: the last day has passed. */
export type TermStage = 'ahead' | 'running' | 'notice' | 'over';

export type TermState = {
  stage: TermStage;
  /** Days from today to the end; the last day itself has none left. Negative once it has passed. */
  daysLeft: number;
  /** Days to the start; zero or less once it has begun. */
  daysToStart: number;
  /** Undefined without a notice date. */
  daysToNotice: number | undefined;
  /** Places on the line from start to end, 0 to 1. */
  today: number;
  notice: number | undefined;
};

/**
 * How a contract stands on a day.
 *
 * @param today `yyyy-MM-dd` in the reader's zone
 */
export function termState(terms: Terms, today: string): TermState {
  const [start, end, at] = [dayNumber(terms.start_date), dayNumber(terms.end_date), dayNumber(today)];
  const noticeDay = terms.renewal_notice_date === null ? undefined : dayNumber(terms.renewal_notice_date);
  const place = (day: number) => Math.min(1, Math.max(0, (day - start) / Math.max(1, end - start)));
  const stage =
    at > end ? 'over' : at < start ? 'ahead' : noticeDay !== undefined && at >= noticeDay ? 'notice' : 'running';
  return {
    stage,
    daysLeft: end - at,
    daysToStart: start - at,
    daysToNotice: noticeDay === undefined ? undefined : noticeDay - at,
    today: place(at),
    notice: noticeDay === undefined ? undefined : place(noticeDay),
  };
}

/** One line on how it stands: "214 days left". */
export function termText({ stage, daysLeft, daysToStart }: TermState): string {
  if (stage === 'ahead') return t('Starts in {days}', { days: days(daysToStart) });
  if (stage === 'over') return t('Ended {days} ago', { days: days(-daysLeft) });
  return daysLeft === 0 ? t('Ends today') : t('{days} left', { days: days(daysLeft) });
}

export function noticeText(daysToNotice: number): string {
  if (daysToNotice === 0) return t('today');
  return daysToNotice > 0
    ? t('in {days}', { days: days(daysToNotice) })
    : t('{days} ago', { days: days(-daysToNotice) });
}

export function days(count: number): string {
  return plural(count, '{count} day', '{count} days');
}

/** The calendar day an instant has in a zone, as `yyyy-MM-dd`. */
export function calendarDay(at: Date, timeZone: string | undefined): string {
  const reader = { locale: 'en-CA', timeZone } as const;
  return dateFormat(reader, { year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);
}

function dayNumber(day: string): number {
  return Math.round(Date.parse(`${day}T00:00:00Z`) / 86_400_000);
}
