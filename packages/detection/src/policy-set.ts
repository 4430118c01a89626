import type { ParsedEvent } from '@airdeck/contracts/events/event';
import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { createFieldSlots, type EventValues, type FieldSlots, readEvent } from './event-values.ts';
import { type CompiledRule, compileFilterAndGroup, type Group } from './filter-and-group/compile.ts';
import type { PolicyProblem } from './filter-and-group/criteria.ts';
import { createGramIndex, type GramIndex } from './filter-and-group/gram-index.ts';

/** What detection needs to know of a policy. */
export type PolicySource = { readonly id: string; readonly rule: PolicyRule };

/** A policy an event fits, with the group it counts for. */
export type PolicyHit = Group & { readonly policyId: string };

/**
 * Policies made ready for many events: routed by their source, then by a text they ask for, so that an event is
 * held against the few policies that can fit it. Immutable; safe to share.
 */
export type CompiledPolicySet = {
  /** Policies that could not be compiled and are not in the set. */
  readonly problems: readonly (PolicyProblem & { readonly policyId: string })[];
  /** How many policies are in the set. */
  readonly size: number;
  readonly slots: FieldSlots;
  readonly routes: ReadonlyMap<string, Route>;
};

type Entry = CompiledRule & { readonly id: string; readonly order: number };

type Route = {
  /** Policies by what they require of a field; those that require nothing known are always tried. */
  readonly byField: readonly {
    readonly slot: number;
    readonly byValue: ReadonlyMap<string, readonly Entry[]>;
    readonly byPart: GramIndex<Entry> | undefined;
  }[];
  readonly always: readonly Entry[];
};

/** Compiles all policies; those with problems are left out and every problem is reported. */
export function compilePolicies(policies: readonly PolicySource[]): CompiledPolicySet {
  const slots = createFieldSlots();
  const entriesByRoute = new Map<string, Entry[]>();
  const problems: (PolicyProblem & { policyId: string })[] = [];
  let size = 0;
  for (const [order, { id, rule }] of policies.entries()) {
    const own: PolicyProblem[] = [];
    const compiled = compileFilterAndGroup(rule, { slots, problems: own });
    if (own.length > 0) {
      problems.push(...own.map((problem) => ({ ...problem, policyId: id })));
      continue;
    }
    const { connector_definition_id: integration, event_type: eventType } = rule.logic.source;
    const key = routeKey(integration, eventType);
    const entries = entriesByRoute.get(key);
    if (entries === undefined) entriesByRoute.set(key, [{ ...compiled, id, order }]);
    else entries.push({ ...compiled, id, order });
    size += 1;
  }
  const routes = new Map([...entriesByRoute].map(([key, entries]) => [key, routeOf(entries, slots)] as const));
  return { problems, size, slots, routes };
}

/**
 * The policies of the set that an event fits, in the order they were compiled.
 *
 * Pure; cost grows with the policies of the event's source that share one of its texts, not with the whole set.
 */
export function evaluate(set: CompiledPolicySet, event: ParsedEvent): PolicyHit[] {
  const values = readEvent(event, set.slots.readers);
  const hits: (PolicyHit & { order: number })[] = [];
  for (const key of routeKeysOf(event)) {
    const route = set.routes.get(key);
    if (route === undefined) continue;
    for (const entry of candidatesOf(route, values)) {
      const group = entry.groupOf(values);
      if (group !== undefined) hits.push({ policyId: entry.id, ...group, order: entry.order });
    }
  }
  if (hits.length > 1) hits.sort((a, b) => a.order - b.order);
  return hits.map(({ policyId, groupKey, groupValues }) => ({ policyId, groupKey, groupValues }));
}

/** Everything that keeps a rule from running, with paths inside the rule; empty when it can run. */
export function validatePolicy(rule: Pick<PolicyRule, 'logic'>): PolicyProblem[] {
  const problems: PolicyProblem[] = [];
  compileFilterAndGroup(rule, { slots: createFieldSlots(), problems });
  return problems;
}

function routeOf(entries: readonly Entry[], slots: FieldSlots): Route {
  const always = entries.filter((entry) => entry.required === undefined);
  const fields = new Set(entries.flatMap((entry) => entry.required?.field ?? []));
  const byField = [...fields].map((field) => {
    const own = entries.filter((entry) => entry.required?.field === field);
    return { slot: slots.slotOf(field), byValue: valueIndexOf(own), byPart: partIndexOf(own) };
  });
  return { byField, always };
}

function valueIndexOf(entries: readonly Entry[]): Map<string, Entry[]> {
  const index = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (entry.required?.whole !== true) continue;
    for (const text of entry.required.texts) {
      const filed = index.get(text);
      if (filed === undefined) index.set(text, [entry]);
      else filed.push(entry);
    }
  }
  return index;
}

function partIndexOf(entries: readonly Entry[]): GramIndex<Entry> | undefined {
  const filed = entries.flatMap((item) =>
    item.required?.whole === false ? [{ texts: item.required.texts, item }] : [],
  );
  return filed.length === 0 ? undefined : createGramIndex(filed);
}

function candidatesOf(route: Route, values: EventValues): Iterable<Entry> {
  if (route.byField.length === 0) return route.always;
  const found = new Set<Entry>(route.always);
  for (const { slot, byValue, byPart } of route.byField) {
    for (const text of values.lowered(slot)) {
      for (const entry of byValue.get(text) ?? []) found.add(entry);
      byPart?.collect(text, found);
    }
  }
  return found;
}

/** Empty means any, on either place; the separator cannot stand in a slug. */
function routeKey(integration: string, eventType: string): string {
  return `${integration.toLowerCase()}\n${eventType.toLowerCase()}`;
}

function routeKeysOf(event: ParsedEvent): Set<string> {
  return new Set([
    routeKey(event.integration, event.event_type),
    routeKey(event.integration, ''),
    routeKey('', event.event_type),
    routeKey('', ''),
  ]);
}
