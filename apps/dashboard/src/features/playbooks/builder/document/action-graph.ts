/** Questions about which action waits for which. */
import type { JsonObject } from '@airdeck/contracts/fields';
import { dependenciesOf } from './builder-action.ts';

type Waiting = JsonObject & { readonly id: string };

/** Everything that is over before the action begins, nearest first. */
export function upstreamOf(actions: readonly Waiting[], id: string): string[] {
  const byId = new Map(actions.map((action) => [action.id, action]));
  const found = new Set<string>();
  const open = [...dependenciesOf(byId.get(id) ?? {})];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    if (found.has(next) || !byId.has(next)) continue;
    found.add(next);
    open.push(...dependenciesOf(byId.get(next) ?? {}));
  }
  found.delete(id);
  return [...found];
}

/** The circle that would close if `to` ran after `from`, as the ids along it; undefined when there is none. */
export function circleThrough(
  actions: readonly Waiting[],
  { from, to }: { from: string; to: string },
): string[] | undefined {
  if (from === to) return [from, to];
  const byId = new Map(actions.map((action) => [action.id, action]));
  const cameFrom = new Map<string, string>();
  const open = [from];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    for (const before of dependenciesOf(byId.get(next) ?? {})) {
      if (cameFrom.has(before) || before === from) continue;
      cameFrom.set(before, next);
      if (before === to) return [from, to, ...wayBack(cameFrom, to, from)];
      open.push(before);
    }
  }
  return undefined;
}

function wayBack(cameFrom: ReadonlyMap<string, string>, start: string, end: string): string[] {
  const way: string[] = [];
  for (let at = cameFrom.get(start); at !== undefined; at = cameFrom.get(at)) {
    way.push(at);
    if (at === end) break;
  }
  return way;
}

/** The members of one circle, in order; undefined when nothing waits for itself. */
export function findCircle(actions: readonly Waiting[]): string[] | undefined {
  const byId = new Map(actions.map((action) => [action.id, action]));
  const done = new Set<string>();
  for (const { id } of actions) {
    const path: { id: string; left: string[] }[] = [];
    const enter = (next: string) => path.push({ id: next, left: [...dependenciesOf(byId.get(next) ?? {})] });
    if (!done.has(id)) enter(id);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.left.shift();
      if (next === undefined) {
        done.add(top.id);
        path.pop();
        continue;
      }
      const at = path.findIndex((step) => step.id === next);
      if (at >= 0) return path.slice(at).map((step) => step.id);
      if (byId.has(next) && !done.has(next)) enter(next);
    }
  }
  return undefined;
}
