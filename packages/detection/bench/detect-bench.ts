/**
 * Evaluation of events against a set of rules of the size and shape that is published, on one thread: events that are records
 * with fields, and lines of text. Everything is parsed beforehand; the bench is about detection alone. On a part of the events
 * each match is compared with the naive reading of the same policies, and the times of both make the ratio.
 */
import { performance } from 'node:perf_hooks';
import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { compileField, type FieldReader } from '../src/field-values.ts';
import { compilePolicies, evaluate, type PolicySource } from '../src/policy-set.ts';
import { importSigma } from '../src/sigma/sigma-import.ts';
import { type NaiveReader, naiveGroups } from '../src/testing/naive-evaluation.ts';

export type DetectBenchOptions = {
  readonly rules: readonly string[];
  readonly structured: readonly ParsedEvent[];
  readonly raw: readonly ParsedEvent[];
  /** How many events of each kind the naive evaluation sees. */
  readonly naiveEvents: number;
  readonly seconds: number;
};

export type DetectBenchResult = {
  readonly rules: number;
  readonly imported_share: number;
  readonly import_s: number;
  readonly load_s: number;
  readonly memory_mb: number;
  readonly structured_per_s: number;
  readonly raw_per_s: number;
  readonly naive_structured_per_s: number;
  readonly naive_ratio: number;
  readonly matches_per_1000: number;
};

export function runDetectBench({
  rules,
  structured,
  raw,
  naiveEvents,
  seconds,
}: DetectBenchOptions): DetectBenchResult {
  const importStart = performance.now();
  const outcomes = importSigma(rules.map((text, at) => ({ name: `${at}.yml`, text })));
  const importMs = performance.now() - importStart;
  const policies = outcomes.flatMap((one) => (one.status === 'imported' ? [{ id: one.id, rule: one.policy }] : []));
  const loadStart = performance.now();
  const set = compilePolicies(policies);
  const loadMs = performance.now() - loadStart;
  const memoryBytes = process.memoryUsage().rss;
  const perSecond = (events: readonly ParsedEvent[]) => rate(events, seconds, (event) => evaluate(set, event).length);
  const fast = perSecond(structured);
  const text = perSecond(raw);
  const naive = compareWithNaive(
    policies,
    [...structured.slice(0, naiveEvents), ...raw.slice(0, naiveEvents)],
    (event) => evaluate(set, event).map(({ policyId, groupKey }) => `${policyId} ${groupKey}`),
  );
  return {
    rules: set.size,
    imported_share: policies.length / rules.length,
    import_s: importMs / 1000,
    load_s: loadMs / 1000,
    memory_mb: memoryBytes / 1e6,
    structured_per_s: fast.perSecond,
    raw_per_s: text.perSecond,
    naive_structured_per_s: naive.perSecond,
    naive_ratio: naive.ratio,
    matches_per_1000: fast.matchesPer1000,
  };
}

/** Over and over for so many seconds, after one pass to warm up. */
function rate(events: readonly ParsedEvent[], seconds: number, matchesOf: (event: ParsedEvent) => number) {
  let matches = 0;
  for (const event of events) matches += matchesOf(event);
  let done = 0;
  const start = performance.now();
  while (performance.now() - start < seconds * 1000) {
    for (const event of events) matchesOf(event);
    done += events.length;
  }
  return {
    perSecond: done / ((performance.now() - start) / 1000),
    matchesPer1000: (matches / events.length) * 1000,
  };
}

/** Throws when a single match differs. */
function compareWithNaive(
  policies: readonly PolicySource[],
  events: readonly ParsedEvent[],
  find: (event: ParsedEvent) => string[],
): { perSecond: number; ratio: number } {
  const read = createReader();
  const naive = (event: ParsedEvent) =>
    policies.flatMap(({ id, rule }) => naiveGroups(rule, event, read).map((groupKey) => `${id} ${groupKey}`));
  const fastStart = performance.now();
  const found = events.map(find);
  const fastMs = performance.now() - fastStart;
  const naiveStart = performance.now();
  const expected = events.map(naive);
  const naiveMs = performance.now() - naiveStart;
  for (const [at, one] of found.entries()) {
    if (one.join('\n') === expected[at]?.join('\n')) continue;
    throw new Error(`Event ${at}: found ${JSON.stringify(one)}, expected ${JSON.stringify(expected[at])}`);
  }
  return { perSecond: events.length / (naiveMs / 1000), ratio: naiveMs / fastMs };
}

/** Where fields are is not what is compared here. */
function createReader(): NaiveReader {
  const readers = new Map<string, FieldReader>();
  return (name, event) => {
    const read = readers.get(name) ?? compileField(name);
    readers.set(name, read);
    return read(event);
  };
}
