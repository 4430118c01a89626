import type { Point } from '../../../../components/flow/flow-layout.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

/** How much worse it is to be off the line than far along it. */
const ASIDE = 2;

/** The step nearest in a direction, as an eye would find it; undefined at the edge. */
export function neighbourOf(
  positions: ReadonlyMap<string, Point>,
  id: string,
  direction: Direction,
): string | undefined {
  const from = positions.get(id);
  if (from === undefined) return undefined;
  const isAcross = direction === 'left' || direction === 'right';
  const sign = direction === 'right' || direction === 'down' ? 1 : -1;
  let best: { id: string; cost: number } | undefined;
  for (const [other, at] of positions) {
    const dx = at.x - from.x;
    const dy = at.y - from.y;
    // Up and down stay in the column; left and right may change the row.
    const along = sign * (isAcross ? dx : dy);
    const aside = Math.abs(isAcross ? dy : dx);
    if (along <= 0 || (!isAcross && aside > 0)) continue;
    const cost = along + ASIDE * aside;
    if (best === undefined || cost < best.cost) best = { id: other, cost };
  }
  return best?.id;
}

/** The step nearest to the left of a point: what is dropped there runs after it. */
export function stepBefore(positions: ReadonlyMap<string, Point>, point: Point, width: number): string | undefined {
  let best: { id: string; cost: number } | undefined;
  for (const [id, at] of positions) {
    const along = point.x - (at.x + width);
    if (along < 0) continue;
    const cost = along + ASIDE * Math.abs(point.y - at.y);
    if (best === undefined || cost < best.cost) best = { id, cost };
  }
  return best?.id;
}
