import type { AirOverview } from '@airdeck/contracts/air-overview/schema';
import type { BarSeries } from '../../components/bar-chart/bar-chart.tsx';
import { t } from '../../language/translate.ts';

type Part = AirOverview['trend'][number];
type Series = { readonly name: Exclude<keyof Part, 't'>; readonly label: string } & Omit<BarSeries, 'name'>;

/** What the trend can show; times in seconds. */
export const trendKinds = {
  cases: {
    name: t('Cases'),
    label: t('Cases opened'),
    isTime: false,
    series: [
      { name: 'cases', label: t('Opened##cases'), color: 'var(--air-chart-1)' },
      { name: 'answered', label: t('Answered by automation'), color: 'var(--air-chart-2)', hatched: true },
    ],
  },
  mttd: {
    name: 'MTTD',
    label: t('Mean time to detect'),
    isTime: true,
    series: [
      { name: 'manual_mttd', label: t('Manual##time'), color: 'var(--air-chart-1)' },
      { name: 'automated_mttd', label: t('Automated##time'), color: 'var(--air-chart-2)', hatched: true },
    ],
  },
  mttr: {
    name: 'MTTR',
    label: t('Mean time to respond'),
    isTime: true,
    series: [
      { name: 'manual_mttr', label: t('Manual##time'), color: 'var(--air-chart-1)' },
      { name: 'automated_mttr', label: t('Automated##time'), color: 'var(--air-chart-2)', hatched: true },
    ],
  },
} as const satisfies Record<string, { name: string; label: string; isTime: boolean; series: readonly Series[] }>;

export type TrendKind = keyof typeof trendKinds;
