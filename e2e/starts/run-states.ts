import type { clientAt } from '../src/api.ts';

type Client = ReturnType<typeof clientAt>;

/** More calls of one tenant than a process lets wait are refused. */
const AT_ONCE = 50;

/** The states these runs are in, each once. */
export async function statesOf(api: Client, tenant: string, runs: readonly string[]): Promise<string[]> {
  const states = new Set<string>();
  for (let from = 0; from < runs.length; from += AT_ONCE) {
    const some = runs.slice(from, from + AT_ONCE);
    const told = await Promise.all(some.map((id) => api.call('playbook-activity.get', { params: { tenant, id } })));
    for (const { summary } of told) states.add(summary.status);
  }
  return [...states];
}
