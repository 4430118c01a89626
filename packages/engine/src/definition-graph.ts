/** Questions about who depends on whom. Nodes that do not exist are ignored; they are reported elsewhere. */
import { type CompiledDefinition, dependenciesOf } from './definition.ts';

export type Graph = ReadonlyMap<string, readonly string[]>;

/** Members of each cycle, in order, the first one repeated nowhere. Every action is part of at most one reported cycle. */
export function cyclesIn(graph: Graph): string[][] {
  const state = new Map<string, 'open' | 'done'>();
  const cycles: string[][] = [];
  for (const root of graph.keys()) {
    if (!state.has(root)) visit(root, graph, state, cycles);
  }
  return cycles;
}

/** Depth first without recursion: a chain may be as long as a definition. */
function visit(root: string, graph: Graph, state: Map<string, 'open' | 'done'>, cycles: string[][]): void {
  const path: { id: string; next: number }[] = [{ id: root, next: 0 }];
  state.set(root, 'open');
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const dependency = graph.get(top.id)?.[top.next];
    top.next += 1;
    if (dependency === undefined) {
      state.set(top.id, 'done');
      path.pop();
    } else if (state.get(dependency) === 'open') {
      const from = path.findIndex(({ id }) => id === dependency);
      cycles.push(path.slice(from).map(({ id }) => id));
    } else if (!state.has(dependency) && graph.has(dependency)) {
      state.set(dependency, 'open');
      path.push({ id: dependency, next: 0 });
    }
  }
}

/** Everything that is settled before the action is looked at. */
export function ancestorsOf(id: string, graph: Graph): Set<string> {
  const found = new Set<string>();
  const open = [...(graph.get(id) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(graph.get(next) ?? []));
  }
  return found;
}

const known = new WeakMap<CompiledDefinition, ReadonlyMap<string, ReadonlySet<string>>>();

/** `ancestorsOf` of each of its actions. */
export function ancestryOf(compiled: CompiledDefinition): ReadonlyMap<string, ReadonlySet<string>> {
  const found = known.get(compiled);
  if (found) return found;
  const graph: Graph = new Map(compiled.nodes.map((node) => [node.id, dependenciesOf(node)]));
  const ancestry = new Map([...graph.keys()].map((id) => [id, ancestorsOf(id, graph)]));
  known.set(compiled, ancestry);
  return ancestry;
}
