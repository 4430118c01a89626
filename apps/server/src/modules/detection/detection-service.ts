/**
 * From matches to cases, in the transaction that makes the events durable.
 *
 * Terms: a match is one event that fits one policy; a group is all matches of a policy with the same group values; a
 * match is free until a case has it.
 *
 * What always holds:
 * - A match is recorded once per policy and event, and belongs to one case at most. Only newly recorded matches count,
 *   so a batch that is applied again changes nothing.
 * - Everything about a group happens under the lock of its row, taken first and in one order for all groups of a batch.
 *   Any number of processes see the same counts, and none misses the match that fills a threshold.
 * - A group has one open case at most. While it is open, every new match goes into it. Without one, the earliest window
 *   of event time that reaches the threshold, or the earliest completed sequence, opens one, which takes all free matches
 *   from its start on. A policy that opened too many cases lately opens one more, for all of its groups.
 * - A sequence has no state of its own: the steps an event fits stand with its match, and every batch looks again, where
 *   a match of each step is there, at all free matches around it. A step that comes late, or before the one it follows, is
 *   found all the same.
 * - Time is event time: late and out-of-order events count where they belong, as long as the free matches around them
 *   are kept (`MATCH_RETENTION_DAYS` after they were received, more than the longest threshold window by a day).
 *
 * One exception to the first: a policy keeps `FREE_MATCHES_PER_POLICY` matches that wait for their group to fill, and drops
 * the oldest beyond that (`match-limit.ts`). An event whose match was dropped counts again if it is sent again.
 *
 * A crash rolls the batch back as a whole; the sender or the batch's recovery applies it again.
 */
import type { StoredEvent } from '@airdeck/contracts/events/event';
import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { completionOf } from '@airdeck/detection/counting/completion';
import { compileField, identityOf, textsOf } from '@airdeck/detection/field-values';
import { charactersOf, type PieceBounds, piecesOf } from '../../event-weight.ts';
import type { Tx } from '../../storage/schema.ts';
import type { CaseOpenings, OpenCase } from '../cases/case-openings.ts';
import type { DetectionPolicies } from '../policies/policies-service.ts';
import type { RuleResponses } from '../rule-responses/rule-responses-port.ts';
import { type CollectedGroup, collectGroups } from './case-collector.ts';
import { type CaseOpener, createCaseOpener } from './case-opener.ts';
import type { PolicyMatch } from './detection-port.ts';
import { insertMatches, lockGroups, type NewMatch } from './detection-repository.ts';
import { groupBatch, groupName, type MatchedGroup, storedGroupKey } from './group-batch.ts';
import { groupsWithEnough } from './group-counts.ts';
import type { MatchLimit } from './match-limit.ts';
import { addTallies, talliesOf } from './match-tallies.ts';

type Dependencies = {
  policies: Pick<DetectionPolicies, 'byIds' | 'markOpened'>;
  cases: CaseOpenings;
  responses: RuleResponses;
  limit: Pick<MatchLimit, 'recorded'>;
  now: () => Date;
};

/** A group of the batch with all that was found out about it under its lock. */
type LockedGroup = MatchedGroup & {
  readonly rule: PolicyRule;
  readonly suppressedUntil: Date | null;
  /** Until when its policy opens no more cases. */
  readonly throttledUntil: Date | undefined;
  readonly countsFrom: Date | null;
  readonly openCase: OpenCase | undefined;
};

/** A locked group together with those of its events that had not been recorded before. */
type FreshGroup = LockedGroup & { readonly fresh: readonly StoredEvent[] };

/** Of a match whose event stands elsewhere. */
const ROW_CHARACTERS = 500;
/** One insert becomes one text of JSON, which stops everything else while it is made. */
const rowsAtOnce: PieceBounds<NewMatch> = {
  items: 2_000,
  characters: 8_000_000,
  weigh: ({ event }) => (event === null ? ROW_CHARACTERS : charactersOf(event)),
};

export function createMatchApplier(deps: Dependencies): (tx: Tx, matches: readonly PolicyMatch[]) => Promise<void> {
  const opener = createCaseOpener(deps);
  return async (tx, matches) => {
    if (matches.length === 0) return;
    const groups = await lockedGroups(deps, tx, groupBatch(matches));
    const fresh = await recordMatches(tx, groups);
    const additions = fresh.flatMap(({ openCase, fresh: events }) =>
      openCase === undefined ? [] : [{ tenant: openCase.tenant, caseId: openCase.caseId, events }],
    );
    await deps.cases.addEvents(tx, additions, { initial: false });
    const counting = fresh.filter((group) => group.openCase === undefined);
    await openFilledGroups({ ...deps, opener }, tx, counting);
    for (const group of counting) deps.limit.recorded(group, group.fresh.length);
    await addTallies(tx, talliesOf(fresh));
  };
}

