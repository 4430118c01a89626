import { fireEvent, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { BarChart, type BarColumn, type LinkedBar } from './bar-chart.tsx';

const series = [
  { name: 'low', color: 'var(--air-chart-low)' },
  { name: 'high', color: 'var(--air-chart-high)', hatched: true },
];

function chart(
  columns: readonly BarColumn[],
  arrangement: 'stacked' | 'grouped' = 'stacked',
  link?: (bar: LinkedBar) => ReactNode,
) {
  return (
    <BarChart
      arrangement={arrangement}
      columns={columns}
      series={series}
      mostBarPx={20}
      link={link}
      measure="count"
      axisPx={32}
      marks={(most) => columns.slice(0, most).map(({ key }, at) => ({ at, text: key }))}
      markWidthPx={50}
      tooltip={(at) => <p>{`about ${columns[at]?.key}`}</p>}
    />
  );
}

const bars = (container: HTMLElement) =>
  [...container.querySelectorAll<HTMLElement>('[data-series]')].map(({ dataset, style }) => [
    dataset.series,
    style.height,
    dataset.hatched === 'true',
  ]);

test('bars that stand on each other share the height of the highest sum, with a scale from zero', () => {
  const { container } = render(
    chart([
      { key: 'Mon', values: { low: 3, high: 1 } },
      { key: 'Tue', values: { low: 0, high: 2 } },
      { key: 'Wed', values: { low: null, high: 0 } },
    ]),
  );
  expect(bars(container)).toEqual([
    ['low', '75%', false],
    ['high', '25%', true],
    ['high', '50%', true],
  ]);
  // As many words as are asked for where no width is known.
  expect(container.textContent).toBe('01234MonTue');
});

test('bars beside each other are as high as the highest of them all, and one without a value leaves its place', () => {
  const { container } = render(chart([{ key: 'Mon', values: { low: null, high: 4 } }], 'grouped'));
  expect(bars(container)).toEqual([['high', '100%', true]]);
  expect(container.querySelector('[data-series]')?.previousElementSibling?.tagName).toBe('SPAN');
});

test('a link stands around each bar there is, and around none without a value', () => {
  const link = ({ at, name, children, ...look }: LinkedBar) => (
    <a href={`#${name}-${at}`} {...look}>
      {children}
    </a>
  );
  const { container } = render(
    chart(
      [
        { key: 'Mon', values: { low: 1, high: 4 } },
        { key: 'Tue', values: { low: null, high: 2 } },
      ],
      'grouped',
      link,
    ),
  );
  const links = [...container.querySelectorAll('a')];
  expect(links.map((each) => each.getAttribute('href'))).toEqual(['#low-0', '#high-0', '#high-1']);
  expect(links.map((each) => [...each.children].map((bar) => (bar as HTMLElement).style.height))).toEqual([
    ['25%'],
    ['100%'],
    ['50%'],
  ]);
});

test('the column under the pointer is told about until the pointer leaves', () => {
  const { container, queryByText, rerender } = render(
    chart(['Mon', 'Tue', 'Wed', 'Thu'].map((key) => ({ key, values: { low: 1 } }))),
  );
  const plot = container.querySelector('[data-series]')?.parentElement?.parentElement as HTMLElement;
  vi.spyOn(plot, 'getBoundingClientRect').mockReturnValue(new DOMRect(100, 0, 200, 100));
  const pointAt = (clientX: number) => fireEvent(plot, new MouseEvent('pointermove', { bubbles: true, clientX }));
  pointAt(160);
  expect(queryByText('about Tue')).not.toBeNull();
  pointAt(299);
  expect(queryByText('about Thu')).not.toBeNull();
  // Fewer columns have come meanwhile.
  rerender(chart([{ key: 'Mon', values: { low: 1 } }]));
  expect(queryByText(/^about/)).toBeNull();
  rerender(chart(['Mon', 'Tue', 'Wed', 'Thu'].map((key) => ({ key, values: { low: 1 } }))));
  fireEvent.pointerLeave(plot);
  expect(queryByText(/^about/)).toBeNull();
});

test('nothing to show is a scale and no bars', () => {
  const { container } = render(chart([]));
  expect(bars(container)).toEqual([]);
  expect(container.textContent).toBe('01');
});
