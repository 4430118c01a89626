import { dayIn } from '@airdeck/domain/zoned-day';
import { t } from '../../language/translate.ts';
import { type DashboardSpan, type ReadSpan, spanWindow } from '../../queries/dashboards.ts';
import { type DayRange, DayRangeDialog } from '../../ui/day-range-dialog.tsx';
import { useReader } from '../../ui/reader.ts';

type Props = {
  /** Whose period it is. */
  of: string;
  /** What is shown now; the fields start with its days. */
  shown: DashboardSpan;
  onClose: () => void;
  onSave: (range: DayRange) => void;
};

/** First and last day of a custom period. */
export function RangeDialog({ of, shown, onClose, onSave }: Props) {
  const { timeZone } = useReader();
  return (
    <DayRangeDialog
      title={t('Period of {name}', { name: of })}
      action={t('Show this period')}
      first={daysOf({ span: shown, timeZone })}
      latest={dayOf(new Date(), timeZone)}
      onClose={onClose}
      onSave={onSave}
    />
  );
}

function daysOf(read: ReadSpan): DayRange {
  if (read.span.period === 'CUSTOM') return read.span.range;
  const { start, end } = spanWindow(read, new Date());
  return { from: dayOf(start, read.timeZone), to: dayOf(end, read.timeZone) };
}

/** A time's day in the reader's zone, as `yyyy-mm-dd`. */
function dayOf(time: Date, timeZone: string | undefined): string {
  const { year, month, day } = dayIn(time, timeZone);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${year}-${pad(month)}-${pad(day)}`;
}
