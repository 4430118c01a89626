import type { Policy, PolicyList, PolicyRule } from '@airdeck/contracts/policies/schema';
import { ownTenant } from '../../session/fixtures.ts';

export function policyId(number: number): string {
  return `01930000-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

export function rule(number: number, fields: Partial<PolicyRule> = {}): PolicyRule {
  return {
    name: `Policy ${number}`,
    description: '',
    type: 'custom',
    severity: 'high',
    logic: {
      rule_type: 'filter_and_group',
      filter_criteria: [{ field: 'message', operator: 'contains', value: 'Failed password' }],
      group_by: ['src_ip'],
      threshold: { count: 10, within_s: 300 },
      source: { source_type: 'log', connector_definition_id: 'sshd', event_type: '' },
    },
    ...fields,
  };
}

export function policy(number: number, fields: Partial<Policy> = {}): Policy {
  return {
    id: policyId(number),
    enabled: true,
    created_alert: null,
    tenant: ownTenant,
    rule: rule(number),
    version: 3,
    origin: 'own',
    author: 'ana.souza@northwind.example',
    created_at: '2026-11-01T10:00:00.000Z',
    updated_at: '2026-11-20T10:00:00.000Z',
    updated_by: 'bo.lind@northwind.example',
    last_case: null,
    open_cases: 0,
    matches_by_day: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 7],
    throttled_until: null,
    dropped_matches: 0,
    published: null,
    ...fields,
  };
}

export function policyList(rules: Policy[]): PolicyList {
  return {
    rules,
    total: rules.length,
    facets: {
      enabled: [{ value: 'true', count: rules.length }],
      severity: [{ value: 'high', count: rules.length }],
      source: [{ value: 'sshd', count: rules.length }],
      origin: [{ value: 'own', count: rules.length }],
    },
  };
}
