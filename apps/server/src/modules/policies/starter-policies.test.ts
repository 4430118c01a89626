import { policyRuleSchema } from '@airdeck/contracts/policies/schema';
import { compilePolicies, evaluate, validatePolicy } from '@airdeck/detection/policy-set';
import { parseRecord } from '@airdeck/event-parsers/parse-record';
import { describe, expect, test } from 'vitest';
import { readGraylogNotification } from '../ingestion/formats/graylog-notification.ts';
import { furtherPolicies, starterPolicies } from './starter-policies.ts';
import { type StarterSample, starterSamples } from './starters/starter-samples-fixture.ts';

const receivedAt = Date.parse('2026-11-21T12:00:00Z');
const all = [...starterPolicies, ...furtherPolicies];
const set = compilePolicies(all.map((rule) => ({ id: rule.name, rule })));

/** As the doors read it: a Graylog notification by its own reader, everything else by the parsers. */
function read(sample: StarterSample) {
  if (typeof sample === 'string') return parseRecord(sample, { receivedAt });
  if (sample.event_definition_id === undefined) return parseRecord({ ...sample }, { receivedAt });
  const events = readGraylogNotification({ ...sample }, { receivedAt, raw: JSON.stringify(sample) });
  const [alert] = typeof events === 'string' ? [] : events;
  if (alert === undefined) throw new Error('No notification.');
  return alert;
}

const hitsOf = (sample: StarterSample) => evaluate(set, read(sample)).map(({ policyId }) => policyId);

test('there are at least forty, each with a name of its own and events to try it on', () => {
  expect(all.length).toBeGreaterThanOrEqual(40);
  expect(new Set(all.map(({ name }) => name.toLowerCase())).size).toBe(all.length);
  expect(Object.keys(starterSamples).sort()).toEqual(all.map(({ name }) => name).sort());
});

describe.each(all.map((rule) => [rule.name, rule] as const))('%s', (name, rule) => {
  test('is sound and names its technique', () => {
    expect(policyRuleSchema.parse(rule)).toEqual(rule);
    expect(validatePolicy(rule)).toEqual([]);
    expect(rule.description).toMatch(/MITRE ATT&CK: T\d{4}/);
  });

  test('fits the event it is meant for, and leaves the one beside it alone', () => {
    expect(hitsOf(starterSamples[name]?.fits ?? '')).toContain(name);
    expect(hitsOf(starterSamples[name]?.other ?? '')).not.toContain(name);
  });
});
