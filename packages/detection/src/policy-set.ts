import type { ParsedEvent } from '@airdeck/contracts/events/event';
import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { createFieldSlots, type EventValues, type FieldSlots, readEvent } from './event-values.ts';
import { type CompiledRule, compileFilterAndGroup, type Group } from './filter-and-group/compile.ts';
import type { PolicyProblem } from './filter-and-group/criteria.ts';
import { createGramIndex, type GramIndex } from './filter-and-group/gram-index.ts';
import { criteriaOfMatches, sourcesOfMatches } from './filter-and-group/matched-events.ts';
import { createKeptSpending, createSpending } from './filter-and-group/policy-spending.ts';
import {
  cheapest,
  type RequiredText,
  type Requirement,
  requirementsOf,
  type TextFrequency,
  textsRequiredIn,
} from './filter-and-group/prefilter.ts';

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

type Draft = { readonly entry: Entry; readonly rule: PolicyRule; readonly requirements: readonly Requirement[] };

/**
 * Policies by what they require. Where most of them ask for one of a few whole values of the same field (the number of a
 * Windows event), that field comes first, and the rest of an event is held only against the policies of its value.
 */
type Route = {
  readonly slot: number;
  readonly byValue: ReadonlyMap<string, TextRoute>;
  /** Policies that ask for no value of the field. */
  readonly others: TextRoute;
};

type TextRoute = {
  /** By one text each of them requires; those that require nothing known are always tried. */
  readonly byField: readonly {
    readonly slot: number;
    readonly byValue: ReadonlyMap<string, readonly Entry[]>;
    readonly byPart: GramIndex<Entry> | undefined;
  }[];
  readonly always: readonly Entry[];
};

/** Compiles all policies; those with problems are left out and every problem is reported. */
export function compilePolicies(policies: readonly PolicySource[]): CompiledPolicySet {
  const steps = compileInSteps(policies);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/**
 * The same for a set that other work must not wait for: `next` is awaited whenever the slice of time is over. One step is one
 * policy, or the index of one field of a source: some tens of milliseconds for thousands of policies.
 */
export async function compilePoliciesGivingWay(
  policies: readonly PolicySource[],
  slices: { readonly isOver: boolean; next(): Promise<void> },
): Promise<CompiledPolicySet> {
  const steps = compileInSteps(policies);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    if (slices.isOver) await slices.next();
  }
}

function* compileInSteps(policies: readonly PolicySource[]): Generator<void, CompiledPolicySet, void> {
  const slots = createFieldSlots();
  const problems: (PolicyProblem & { policyId: string })[] = [];
  const sound: { entry: Entry; rule: PolicyRule }[] = [];
  for (const [order, { id, rule }] of policies.entries()) {
    const own: PolicyProblem[] = [];
    const compiled = compileFilterAndGroup(rule, { slots, problems: own, spending: createKeptSpending() });
    if (own.length === 0) sound.push({ entry: { ...compiled, id, order }, rule });
    else problems.push(...own.map((problem) => ({ ...problem, policyId: id })));
    yield;
  }
  const frequency = yield* frequencyOf(sound.map(({ rule }) => rule));
  const byRoute = new Map<string, Draft[]>();
  for (const { entry, rule } of sound) {
    const requirements = requirementsOf(criteriaOfMatches(rule.logic), frequency);
    for (const key of routeKeysOfRule(rule)) append(byRoute, key, { entry, rule, requirements });
    yield;
  }
  // Sources that are named together have the same policies; what is made of them is shared.
  const made = new Map<string, Route>();
  const routes = new Map<string, Route>();
  for (const [key, drafts] of byRoute) {
    const name = drafts.map(({ entry }) => entry.order).join();
    const route = made.get(name) ?? (yield* routeOf(drafts, { slots, frequency }));
    made.set(name, route);
    routes.set(key, route);
    yield;
  }
  return { problems, size: sound.length, slots, routes };
}

/**
 * The policies of the set that an event fits, in the order they were compiled.
 *
 * Pure; cost grows with the policies of the event's source that share one of its texts, not with the whole set.
 */
