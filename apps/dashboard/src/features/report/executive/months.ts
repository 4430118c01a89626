import { executiveReportLimits } from '@airdeck/contracts/reports/executive-report-limits';
import { dayIn } from '@airdeck/domain/zoned-day';
import { dateFormat, type Reader } from '../../../ui/reader.ts';

/** Months that can be reported, the last whole one first and the present one at the end of the line, as `yyyy-mm`. */
export function reportMonths(now: Date, timeZone: string | undefined): string[] {
  const { year, month } = dayIn(now, timeZone);
  const back = (months: number) => {
    const index = year * 12 + (month - 1) - months;
    return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
  };
  const past = Array.from({ length: executiveReportLimits.monthsBack }, (_, n) => back(n + 1));
  return [...past, back(0)];
}

export function monthText(month: string, { locale }: Pick<Reader, 'locale'>): string {
  return dateFormat({ locale, timeZone: 'UTC' }, { month: 'long', year: 'numeric' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
}
