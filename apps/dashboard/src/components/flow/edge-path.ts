import type { Point } from './flow-layout.ts';

const RADIUS = 6;

/** SVG path through the points in right angles with small rounded corners; it turns half-way between two columns. */
export function edgePath(points: readonly Point[]): string {
  const [start, ...rest] = points;
  if (start === undefined) return '';
  let path = `M ${start.x} ${start.y}`;
  let last = start;
  for (const point of rest) {
    path += turn(last, point);
    last = point;
  }
  return path;
}

function turn(from: Point, to: Point): string {
  const drop = to.y - from.y;
  if (Math.abs(drop) < 1) return ` L ${to.x} ${to.y}`;
  const middle = (from.x + to.x) / 2;
  const radius = Math.min(RADIUS, Math.abs(drop) / 2);
  const down = Math.sign(drop) * radius;
  return (
    ` L ${middle - radius} ${from.y} Q ${middle} ${from.y} ${middle} ${from.y + down}` +
    ` L ${middle} ${to.y - down} Q ${middle} ${to.y} ${middle + radius} ${to.y} L ${to.x} ${to.y}`
  );
}
