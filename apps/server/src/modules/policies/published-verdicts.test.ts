import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { compilePolicies, evaluate, validatePolicy } from '@airdeck/detection/policy-set';
import { parseRecord } from '@airdeck/event-parsers/parse-record';
import { describe, expect, it } from 'vitest';
import { guessingRule } from '../detection/detection-fixture.ts';
import { awsVerdicts } from './testing/aws-verdicts.ts';
import { azureVerdicts } from './testing/azure-verdicts.ts';
import { gcpVerdicts } from './testing/gcp-verdicts.ts';
import { gitHubAndOktaVerdicts } from './testing/github-verdicts.ts';
import { kubernetesVerdicts } from './testing/kubernetes-verdicts.ts';
import { rulesNotPorted } from './testing/rules-not-ported.ts';
import { saasVerdicts } from './testing/saas-verdicts.ts';
import { securityToolVerdicts } from './testing/security-tool-verdicts.ts';
import { workspaceVerdicts } from './testing/workspace-verdicts.ts';

const rules = {
  ...awsVerdicts,
  ...azureVerdicts,
  ...gcpVerdicts,
  ...gitHubAndOktaVerdicts,
  ...kubernetesVerdicts,
  ...saasVerdicts,
  ...securityToolVerdicts,
  ...workspaceVerdicts,
};

type Published = {
  rule_id: string;
  tests: { name: string; expected: boolean; uses_mocks: boolean; event: Record<string, unknown> }[];
};

function published(): readonly Published[] | undefined {
  try {
    const path = resolve(process.env.AIRDECK_SHARED_DATA ?? '../shared/data', 'detections/rules_with_tests.ndjson');
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line) as Published);
  } catch {
    return undefined;
  }
}

const known = published();

/** Without those that need what is outside of the event. */
function verdictsOf(ruleId: string): Published['tests'] {
  return known?.find(({ rule_id }) => rule_id === ruleId)?.tests.filter((one) => !one.uses_mocks) ?? [];
}

// Events of the publisher are not part of the project; without them this says "skipped".
describe.skipIf(known === undefined)('verdicts of a publisher (from AIRDECK_SHARED_DATA)', () => {
  it.each(Object.entries(rules))('%s', (ruleId, criteria) => {
    const tests = verdictsOf(ruleId);
    expect(tests.length).toBeGreaterThan(0);
    const source = { source_type: 'log' as const, connector_definition_id: '', event_type: '' };
    const rule = guessingRule({ filter_criteria: [...criteria], group_by: [], source });
    expect(validatePolicy(rule)).toEqual([]);
    const set = compilePolicies([{ id: ruleId, rule }]);
    const wrong = tests.filter(({ event, expected }) => {
      const parsed = parseRecord(event, { receivedAt: Date.parse('2026-11-21T12:00:00Z') });
      return evaluate(set, parsed).length > 0 !== expected;
    });
    expect(wrong.map(({ name, expected }) => `${name}: ${expected ? 'must' : 'must not'} match`)).toEqual([]);
  });

  it('every rule of the data is ported or has its reason, so none is forgotten', () => {
    const sorted = [...Object.keys(rules), ...Object.values(rulesNotPorted).flat()];
    expect(sorted.sort()).toEqual((known ?? []).map(({ rule_id }) => rule_id).sort());
  });

  it('the figures of docs/detection.md are those of the data', () => {
    const ported = Object.keys(rules);
    const verdicts = ported.flatMap(verdictsOf).length;
    expect({ rules: ported.length, verdicts, all: known?.length }).toEqual({ rules: 391, verdicts: 1295, all: 423 });
  });
});
