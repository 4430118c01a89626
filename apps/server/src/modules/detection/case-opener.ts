import type { StoredEvent } from '@airdeck/contracts/events/event';
import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { completionOf, findComplete, inOrder, marksOf } from '@airdeck/detection/counting/completion';
import { formatDuration } from '@airdeck/domain/duration';
import type { Tx } from '../../storage/schema.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import type { CaseOpenings, OpenCase } from '../cases/case-openings.ts';
import type { DetectionPolicies } from '../policies/policies-service.ts';
import type { RuleResponses } from '../rule-responses/rule-responses-port.ts';
import { type FreeMatch, freeMatches, giveToCase, suppressGroups } from './detection-repository.ts';
import { type MatchedGroup, stepsOfBits } from './group-batch.ts';

/** A group of the batch under its lock, without an open case when the lock was taken. */
export type CountingGroup = MatchedGroup & {
  readonly rule: PolicyRule;
  readonly suppressedUntil: Date | null;
  /** Matches recorded before count no more; null for none. */
  readonly countsFrom: Date | null;
};

export interface CaseOpener {
  /**
   * Opens a case if the free matches of the group from `from` on reach the threshold or go through the sequence. Returns
   * until when the policy opens no more.
   */
  tryToOpen(tx: Tx, group: CountingGroup, from: Date): Promise<Date | undefined>;
}

export type OpenerDependencies = {
  policies: Pick<DetectionPolicies, 'markOpened'>;
  cases: CaseOpenings;
  responses: RuleResponses;
  now: () => Date;
};

const EVENTS_PER_MOVE = 1_000;

export function createCaseOpener(deps: OpenerDependencies): CaseOpener {
  return {
    async tryToOpen(tx, group, from) {
      const scope = trustedTenantScope(group.tenant);
      const { policyId, groupKey } = group;
      const [free = []] = await freeMatches(tx, scope, {
        ...{ policyId, countsFrom: group.countsFrom },
        groups: [{ groupKey, from, after: group.suppressedUntil }],
      });
      const taken = takenFrom(group.rule, free);
      return taken === undefined ? undefined : await openWith(deps, tx, group, taken);
    },
  };
}

/** What a case takes: the match that completed it, and all from the first one of those that did on. */
export type Taken = { readonly trigger: FreeMatch; readonly matches: readonly FreeMatch[] };

export function takenFrom({ logic }: PolicyRule, free: readonly FreeMatch[]): Taken | undefined {
  const marks = free.flatMap(({ event_id: eventId, event_time: time, distinct_value: value, steps }) =>
    marksOf({ eventId, timeMs: time.getTime(), value }, stepsOfBits(steps)),
  );
  const complete = findComplete(inOrder(marks), completionOf(logic));
  if (complete === undefined) return undefined;
  const ids = new Set(complete.map(({ eventId }) => eventId));
  const first = free.findIndex((match) => ids.has(match.event_id));
  const trigger = free.find((match) => match.event_id === complete.at(-1)?.eventId);
  return trigger && { trigger, matches: free.slice(first) };
}

async function openWith(
  deps: OpenerDependencies,
  tx: Tx,
  group: CountingGroup,
  taken: Taken,
): Promise<Date | undefined> {
  const scope = trustedTenantScope(group.tenant);
  const { policyId, rule } = group;
  const [first] = taken.matches;
  if (first === undefined) return undefined;
  const text = openingText(rule, taken.matches.length);
  const opened = await openCase(deps, tx, group, { openedAt: first.event_time, text });
  const firstEvent = await moveEvents(deps, tx, opened, taken.matches);
  await suppressGroups(tx, scope, { policyId, groups: suppressionsOf([{ group, taken }]) });
  if (!opened.isNew || firstEvent === undefined) return undefined;
  const throttledUntil = await deps.policies.markOpened(tx, scope, { id: policyId, at: deps.now() });
  await deps.responses.onCaseOpened(tx, {
    tenant: group.tenant,
    caseId: opened.caseId,
    reference: opened.reference,
    policyId,
    policyName: rule.name,
    severity: rule.severity,
    groupValues: group.groupValues,
    event: firstEvent,
  });
  return throttledUntil;
}

/** Until when groups are quiet after what a case took of them, where their policy says so. */
export function suppressionsOf(
  groups: readonly { group: CountingGroup; taken: Taken }[],
): { groupKey: string; until: Date }[] {
  return groups.flatMap(({ group, taken }) => {
    const suppressS = group.rule.logic.suppress_for_s ?? 0;
    if (suppressS === 0) return [];
    return { groupKey: group.groupKey, until: new Date(taken.trigger.event_time.getTime() + suppressS * 1000) };
  });
}

export type Target = OpenCase & { isNew: boolean };

/** A person may have reopened the group's old case since it was looked for; then the events belong there. */
export async function openCase(
  deps: Pick<OpenerDependencies, 'cases'>,
  tx: Tx,
  group: CountingGroup,
  { openedAt, text }: { openedAt: Date; text: string },
): Promise<Target> {
  const { tenant, policyId, groupKey, groupValues, rule } = group;
  const opened = await deps.cases.open(tx, {
    tenant,
    policyId,
    groupKey,
    groupValues,
    policyName: rule.name,
    description: rule.description,
    policyOrigin: rule.origin,
    severity: rule.severity,
    category: rule.logic.source.event_type || eventTypeOf(group),
    openedAt,
    text,
  });
  if (opened !== undefined) return { ...opened, isNew: true };
  const [reopened] = await deps.cases.findOpen(tx, [{ tenant, policyId, groupKey }]);
  if (reopened === undefined) throw new Error('The group has an open case that cannot be found.');
  return { ...reopened, isNew: false };
}

/** Returns the first event. */
export async function moveEvents(
  deps: Pick<OpenerDependencies, 'cases'>,
  tx: Tx,
  target: Target,
  taken: readonly FreeMatch[],
): Promise<StoredEvent | undefined> {
  const scope = trustedTenantScope(target.tenant);
  let first: StoredEvent | undefined;
  for (let from = 0; from < taken.length; from += EVENTS_PER_MOVE) {
    const eventIds = taken.slice(from, from + EVENTS_PER_MOVE).map((match) => match.event_id);
    const events = await giveToCase(tx, scope, { policyId: target.policyId, eventIds, caseId: target.caseId });
    first ??= events[0];
    const { tenant, caseId } = target;
    await deps.cases.addEvents(tx, [{ tenant, caseId, events }], { initial: target.isNew });
  }
  return first;
}

function eventTypeOf(group: CountingGroup): string {
  const [event] = group.events.values();
  return event?.event_type ?? '';
}

function openingText(rule: PolicyRule, count: number): string {
  const events = count === 1 ? '1 matching event' : `${count} matching events`;
  const { threshold, sequence } = rule.logic;
  if (sequence !== undefined) {
    const order = sequence.any_order === true ? 'in any order' : 'in their order';
    const within = formatDuration(sequence.within_s);
    return `Opened by policy ${rule.name}: ${events} (all ${sequence.steps.length} steps ${order} within ${within})`;
  }
  if (threshold === undefined) return `Opened by policy ${rule.name}: ${events}`;
  const what = threshold.distinct_field === undefined ? '' : ` different ${threshold.distinct_field}`;
  return `Opened by policy ${rule.name}: ${events} (threshold ${threshold.count}${what} within ${formatDuration(threshold.within_s)})`;
}
