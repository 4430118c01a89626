import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { casesOfMatches } from '@airdeck/detection/counting/cases-of-matches';
import { compilePolicies, evaluate } from '@airdeck/detection/policy-set';
import { parseRecord } from '@airdeck/event-parsers/parse-record';
import { describe, expect, it } from 'vitest';
import { guessingRule } from '../detection/detection-fixture.ts';

type Member = { ID: string; MinMatchCount?: number; Absence?: boolean };
type Output = { ID: string; Matches: Record<string, Record<string, (number | string)[]>> };
type Correlation = {
  RuleID: string;
  Detection: {
    Group?: Member[];
    Sequence?: Member[];
    Transitions?: { WithinTimeFrameMinutes?: number }[];
    LookbackWindowMinutes: number;
  }[];
  Tests: { Name: string; ExpectedResult: boolean; RuleOutputs: Output[] }[];
};

const START_MS = Date.parse('2026-11-20T12:00:00Z');

function published(): readonly Correlation[] | undefined {
  try {
    const path = resolve(process.env.AIRDECK_SHARED_DATA ?? '../shared/data', 'detections/correlation_rules.ndjson');
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line) as Correlation);
  } catch {
    return undefined;
  }
}

/** What a sequence cannot say: that something did not happen, or how often a step has to. */
function isSayable({ Detection: [detection, ...more] }: Correlation): boolean {
  const members = detection?.Group ?? detection?.Sequence ?? [];
  return more.length === 0 && members.every(({ Absence, MinMatchCount }) => !Absence && (MinMatchCount ?? 1) === 1);
}

function policyOf({ Detection: [detection] }: Correlation): PolicyRule {
  const { threshold: _none, ...logic } = guessingRule().logic;
  const inOrder = detection?.Sequence;
  const minutes = detection?.Transitions?.[0]?.WithinTimeFrameMinutes ?? detection?.LookbackWindowMinutes ?? 0;
  const steps = (inOrder ?? detection?.Group ?? []).map(({ ID }) => ({
    filter_criteria: [{ field: 'member', operator: 'equals' as const, value: ID }],
  }));
  return {
    ...guessingRule(),
    logic: {
      ...logic,
      filter_criteria: [],
      group_by: ['of'],
      sequence: { steps, within_s: minutes * 60, ...(inOrder === undefined ? { any_order: true } : {}) },
      source: { source_type: 'log', connector_definition_id: '', event_type: '' },
    },
  };
}

/** A match of a member rule as an event: which rule, for whom, and when. */
function eventsOf(outputs: readonly Output[]) {
  return outputs.flatMap(({ ID, Matches }) => {
    const [first = {}, ...others] = Object.values(Matches);
    const beside = others.map((values) => Object.keys(values)[0] ?? '');
    return Object.entries(first).flatMap(([value, times]) =>
      times.map((time) => {
        const at = typeof time === 'number' ? START_MS + time * 60_000 : Date.parse(time);
        const record = { member: ID, of: [value, ...beside].join(' '), time: new Date(at).toISOString() };
        return { ...parseRecord(record, { receivedAt: START_MS }), time: at };
      }),
    );
  });
}

const sayable = published()?.filter(isSayable);

// The publisher's rules are not part of the project; without them this says "skipped".
describe.skipIf(sayable === undefined)('correlations of a publisher (from AIRDECK_SHARED_DATA)', () => {
  it('are there', () => expect(sayable?.length).toBeGreaterThan(10));

  it.each((sayable ?? []).map((one) => [one.RuleID, one] as const))('%s', (_id, correlation) => {
    const rule = policyOf(correlation);
    const set = compilePolicies([{ id: 'policy', rule }]);
    expect(set.problems).toEqual([]);
    const wrong = correlation.Tests.filter(({ RuleOutputs, ExpectedResult }) => {
      const matches = eventsOf(RuleOutputs).flatMap((event) => evaluate(set, event).map((hit) => ({ ...hit, event })));
      return casesOfMatches(rule, matches).length > 0 !== ExpectedResult;
    });
    expect(wrong.map(({ Name }) => Name)).toEqual([]);
  });
});
