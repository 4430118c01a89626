import { nice, ticks } from 'd3-array';

/** Marks of an axis that begins at zero, in the unit of the values; bars are as high as their share of `top`. */
export type BarScale = { readonly top: number; readonly marks: readonly number[] };

/** What is counted has no halves; times in seconds are marked where a clock has round numbers. */
export type Measure = 'count' | 'seconds';

const INTERVALS = 4;
const clock = [86_400, 3600, 60, 1] as const;

export function barScale(highest: number, measure: Measure): BarScale {
  const unit = measure === 'seconds' ? (clock.find((seconds) => highest >= seconds) ?? 1) : 1;
  const isWhole = unit === 1;
  const most = highest <= 0 ? 1 : highest / unit;
  const marks = ticks(0, isWhole ? Math.max(1, nice(0, most, INTERVALS)[1]) : nice(0, most, INTERVALS)[1], INTERVALS);
  const shown = isWhole ? marks.filter(Number.isInteger) : marks;
  return { top: (marks.at(-1) ?? 1) * unit, marks: shown.map((mark) => mark * unit) };
}
