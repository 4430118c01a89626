import { type RefObject, useLayoutEffect, useMemo, useState } from 'react';

/** Where the rows of a long list stand: `tops[i]` in pixels from the list's top, and how tall they are together. */
export type RowPlan = { readonly tops: readonly number[]; readonly height: number };

/** First row, and the one after the last. */
export type RowRange = { readonly from: number; readonly to: number };

/** Pixels of the list that are in sight. */
type View = { readonly top: number; readonly bottom: number };

/** Drawn above and below what is in sight, so that fast scrolling and the next key meet rows that are there. */
const AHEAD_PX = 480;
/** The view moves in steps of this: in between, scrolling draws nothing. */
const STEP_PX = 240;

export function planRows(heights: readonly number[]): RowPlan {
  const tops: number[] = [];
  let height = 0;
  for (const each of heights) {
    tops.push(height);
    height += each;
  }
  return { tops, height };
}

/** Rows that reach into a part of the list. */
export function rowsBetween({ tops, height }: RowPlan, { top, bottom }: View): RowRange {
  if (bottom <= 0 || top >= height) return { from: 0, to: 0 };
  return { from: Math.max(0, firstAbove(tops, top) - 1), to: firstAbove(tops, bottom - 1) };
}

/**
 * Which rows of a list on a scrolling page to draw. The list keeps its whole height by itself, and puts each row at its
 * top.
 */
export function useRowsInSight(list: RefObject<HTMLElement | null>, plan: RowPlan): RowRange {
  const [view, setView] = useState<View>(() => viewAt(0, window.innerHeight));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another plan is another height, so the page may have moved
  useLayoutEffect(() => {
    const node = list.current;
    if (node === null) return undefined;
    let frame = 0;
    const look = () => {
      frame = 0;
      const next = viewAt(-node.getBoundingClientRect().top, window.innerHeight);
      setView((before) => (before.top === next.top && before.bottom === next.bottom ? before : next));
    };
    const lookSoon = () => {
      if (frame === 0) frame = requestAnimationFrame(look);
    };
    look();
    window.addEventListener('scroll', lookSoon, { passive: true });
    window.addEventListener('resize', lookSoon);
    return () => {
      window.removeEventListener('scroll', lookSoon);
      window.removeEventListener('resize', lookSoon);
      cancelAnimationFrame(frame);
    };
  }, [list, plan]);
  return useMemo(() => rowsBetween(plan, view), [plan, view]);
}

function viewAt(top: number, heightPx: number): View {
  return {
    top: Math.floor((top - AHEAD_PX) / STEP_PX) * STEP_PX,
    bottom: Math.ceil((top + heightPx + AHEAD_PX) / STEP_PX) * STEP_PX,
  };
}

/** Index of the first row whose top is above that value; the number of rows when there is none. */
function firstAbove(tops: readonly number[], value: number): number {
  let [low, high] = [0, tops.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tops[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
