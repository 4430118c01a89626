import { describe, expect, it } from 'vitest';
import type { Route } from './route.ts';
import { routeTable } from './route-table.ts';

/** What a list answers that is asked without a size, by its parameter for that. */
function sizeOf(id: keyof typeof routeTable, parameter = 'limit'): unknown {
  const { query }: Route = routeTable[id];
  const parsed = query?.safeParse({}).data;
  return new Map(Object.entries(parsed ?? {})).get(parameter);
}

describe('page sizes', () => {
  it('are those of the specification where a call names none', () => {
    expect({
      playbookRuns: sizeOf('playbook-activity.list'),
      actionRuns: sizeOf('actions-activity.list'),
      automationRules: sizeOf('automation-rules.list'),
      users: sizeOf('users.list'),
      cases: sizeOf('cases.list'),
      policies: sizeOf('policies.list', 'page_size'),
      ruleResponses: sizeOf('rule-responses.list'),
    }).toEqual({
      playbookRuns: 15,
      actionRuns: 25,
      automationRules: 20,
      users: 1000,
      cases: 5,
      policies: 20,
      ruleResponses: 10,
    });
  });

  it('are cut where more is asked for than a page holds', () => {
    const { query } = routeTable['users.list'];
    expect(query.parse({ limit: '1001' }).limit).toBe(1000);
  });
});
