import type { AirOverview } from '@airdeck/contracts/air-overview/schema';

type Part = AirOverview['trend'][number];
type Series = { readonly name: Exclude<keyof Part, 't'>; readonly label: string; readonly color: string };

/** What the trend can show; times in seconds. */
export const trendKinds = {
  cases: {
    name: 'Cases',
    label: 'Cases opened',
    isTime: false,
    series: [
      { name: 'cases', label: 'Opened', color: 'var(--air-chart-1)' },
      { name: 'answered', label: 'Answered by automation', color: 'var(--air-chart-2)' },
    ],
  },
  mttd: {
    name: 'MTTD',
    label: 'Mean time to detect',
    isTime: true,
    series: [
      { name: 'manual_mttd', label: 'Manual', color: 'var(--air-chart-1)' },
      { name: 'automated_mttd', label: 'Automated', color: 'var(--air-chart-2)' },
    ],
  },
  mttr: {
    name: 'MTTR',
    label: 'Mean time to respond',
    isTime: true,
    series: [
      { name: 'manual_mttr', label: 'Manual', color: 'var(--air-chart-1)' },
      { name: 'automated_mttr', label: 'Automated', color: 'var(--air-chart-2)' },
    ],
  },
} as const satisfies Record<string, { name: string; label: string; isTime: boolean; series: readonly Series[] }>;

export type TrendKind = keyof typeof trendKinds;
