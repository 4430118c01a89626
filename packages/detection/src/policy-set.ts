import type { ParsedEvent } from '@airdeck/contracts/events/event';
import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { createFieldSlots, type EventValues, type FieldSlots, readEvent } from './event-values.ts';
import { type CompiledRule, compileFilterAndGroup, type Group } from './filter-and-group/compile.ts';
import type { PolicyProblem } from './filter-and-group/criteria.ts';

/** What detection needs to know of a policy. */
export type PolicySource = { readonly id: string; readonly rule: PolicyRule };

/** A policy an event fits, with the group it counts for. */
export type PolicyHit = Group & { readonly policyId: string };

/**
 * Policies made ready for many events: routed by their source, then by an equality they ask for, so that an event is
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
  /** By field slot, then by the lower-case value the field must have. */
  readonly byValue: Map<number, Map<string, Entry[]>>;
  readonly always: Entry[];
};

/** Compiles all policies; those with problems are left out and every problem is reported. */
export function compilePolicies(policies: readonly PolicySource[]): CompiledPolicySet {
  const slots = createFieldSlots();
  const routes = new Map<string, Route>();
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
    const route = routes.get(key) ?? { byValue: new Map(), always: [] };
    routes.set(key, route);
    addTo(route, { ...compiled, id, order }, slots);
    size += 1;
  }
  return { problems, size, slots, routes };
}

/**
 * The policies of the set that an event fits, in the order they were compiled.
 *
 * Pure; cost grows with the policies of the event's source that share one of its values, not with the whole set.
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

function addTo(route: Route, entry: Entry, slots: FieldSlots): void {
  if (entry.required === undefined) {
    route.always.push(entry);
    return;
  }
  const slot = slots.slotOf(entry.required.field);
  const byText = route.byValue.get(slot) ?? new Map<string, Entry[]>();
  route.byValue.set(slot, byText);
  for (const text of entry.required.values) {
    const entries = byText.get(text);
    if (entries === undefined) byText.set(text, [entry]);
    else entries.push(entry);
  }
}

function candidatesOf(route: Route, values: EventValues): Iterable<Entry> {
  if (route.byValue.size === 0) return route.always;
  const found = new Set<Entry>(route.always);
  for (const [slot, byText] of route.byValue) {
    for (const text of values.lowered(slot)) {
      for (const entry of byText.get(text) ?? []) found.add(entry);
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
