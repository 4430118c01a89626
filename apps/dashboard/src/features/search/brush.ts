/** Which bars of the histogram are chosen: where choosing began, and where it is now. Both are indexes, in any order. */
export type Brush = { readonly anchor: number; readonly at: number };

export type Bars = { readonly from: number; readonly to: number };

/** First and last chosen bar. */
export function barsOf({ anchor, at }: Brush): Bars {
  return { from: Math.min(anchor, at), to: Math.max(anchor, at) };
}

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  PageUp: (at) => at - 10,
  PageDown: (at) => at + 10,
  Home: () => 0,
  End: (_, last) => last,
};

/** Where a key leads: arrows move, with shift they choose. Undefined for keys that mean nothing here. */
export function moved(brush: Brush, key: string, { shift, bars }: { shift: boolean; bars: number }): Brush | undefined {
  const step = steps[key];
  if (step === undefined || bars === 0) return undefined;
  const at = Math.min(Math.max(0, step(brush.at, bars - 1)), bars - 1);
  return { at, anchor: shift ? brush.anchor : at };
}

/** The bar under a pointer. */
export function barAt(x: number, width: number, bars: number): number {
  if (width <= 0) return 0;
  return Math.min(Math.max(0, Math.floor((x / width) * bars)), bars - 1);
}