export function evaluate(set: CompiledPolicySet, event: ParsedEvent): PolicyHit[] {
  const steps = evaluateInSteps(set, event);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** A few tenths of a millisecond for comparisons made to be slow. */
const WORK_PER_STEP = 5_000;

/**
 * The same for callers that other work must not wait for: a step ends after every policy whose comparisons took
 * long. What one policy takes is bounded (`policy-spending.ts`), but a tenant may have thousands.
 */
export function* evaluateInSteps(set: CompiledPolicySet, event: ParsedEvent): Generator<void, PolicyHit[], void> {
  const values = readEvent(event, set.slots.readers);
  const candidates = new Set<Entry>();
  for (const key of routeKeysOf(event)) {
    const route = set.routes.get(key);
    if (route !== undefined) collectCandidates(route, values, candidates);
  }
  const hits: (PolicyHit & { order: number })[] = [];
  let work = 0;
  for (const { id, order, groupOf } of candidates) {
    const group = groupOf(values, event);
    if (group !== undefined) hits.push({ policyId: id, ...group, order });
    work += values.spent();
    if (work < WORK_PER_STEP) continue;
    work = 0;
    yield;
  }
  if (hits.length > 1) hits.sort((a, b) => a.order - b.order);
  return hits.map(({ order: _, ...hit }) => hit);
}

/** Everything that keeps a rule from running, with paths inside the rule; empty when it can run. */
export function validatePolicy(rule: Pick<PolicyRule, 'logic'>): PolicyProblem[] {
  const problems: PolicyProblem[] = [];
  compileFilterAndGroup(rule, { slots: createFieldSlots(), problems, spending: createSpending() });
  return problems;
}

/** How many policies ask for each text. */
function* frequencyOf(rules: readonly PolicyRule[]): Generator<void, TextFrequency, void> {
  const counts = new Map<string, number>();
  for (const { logic } of rules) {
    for (const name of new Set(textsRequiredIn(criteriaOfMatches(logic)).map(nameOfText))) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    yield;
  }
  return (required) => counts.get(nameOfText(required)) ?? 0;
}

function nameOfText({ field, text, whole }: RequiredText): string {
  return `${field}\n${whole ? '=' : '~'}${text}`;
}

type RouteContext = { readonly slots: FieldSlots; readonly frequency: TextFrequency };

/** Fewer policies than this are tried about as fast as they are sorted out. */
const MIN_SORTED = 16;

function* routeOf(drafts: readonly Draft[], context: RouteContext): Generator<void, Route, void> {
  const field = commonField(drafts);
  yield;
  if (field === undefined) return { slot: -1, byValue: new Map(), others: yield* textRouteOf(drafts, context) };
  const byValue = new Map<string, Draft[]>();
  const others: Draft[] = [];
  for (const draft of drafts) {
    const required = draft.requirements.find((requirement) => isWholeOf(requirement, field));
    if (required === undefined) others.push(draft);
    for (const { text } of required ?? []) append(byValue, text, draft);
  }
  const routes = new Map<string, TextRoute>();
  for (const [value, own] of byValue) routes.set(value, yield* textRouteOf(own, context));
  return { slot: context.slots.slotOf(field), byValue: routes, others: yield* textRouteOf(others, context) };
}

/** The field of which most policies require a whole value, where that is most of them. */
function commonField(drafts: readonly Draft[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { requirements } of drafts) {
    const fields = requirements.flatMap((one) =>
      one[0] !== undefined && isWholeOf(one, one[0].field) ? one[0].field : [],
    );
    for (const field of new Set(fields)) counts.set(field, (counts.get(field) ?? 0) + 1);
  }
  const [best] = [...counts].sort(([, a], [, b]) => b - a);
  return best !== undefined && best[1] >= MIN_SORTED && best[1] * 2 >= drafts.length ? best[0] : undefined;
}

function isWholeOf(requirement: Requirement, field: string): boolean {
  return requirement.every((one) => one.whole && one.field === field);
}

function* textRouteOf(drafts: readonly Draft[], { slots, frequency }: RouteContext): Generator<void, TextRoute, void> {
  const always: Entry[] = [];
  const fields = new Map<string, { whole: Map<string, Entry[]>; parts: Map<Entry, string[]> }>();
  for (const { entry, requirements } of drafts) {
    const requirement = cheapest(requirements, frequency);
    if (requirement === undefined) always.push(entry);
    for (const { field, text, whole } of requirement ?? []) {
      let filed = fields.get(field);
      if (filed === undefined) {
        filed = { whole: new Map(), parts: new Map() };
        fields.set(field, filed);
      }
      if (whole) append(filed.whole, text, entry);
      else append(filed.parts, entry, text);
    }
    yield;
  }
  const byField: TextRoute['byField'][number][] = [];
  for (const [field, { whole, parts }] of fields) {
    const entries = [...parts].map(([item, texts]) => ({ texts, item }));
    const byPart = entries.length === 0 ? undefined : createGramIndex(entries);
    byField.push({ slot: slots.slotOf(field), byValue: whole, byPart });
    yield;
  }
  return { byField, always };
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function collectCandidates(route: Route, values: EventValues, found: Set<Entry>): void {
  collectByTexts(route.others, values, found);
  if (route.byValue.size === 0) return;
  for (const value of values.lowered(route.slot)) {
    const own = route.byValue.get(value);
    if (own !== undefined) collectByTexts(own, values, found);
  }
}

function collectByTexts(route: TextRoute, values: EventValues, found: Set<Entry>): void {
  for (const entry of route.always) found.add(entry);
  for (const { slot, byValue, byPart } of route.byField) {
    for (const text of values.lowered(slot)) {
      for (const entry of byValue.get(text) ?? NO_ENTRIES) found.add(entry);
      byPart?.collect(text, found);
    }
  }
}

const NO_ENTRIES: readonly Entry[] = [];

/** Empty means any, on either place; the separator cannot stand in a slug. */
function routeKey(integration: string, eventType: string): string {
  return `${integration}\n${eventType}`;
}

function routeKeysOfRule({ logic }: PolicyRule): Set<string> {
  return new Set(
    sourcesOfMatches(logic).map(({ connector_definition_id: integration, event_type: eventType }) =>
      routeKey(integration.toLowerCase(), eventType.toLowerCase()),
    ),
  );
}

function routeKeysOf(event: ParsedEvent): string[] {
  const integration = event.integration.toLowerCase();
  const eventType = event.event_type.toLowerCase();
  const keys = [routeKey('', '')];
  if (integration !== '') keys.push(routeKey(integration, ''));
  if (eventType !== '') keys.push(routeKey('', eventType));
  if (integration !== '' && eventType !== '') keys.push(routeKey(integration, eventType));
  return keys;
}
