import type { PlaybookCalls } from './playbooks-repository.ts';

/** Names of the playbooks on the way from one to another by what they start; undefined when there is no way. */
export function callsLeadingTo(
  target: string,
  from: string,
  published: ReadonlyMap<string, PlaybookCalls>,
): string[] | undefined {
  const cameFrom = new Map<string, string | null>([[from, null]]);
  const open = [from];
  for (let id = open.shift(); id !== undefined; id = open.shift()) {
    for (const { playbook_id: next } of published.get(id)?.calls ?? []) {
      if (next === target) return wayTo(id, cameFrom).map((one) => published.get(one)?.name ?? one);
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, id);
      open.push(next);
    }
  }
  return undefined;
}

function wayTo(end: string, cameFrom: ReadonlyMap<string, string | null>): string[] {
  const way: string[] = [];
  for (let id: string | null = end; id !== null; id = cameFrom.get(id) ?? null) way.unshift(id);
  return way;
}
