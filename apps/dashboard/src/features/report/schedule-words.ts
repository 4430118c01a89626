import type { ReportPeriod, ReportSchedule } from '@airdeck/contracts/reports/schema';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';

type PeriodWords = {
  label: string;
  /** Before the field of the time of day. */
  at: string;
  when: (time: string) => string;
  covers: string;
};

/** In the order of choice. */
export const periodWords: Readonly<Record<ReportPeriod, PeriodWords>> = {
  daily: {
    label: t('Daily'),
    at: t('Every day at'),
    when: (time) => t('Every day at {time}', { time }),
    covers: t('the day before'),
  },
  weekly: {
    label: t('Weekly'),
    at: t('Every Monday at'),
    when: (time) => t('Every Monday at {time}', { time }),
    covers: t('the week before, Monday to Sunday'),
  },
  monthly: {
    label: t('Monthly'),
    at: t('First of the month at'),
    when: (time) => t('First of the month at {time}', { time }),
    covers: t('the month before'),
  },
};

/** Days a report may look back, whatever its period. */
const reaches = [7, 30, 90] as const;

/** The choices, and what was chosen elsewhere. */
export function reachesWith(days: number | null): number[] {
  return [...new Set([...reaches, ...(days === null ? [] : [days])])].toSorted((one, other) => one - other);
}

export function reachWords(days: number): string {
  return plural(days, 'the day before it is made', 'the {count} days before it is made');
}

/** `the week before, Monday to Sunday`, `the 30 days before it is made` */
export function coversWords({ period, covers_days: days }: Pick<ReportSchedule, 'period' | 'covers_days'>): string {
  return days === null ? periodWords[period].covers : reachWords(days);
}

export const periodIds = Object.keys(periodWords) as ReportPeriod[];

/** `Every Monday at 06:30` */
export function whenWords({ period, at_minute: minute }: Pick<ReportSchedule, 'period' | 'at_minute'>): string {
  return periodWords[period].when(clockOf(minute));
}

/** `06:30`, as fields for a time of day have it. */
export function clockOf(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Undefined for what is no time of day. */
export function minuteOf(clock: string): number | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)(?::\d\d)?$/.exec(clock) ?? [];
  return hours === undefined || minutes === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

export function zoneWords(zone: string): string {
  return zone.replaceAll('_', ' ');
}
