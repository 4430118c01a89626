/**
 * What a policy finds while it opens too many cases (`policies/policy-pace.ts`): all of it in one case, which starts no
 * response. So neither a policy that groups by what is always new, nor one whose response makes the events it looks for,
 * goes on without end, and the others of a batch do not wait for it: its groups cost a few statements together.
 *
 * What always holds: a match belongs to one case at most, as everywhere; one such case of a policy is open at a time.
 */
import type { Tx } from '../../storage/schema.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { COLLECTED_GROUP } from '../cases/case-openings.ts';
import {
  type CountingGroup,
  moveEvents,
  type OpenerDependencies,
  openCase,
  suppressionsOf,
  type Taken,
  type Target,
  takenFrom,
} from './case-opener.ts';
import { freeMatches, suppressGroups } from './detection-repository.ts';

/** A group whose case would be one too many, and from when on its free matches count. */
export type CollectedGroup = { readonly group: CountingGroup; readonly from: Date; readonly throttledUntil: Date };

type Dependencies = Omit<OpenerDependencies, 'responses'>;

/** In the order of the groups, which is that of their policies: whoever needs the cases of several takes them alike. */
export async function collectGroups(deps: Dependencies, tx: Tx, groups: readonly CollectedGroup[]): Promise<void> {
  const byPolicy = new Map<string, CollectedGroup[]>();
  for (const one of groups) {
    const own = byPolicy.get(one.group.policyId);
    if (own === undefined) byPolicy.set(one.group.policyId, [one]);
    else own.push(one);
  }
  for (const own of byPolicy.values()) await collectOfPolicy(deps, tx, own);
}

async function collectOfPolicy(deps: Dependencies, tx: Tx, groups: readonly CollectedGroup[]): Promise<void> {
  const [some] = groups;
  if (some === undefined) return;
  const { tenant, policyId, rule, countsFrom } = some.group;
  const scope = trustedTenantScope(tenant);
  const free = await freeMatches(tx, scope, {
    policyId,
    countsFrom,
    groups: groups.map(({ group, from }) => ({ groupKey: group.groupKey, from, after: group.suppressedUntil })),
  });
  const complete = groups.flatMap(({ group }, order): { group: CountingGroup; taken: Taken }[] => {
    const taken = takenFrom(rule, free[order] ?? []);
    return taken === undefined ? [] : [{ group, taken }];
  });
  const matches = complete
    .flatMap(({ taken }) => taken.matches)
    .sort((a, b) => a.event_time.getTime() - b.event_time.getTime());
  const [first] = matches;
  if (first === undefined) return;
  const target = await collectingCase(deps, tx, some, first.event_time);
  await moveEvents(deps, tx, target, matches);
  await suppressGroups(tx, scope, { policyId, groups: suppressionsOf(complete) });
  if (target.isNew) await deps.policies.markOpened(tx, scope, { id: policyId, at: deps.now() });
}

async function collectingCase(
  deps: Dependencies,
  tx: Tx,
  { group, throttledUntil }: CollectedGroup,
  openedAt: Date,
): Promise<Target> {
  const { tenant, policyId, rule } = group;
  const [known] = await deps.cases.findOpen(tx, [{ tenant, policyId, groupKey: COLLECTED_GROUP }]);
  if (known !== undefined) return { ...known, isNew: false };
  const { name } = rule;
  const collecting = {
    ...group,
    groupKey: COLLECTED_GROUP,
    groupValues: {},
    rule: { ...rule, name: `${name} (too many cases)` },
  };
  const until = throttledUntil.toISOString().slice(0, 16).replace('T', ' ');
  const text = `Policy ${name} opened too many cases within an hour. Until ${until} UTC what else it finds is collected here and starts nothing. Narrow what it looks for, or what it groups by: with a change it begins anew.`;
  return await openCase(deps, tx, collecting, { openedAt, text });
}
