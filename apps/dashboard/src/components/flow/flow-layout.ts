export type FlowInput = { id: string; dependsOn: readonly string[] };
export type Point = { x: number; y: number };
export type FlowEdge = { from: string; to: string; points: readonly Point[] };
export type FlowLayout = {
  /** Top left corner of each node. */
  positions: ReadonlyMap<string, Point>;
  edges: readonly FlowEdge[];
  width: number;
  height: number;
};

export const NODE_WIDTH = 180;
export const NODE_HEIGHT = 70;
const GAP_X = 36;
const GAP_Y = 16;
/** Height of the lane an edge gets where it passes other nodes. */
const LANE = 12;
const SWEEPS = 4;
/** Space around the drawing, and the tallest it gets on the screen; what is taller is moved about. */
export const MARGIN = 20;
const TALLEST = 400;

/** A node, or the lane of an edge that passes its column. */
type Slot = { key: string; size: number; before: string[] };

/**
 * Places actions left to right: each one column after the last action it depends on, so that time reads as direction.
 * An edge over several columns gets a lane in each of them and never crosses a node.
 */
export function layoutFlow(inputs: readonly FlowInput[]): FlowLayout {
  const known = new Map(inputs.map((input) => [input.id, input]));
  const columnOf = columnsOf(known);
  const columns: Slot[][] = [];
  const put = (column: number, slot: Slot) => {
    columns[column] ??= [];
    columns[column].push(slot);
  };
  const routes: { from: string; to: string; via: string[] }[] = [];
  for (const { id, dependsOn } of inputs) {
    const slot: Slot = { key: id, size: NODE_HEIGHT, before: [] };
    const column = columnOf.get(id) ?? 0;
    for (const from of new Set(dependsOn)) {
      const start = columnOf.get(from);
      if (start === undefined || start >= column) continue;
      const via: string[] = [];
      for (let passed = start + 1; passed < column; passed += 1) {
        const lane = `${from}>${id}@${passed}`;
        put(passed, { key: lane, size: LANE, before: [via.at(-1) ?? from] });
        via.push(lane);
      }
      slot.before.push(via.at(-1) ?? from);
      routes.push({ from, to: id, via });
    }
    put(column, slot);
  }
  order(columns);
  return place(columns, routes);
}

/** Above this many nodes a small map helps to find one's way; it has a strip of its own and hides nothing. */
const MANY_NODES = 20;
export const MAP_HEIGHT = 72;
/** Under the drawing, for the controls. */
const STRIP = 16;

export function needsMap({ positions }: FlowLayout): boolean {
  return positions.size > MANY_NODES;
}

/** Height the graph takes on the screen, without and with the strip of the map. */
export function drawingHeight({ height }: FlowLayout): number {
  return Math.min(height + 2 * MARGIN, TALLEST);
}

export function flowHeight(layout: FlowLayout): number {
  return drawingHeight(layout) + (needsMap(layout) ? MAP_HEIGHT : 0) + STRIP;
}

/** Longest way from a start; an action in a circle, which the server refuses, counts as a start. */
function columnsOf(known: ReadonlyMap<string, FlowInput>): Map<string, number> {
  const columns = new Map<string, number>();
  const visiting = new Set<string>();
  function visit(id: string): number {
    const done = columns.get(id);
    if (done !== undefined) return done;
    if (visiting.has(id)) return -1;
    visiting.add(id);
    const before = (known.get(id)?.dependsOn ?? []).filter((each) => known.has(each)).map(visit);
    const column = Math.max(-1, ...before) + 1;
    columns.set(id, column);
    return column;
  }
  for (const id of known.keys()) visit(id);
  return columns;
}

/** Sorts each column by where its slots come from, then by where they lead, so that few edges cross. */
function order(columns: Slot[][]): void {
  const after = new Map<string, string[]>();
  for (const { key, before } of columns.flat()) {
    for (const each of before) after.set(each, [...(after.get(each) ?? []), key]);
  }
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (let at = 1; at < columns.length; at += 1) sortBy(columns[at], columns[at - 1], ({ before }) => before);
    for (let at = columns.length - 2; at >= 0; at -= 1) {
      sortBy(columns[at], columns[at + 1], ({ key }) => after.get(key) ?? []);
    }
  }
}

function sortBy(column: Slot[] = [], neighbours: Slot[] = [], linked: (slot: Slot) => readonly string[]): void {
  const rank = new Map(neighbours.map(({ key }, index) => [key, index]));
  const weights = new Map(
    column.map((slot, index) => {
      const ranks = linked(slot).flatMap((key) => rank.get(key) ?? []);
      return [slot, ranks.length === 0 ? index : ranks.reduce((sum, each) => sum + each, 0) / ranks.length];
    }),
  );
  column.sort((a, b) => (weights.get(a) ?? 0) - (weights.get(b) ?? 0));
}

function place(columns: readonly Slot[][], routes: readonly { from: string; to: string; via: string[] }[]): FlowLayout {
  const heights = columns.map((column) => column.reduce((sum, { size }) => sum + size + GAP_Y, -GAP_Y));
  const height = Math.max(NODE_HEIGHT, ...heights);
  const middles = new Map<string, Point>();
  columns.forEach((column, index) => {
    let y = (height - (heights[index] ?? 0)) / 2;
    for (const { key, size } of column) {
      middles.set(key, { x: index * (NODE_WIDTH + GAP_X), y: y + size / 2 });
      y += size + GAP_Y;
    }
  });
  const at = (key: string): Point => middles.get(key) ?? { x: 0, y: 0 };
  const edges = routes.map(({ from, to, via }) => ({
    from,
    to,
    points: [rightOf(at(from)), ...via.flatMap((lane) => [at(lane), rightOf(at(lane))]), at(to)],
  }));
  const nodes = columns.flat().filter(({ size }) => size === NODE_HEIGHT);
  return {
    positions: new Map(nodes.map(({ key }) => [key, { x: at(key).x, y: at(key).y - NODE_HEIGHT / 2 }])),
    edges,
    width: Math.max(1, columns.length) * (NODE_WIDTH + GAP_X) - GAP_X,
    height,
  };
}

function rightOf({ x, y }: Point): Point {
  return { x: x + NODE_WIDTH, y };
}
