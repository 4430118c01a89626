import { describe, expect, it } from 'vitest';
import type { Kept } from './history.mjs';
import { regressionLines } from './regressions.mjs';

let minute = 0;
function run(figures: Record<string, [number, string]>, more: Partial<Kept> = {}, cpu = 40): Kept {
  const metrics = Object.entries(figures).map(([name, [value, unit]]) => [name, { value, unit, spread: 0 }]);
  return {
    at: new Date(60_000 * minute++).toISOString(),
    commit: 'abc',
    changed: false,
    bench: 'list',
    full: false,
    machine: { cores: 2 },
    calibration: { before: { cpu_ms: cpu, fsync_ms: 1 }, after: { cpu_ms: cpu, fsync_ms: 1 } },
    metrics: Object.fromEntries(metrics),
    ...more,
  };
}
const times = (...values: number[]) => values.map((value) => run({ time: [value, 'ms'] }));

describe('a figure that got worse', () => {
  it('is more than a tenth over the median of the last five runs, and over each of them', () => {
    const earlier = times(1, 10, 11, 10, 10, 10.5);
    expect(regressionLines(earlier, run({ time: [11.6, 'ms'] }), {})).toEqual([
      'time: 10 to 11.6 ms, worse than each of the last 5 runs here',
    ]);
    expect(regressionLines(earlier, run({ time: [11, 'ms'] }), {})).toEqual([]);
    expect(regressionLines(times(10, 10, 10, 10, 14), run({ time: [13, 'ms'] }), {})).toEqual([]);
    expect(regressionLines(times(12, 12, 12), run({ time: [12.9, 'ms'] }), {})).toEqual([]);
  });

  it('is a rate that fell, or what its limit wants the other way', () => {
    const figures = (rate: number, size: number, score: number, count: number) =>
      run({ rate: [rate, '/s'], size: [size, 'kB'], score: [score, ''], count: [count, ''] });
    const earlier = [1, 2, 3].map(() => figures(100, 100, 100, 100));
    const limits = { size: { atMost: 200 }, score: { atLeast: 5 } };
    const named = (one: Kept) => regressionLines(earlier, one, limits).map((line) => line.split(':', 1)[0]);
    expect(named(figures(80, 120, 80, 50))).toEqual(['rate', 'size', 'score']);
    expect(named(figures(120, 80, 120, 150))).toEqual([]);
  });

  it('is none where the processor was slower, or only the earlier ones met a slow one', () => {
    const rates = [100, 100, 100].map((value) => run({ rate: [value, '/s'] }));
    expect(regressionLines(rates, run({ rate: [60, '/s'] }, {}, 70), {})).toEqual([]);
    expect(regressionLines(rates, run({ rate: [60, '/s'] }, {}, 41), {})).toHaveLength(1);
  });

  it('is looked for among three runs at least that are like it', () => {
    const now = run({ time: [20, 'ms'] }, { at: '2026-01-01T00:00:00.000Z' });
    const [one, two, three] = times(10, 10, 10);
    if (one === undefined || two === undefined || three === undefined) throw new Error('Three runs.');
    expect(regressionLines([one, two, three], now, {})).toHaveLength(1);
    const { metrics: _metrics, ...failed } = three;
    const unlike: Kept[] = [
      { ...three, full: true },
      { ...three, changed: true },
      { ...three, machine: { cores: 4 } },
      { ...three, bench: 'cases' },
      { ...failed, error: 'killed' },
      { ...three, metrics: { other: { value: 1, unit: 'ms', spread: 0 } } },
    ];
    for (const other of unlike) expect(regressionLines([one, two, other], now, {})).toEqual([]);
    expect(regressionLines([one, two, three], { ...failed, error: 'killed' }, {})).toEqual([]);
  });
});
