import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { answerParts } from '../../features/air-overview/automation-panel.tsx';
import { slaParts } from '../../features/air-overview/sla-panel.tsx';
import { trendKinds } from '../../features/air-overview/trend-kinds.ts';
import { runSeries } from '../../features/report/soar/run-series.ts';
import { type Linear, linearOf, schemes, tokensOf } from '../../ui/tokens-fixture.ts';
import type { BarSeries } from '../bar-chart/bar-chart.tsx';
import { DayPanel } from '../day-figures/day-panel.tsx';
import { alertSeries } from './alert-series.ts';

/**
 * How eyes without one of the three kinds of cones see a colour: matrices for linear sRGB at full severity, from Machado,
 * Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15(6), 2009.
 */
const eyes = {
  'all cones': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
} as const satisfies Record<string, readonly Linear[]>;

/** In hundredths of Oklab's unit, where about 2 is the least one sees between surfaces that touch. */
const LEAST_DIFFERENCE = 10;

function seenBy(matrix: readonly Linear[], color: string): Linear {
  const [red, green, blue] = linearOf(color);
  const part = (at: number) => {
    const [r, g, b] = matrix[at] ?? [0, 0, 0];
    return Math.min(1, Math.max(0, r * red + g * green + b * blue));
  };
  return [part(0), part(1), part(2)];
}

/** Oklab, a space in which distances are differences one sees: Björn Ottosson, "A perceptual color space", 2020. */
function oklab([red, green, blue]: Linear): Linear {
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
  ];
}

function difference(one: Linear, other: Linear): number {
  const [a, b] = [oklab(one), oklab(other)];
  return 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

const chartsOfSeries: Readonly<Record<string, readonly Pick<BarSeries, 'color' | 'hatched'>[]>> = {
  'alerts by priority': alertSeries,
  'trend of cases': trendKinds.cases.series,
  'times to detect': trendKinds.mttd.series,
  'times to respond': trendKinds.mttr.series,
  'runs by day': runSeries,
  'automated answers': answerParts,
  'service levels': slaParts,
  'any chart of many series': Array.from({ length: 8 }, (_, index) => ({ color: `var(--air-chart-${index + 1})` })),
};

const neighbours = <T,>(series: readonly T[]) =>
  series.slice(1).map((each, index) => [series[index] as T, each] as const);
const tokenOf = (color: string) => /^var\(--air-([\w-]+)\)$/.exec(color)?.[1] ?? `no token: ${color}`;

describe.each(schemes)('%s theme', (scheme) => {
  const tokens = tokensOf(scheme);
  test.each(Object.keys(chartsOfSeries))('what stands side by side in %s differs for every kind of eyes', (name) => {
    const alike = neighbours(chartsOfSeries[name] ?? []).flatMap((pair) => {
      const [one, other] = pair.map(({ color }) => tokenOf(color));
      const of = (token = '') => tokens[token] ?? `missing ${token}`;
      return Object.entries(eyes)
        .filter(([, matrix]) => !(difference(seenBy(matrix, of(one)), seenBy(matrix, of(other))) >= LEAST_DIFFERENCE))
        .map(([eye]) => `${one} and ${other}: ${eye}`);
    });
    expect(alike).toEqual([]);
  });
});

test('the simulation finds red and green alike, and yellow and blue apart', () => {
  const between = (eye: keyof typeof eyes, one: string, other: string) =>
    difference(seenBy(eyes[eye], one), seenBy(eyes[eye], other));
  const [red, olive, yellow, blue] = ['#c05040', '#808030', '#c0a000', '#3060c0'] as const;
  expect(between('all cones', red, olive)).toBeGreaterThan(1.5 * LEAST_DIFFERENCE);
  expect(between('deuteranopia', red, olive)).toBeLessThan(0.5 * LEAST_DIFFERENCE);
  expect(between('deuteranopia', yellow, blue)).toBeGreaterThan(3 * LEAST_DIFFERENCE);
});

test.each(['trend of cases', 'times to detect', 'times to respond', 'runs by day'])(
  'bars side by side in %s differ by more than colour',
  (name) => {
    for (const [one, other] of neighbours(chartsOfSeries[name] ?? [])) {
      expect(one.hatched === true).not.toBe(other.hatched === true);
    }
  },
);

test('a chart by day names its series, draws them before their names as in the bars, and is a table too', () => {
  const series = runSeries.map((each) => ({ ...each, text: String }));
  render(
    <MantineProvider>
      <DayPanel title="Runs" rows={[{ day: '2026-11-03', values: { actions: 3, playbooks: 2 } }]} series={series} />
    </MantineProvider>,
  );
  const mark = (word: string) => screen.getByText(word).querySelector('[aria-hidden]');
  expect(mark('Actions')?.hasAttribute('data-hatched')).toBe(false);
  expect(mark('Playbook runs')?.hasAttribute('data-hatched')).toBe(true);
  fireEvent.click(screen.getByRole('radio', { name: 'Table' }));
  const [head, row] = screen.getAllByRole('row').map((each) => within(each));
  expect(head?.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Day',
    'Actions',
    'Playbook runs',
  ]);
  expect(row?.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['3', '2']);
});