/** Leaves out what belongs to policies that were switched off or deleted since the events were matched. */
async function lockedGroups(deps: Dependencies, tx: Tx, groups: readonly MatchedGroup[]): Promise<LockedGroup[]> {
  const policies = await deps.policies.byIds(tx, [...new Set(groups.map((group) => group.policyId))]);
  const byId = new Map(policies.map((policy) => [policy.id, policy]));
  const live = groups.flatMap((group) => {
    const policy = byId.get(group.policyId);
    return policy?.enabled === true && policy.tenant === group.tenant
      ? [{ ...group, rule: policy.rule, throttledUntil: policy.throttledUntil, countsFrom: policy.countsFrom }]
      : [];
  });
  if (live.length === 0) return [];
  const states = new Map((await lockGroups(tx, live)).map((state) => [groupName(state), state.suppressedUntil]));
  const open = new Map((await deps.cases.findOpen(tx, live)).map((one) => [groupName(one), one]));
  return live.map((group) => ({
    ...group,
    suppressedUntil: states.get(groupName(group)) ?? null,
    openCase: open.get(groupName(group)),
  }));
}

/** Writes the batch's matches; only groups with at least one that is new come back. */
async function recordMatches(tx: Tx, groups: readonly LockedGroup[]): Promise<FreshGroup[]> {
  const rows = groups.flatMap((group) => {
    const distinctOf = distinctReader(group.rule);
    return [...group.events.values()].map((event) => ({
      tenant: group.tenant,
      policyId: group.policyId,
      groupKey: group.groupKey,
      eventId: event.id,
      eventTime: new Date(event.time).toISOString(),
      distinctValue: distinctOf(event),
      steps: group.steps.get(event.id) ?? 1,
      // The case keeps the event itself, or has enough of them; a second copy would only wait to be deleted.
      event: group.openCase === undefined ? event : null,
      caseId: group.openCase?.caseId ?? null,
    }));
  });
  const recorded = new Set<string>();
  for (const piece of piecesOf(rows, rowsAtOnce)) {
    const inserted = await insertMatches(tx, piece);
    for (const { policy_id, event_id } of inserted) recorded.add(`${policy_id}/${event_id}`);
  }
  return groups.flatMap((group) => {
    const fresh = [...group.events.values()].filter((event) => recorded.has(`${group.policyId}/${event.id}`));
    return fresh.length === 0 ? [] : [{ ...group, fresh }];
  });
}

/** Counts all groups with one query, and looks closely only at those that can be complete. */
async function openFilledGroups(
  deps: Dependencies & { opener: CaseOpener },
  tx: Tx,
  groups: readonly FreshGroup[],
): Promise<void> {
  const requests = groups.map((group, order) => {
    const plan = completionOf(group.rule.logic);
    const times = group.fresh.map((event) => event.time);
    return {
      order,
      tenant: group.tenant,
      policyId: group.policyId,
      groupKey: group.groupKey,
      from: new Date(minOf(times) - plan.withinMs).toISOString(),
      to: new Date(maxOf(times) + plan.withinMs).toISOString(),
      after: group.suppressedUntil?.toISOString() ?? null,
      since: group.countsFrom?.toISOString() ?? null,
      distinct: plan.kind === 'count' && plan.distinct,
      count: plan.kind === 'count' ? plan.count : 1,
      steps: plan.kind === 'count' ? 0 : plan.steps,
      anyOrder: plan.kind === 'sequence' && plan.anyOrder === true,
    };
  });
  const enough = await groupsWithEnough(tx, requests);
  const throttledUntil = new Map(groups.map((group) => [group.policyId, group.throttledUntil]));
  const collected: CollectedGroup[] = [];
  for (const [order, group] of groups.entries()) {
    const request = requests[order];
    if (request === undefined || !enough.has(order)) continue;
    const from = new Date(request.from);
    const until = throttledUntil.get(group.policyId);
    if (until === undefined) throttledUntil.set(group.policyId, await deps.opener.tryToOpen(tx, group, from));
    else collected.push({ group, from, throttledUntil: until });
  }
  await collectGroups(deps, tx, collected);
}

/**
 * Values come from logs and may be as long as keys of groups, and an index holds them too: long ones are kept the same way.
 * Cut off, two that begin alike would count as one.
 */
function distinctReader(rule: PolicyRule): (event: StoredEvent) => string | null {
  const field = rule.logic.threshold?.distinct_field;
  if (field === undefined) return () => null;
  const read = compileField(field);
  return (event) => {
    const value = identityOf(textsOf(read(event)));
    return value === undefined ? null : storedGroupKey(value);
  };
}

// Math.min(...times) would overflow the stack on a batch of a hundred thousand events.
function minOf(numbers: readonly number[]): number {
  return numbers.reduce((least, number) => Math.min(least, number), Number.POSITIVE_INFINITY);
}

function maxOf(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), Number.NEGATIVE_INFINITY);
}
