import type { CaseFigure } from '@airdeck/contracts/cases/figures';
import type { Dashboard } from '@airdeck/contracts/dashboards/schema';
import type { CaseSeverity } from '@airdeck/contracts/statuses';
import { bytesText, countText, durationText, type FigureText } from '../../components/widgets/figure-text.ts';
import type { NumberWidgetType } from '../../components/widgets/widgets.ts';
import { t } from '../../language/translate.ts';
import type { Reader } from '../../ui/reader.ts';

/** Cases a figure is made of, as what narrows the case list to them. */
export type CasesBehind = ({ severity: CaseSeverity[]; figure?: never } | { figure: CaseFigure; severity?: never }) & {
  /** Says where the link goes. */
  text: string;
};

export type NumberFigure = {
  /** What the figure counts (design §8), for the tooltip. */
  definition: string;
  read: (dashboard: Dashboard) => number | null;
  text: (value: number | null, reader: Reader) => FigureText;
  /** Whether more is good or bad news; undefined when it is neither. */
  more?: 'good' | 'bad';
  /** Said instead of a change where there is nothing. */
  none: string;
  history?: (dashboard: Dashboard) => number[];
  /** CSS colour of the history. */
  color?: string;
  /** The events themselves are behind it, for those who may search. */
  behind?: CasesBehind | 'events';
};

const NOTHING_RECEIVED = t('No events received yet');

export const numberFigures: Readonly<Record<NumberWidgetType, NumberFigure>> = {
  log_volume: {
    definition: t('Size of the original log lines received, before parsing and compression.'),
    read: ({ log_size }) => log_size,
    text: (value, reader) => bytesText(value ?? 0, reader),
    none: NOTHING_RECEIVED,
    behind: 'events',
  },
  events_processed: {
    definition: t('Events received, parsed and run through the policies, by the time they happened.'),
    read: ({ log_count }) => log_count,
    text: (value, reader) => countText(value ?? 0, reader),
    none: NOTHING_RECEIVED,
    history: ({ log_history }) => log_history.map(({ count }) => count),
    color: 'var(--air-chart-1)',
    behind: 'events',
  },
  manual_mttd: meanOf(
    'manual_mttd',
    t('Mean time to detect, by people: from a case opening until a person acknowledged it.'),
    ({ mttd_by_type }) => mttd_by_type.manual_mttd,
  ),
  manual_mttr: meanOf(
    'manual_mttr',
    t('Mean time to respond, by people: from a case opening until a person closed it.'),
    ({ mttr_by_type }) => mttr_by_type.manual_mttr,
  ),
  automated_mttd: meanOf(
    'automated_mttd',
    t('Mean time to detect, by automation: from the first matching event until a policy opened the case.'),
    ({ mttd_by_type }) => mttd_by_type.automated_mttd,
  ),
  automated_mttr: meanOf(
    'automated_mttr',
    t(
      'Mean time to respond, by automation: from a case opening until its first automated response succeeded, or automation closed it.',
    ),
    ({ mttr_by_type }) => mttr_by_type.automated_mttr,
  ),
  high_alerts: {
    definition: t('Cases opened with priority 1: severity critical or high.'),
    read: ({ alert_counts }) => alert_counts.high,
    text: (value, reader) => countText(value ?? 0, reader),
    more: 'bad',
    none: t('No alert of this priority'),
    history: ({ alert_history }) => alert_history.map(({ high }) => high),
    color: 'var(--air-high)',
    behind: {
      severity: ['critical', 'high'],
      text: t('Show critical and high cases'),
    },
  },
  medium_alerts: {
    definition: t('Cases opened with priority 2: severity medium.'),
    read: ({ alert_counts }) => alert_counts.medium,
    text: (value, reader) => countText(value ?? 0, reader),
    none: t('No alert of this priority'),
    history: ({ alert_history }) => alert_history.map(({ medium }) => medium),
    color: 'var(--air-medium)',
    behind: {
      severity: ['medium'],
      text: t('Show medium cases'),
    },
  },
  low_alerts: {
    definition: t('Cases opened with priority 3: severity low.'),
    read: ({ alert_counts }) => alert_counts.low,
    text: (value, reader) => countText(value ?? 0, reader),
    none: t('No alert of this priority'),
    history: ({ alert_history }) => alert_history.map(({ low }) => low),
    color: 'var(--air-low)',
    behind: { severity: ['low'], text: t('Show low cases') },
  },
};

/** A mean time opens the cases it is taken over. */
function meanOf(figure: CaseFigure, definition: string, read: NumberFigure['read']): NumberFigure {
  return {
    definition,
    read,
    text: durationText,
    more: 'bad',
    none: t('Nothing to average yet'),
    behind: { figure, text: t('Show the cases it is taken over') },
  };
}
