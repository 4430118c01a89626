/** Charts as lines and boxes: sharp at any size, and printable without colour because every value is written as well. */
import type { Pen } from './pen.ts';
import { ink, type TextStyle, type } from './report-style.ts';

export type Frame = { x: number; y: number; width: number; height: number };
export type Series = { name: string; colour: string };

const AXIS = 34;
const LABELS = 16;
const TICKS = 4;
const tick: TextStyle = { ...type.small, size: 7.5, tabular: true };
const small: TextStyle = { ...tick, size: 6.5 };
const strong: TextStyle = { size: 7.5, weight: 600, tabular: true };

/** The least round number that is not below `value`, in `TICKS` equal steps. */
export function niceTop(value: number): number {
  if (value <= TICKS) return TICKS;
  const step = value / TICKS;
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = [1, 1.5, 2, 2.5, 3, 4, 5].find((each) => each * power >= step && Number.isInteger(each * power)) ?? 10;
  return factor * power * TICKS;
}

/** Squares with the names of series, from left to right; returns the height. */
export function legend(pen: Pen, series: readonly Series[], { x, y }: { x: number; y: number }): number {
  let at = x;
  for (const { name, colour } of series) {
    pen.box({ x: at, y: y + 1.5, width: 7, height: 7 }, colour);
    const width = pen.text.widthOf(name, type.small);
    pen.text.line(name, type.small, { x: at + 11, y, width: width + 1 });
    at += width + 26;
  }
  return 16;
}

/** Bars of parts that add up, the total above each. */
export function stackedBars(
  pen: Pen,
  frame: Frame,
  data: {
    series: readonly Series[];
    groups: readonly { label: string; values: readonly number[] }[];
    format: (value: number) => string;
    totals: boolean;
  },
): void {
  const { series, groups, format } = data;
  const totals = groups.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const plot = axes(pen, frame, { top: niceTop(Math.max(0, ...totals)), format });
  const step = plot.width / Math.max(1, groups.length);
  const width = Math.min(46, step * 0.62);
  groups.forEach(({ label, values }, index) => {
    const x = plot.x + step * index + (step - width) / 2;
    let y = plot.y + plot.height;
    values.forEach((value, place) => {
      const height = plot.scale(value);
      y -= height;
      if (height > 0) pen.box({ x, y, width, height }, series[place]?.colour ?? ink.muted);
    });
    const total = totals[index] ?? 0;
    if (data.totals) {
      const above = { x: x - 10, y: y - 12, width: width + 20, align: 'center' } as const;
      const style = total === 0 ? tick : strong;
      const space = pen.text.widthOf(format(total), style) + 4;
      // The lines of the axis do not run through the figure.
      if (total > 0) pen.box({ x: x + (width - space) / 2, y: y - 12, width: space, height: 11 }, ink.white);
      pen.text.line(format(total), style, above);
    }
    if (label !== '') {
      const below = { x: plot.x + step * index, y: plot.y + plot.height + 5, width: step, align: 'center' } as const;
      pen.text.line(label, tick, below);
    }
  });
}

/**
 * One bar for each series side by side, its value above it; a dash where a group has none. Durations have no round steps,
 * so the axis is the ground line and every bar says its own value.
 */
export function groupedBars(
  pen: Pen,
  frame: Frame,
  data: {
    series: readonly Series[];
    groups: readonly { label: string; values: readonly (number | null)[] }[];
    format: (value: number) => string;
    /** Instead of bars where no group has a value. */
    empty: string;
  },
): void {
  const { series, groups, format } = data;
  const plot = { x: frame.x, y: frame.y + 14, width: frame.width, height: frame.height - 14 - LABELS };
  const ground = plot.y + plot.height;
  const known = groups.flatMap(({ values }) => values.flatMap((value) => value ?? []));
  if (known.length === 0) {
    pen.text.line(data.empty, type.small, {
      x: plot.x,
      y: plot.y + plot.height / 2,
      width: plot.width,
      align: 'center',
    });
  }
  pen.rule({ x: plot.x, y: ground, width: plot.width });
  const highest = Math.max(0, ...known);
  const heightOf = (value: number) => (highest === 0 ? 1 : Math.max(1, (value / highest) * plot.height));
  const step = plot.width / Math.max(1, groups.length);
  const width = Math.min(18, (step - 6) / series.length);
  groups.forEach(({ label, values }, index) => {
    const left = plot.x + step * index + (step - width * series.length) / 2;
    const heights = values.map((value) => (value === null ? 0 : heightOf(value)));
    values.forEach((value, place) => {
      const height = heights[place] ?? 0;
      if (value === null) return;
      const [x, y] = [left + width * place, ground - height];
      pen.box({ x: x + 0.75, y, width: width - 1.5, height }, series[place]?.colour ?? ink.muted);
      // Values of neighbours of the same height would run into each other.
      const lift = place % 2 === 1 && areClose(heights) ? 17.5 : 9.5;
      pen.text.line(format(value), small, { x: x - 8, y: y - lift, width: width + 16, align: 'center' });
    });
    if (known.length > 0 && values.every((value) => value === null)) {
      pen.text.line('–', small, { x: left, y: ground - 11, width: width * series.length, align: 'center' });
    }
    const below = { x: plot.x + step * index, y: ground + 5, width: step, align: 'center' } as const;
    pen.text.line(label, tick, below);
  });
}

function areClose(heights: readonly number[]): boolean {
  const [first = 0, second = 0] = heights;
  return first > 0 && Math.abs(first - second) < 9;
}

/** A bar within a table cell: how much of the most. */
export function cellBar(pen: Pen, { x, y, width }: Omit<Frame, 'height'>, part: number, colour: string): void {
  pen.box({ x, y, width, height: 5 }, ink.panel);
  if (part > 0) pen.box({ x, y, width: Math.max(1.5, width * Math.min(1, part)), height: 5 }, colour);
}

function axes(pen: Pen, frame: Frame, { top, format }: { top: number; format: (value: number) => string }) {
  const plot = {
    x: frame.x + AXIS,
    y: frame.y + 12,
    width: frame.width - AXIS,
    height: frame.height - 12 - LABELS,
  };
  for (let index = 0; index <= TICKS; index++) {
    const y = plot.y + plot.height - (plot.height * index) / TICKS;
    pen.rule({ x: plot.x, y, width: plot.width }, index === 0 ? ink.muted : ink.line);
    const place = { x: frame.x, y: y - 4.5, width: AXIS - 6, align: 'right' } as const;
    pen.text.line(format((top * index) / TICKS), tick, place);
  }
  return { ...plot, scale: (value: number) => (value / top) * plot.height };
}
