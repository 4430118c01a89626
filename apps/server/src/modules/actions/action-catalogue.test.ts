import { createConnectorRegistry } from '@airdeck/connectors/registry';
import { expect, test } from 'vitest';
import { createActionCatalogue } from './action-catalogue.ts';

// Nothing compiles them before somebody runs the action.
test('the schema of what each action takes compiles, and refuses what is no object', () => {
  const registry = createConnectorRegistry();
  const catalogue = createActionCatalogue(registry);
  const actions = registry.listActions();
  expect(actions.length).toBeGreaterThan(50);
  for (const action of actions) expect(catalogue.checkInput(action, 1), action.action_id).not.toEqual([]);
});

const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00+01:00'];

test.each([
  ['graylog.get_triggered_alerts', {}],
  ['graylog.search_messages', { query: '*' }],
  ['okta.list_system_log', {}],
  ['microsoft_graph.list_sign_ins', {}],
])('a start after the end is refused before %s asks anybody, and one of the two alone is not', (name, input) => {
  const registry = createConnectorRegistry();
  const check = (times: object) =>
    createActionCatalogue(registry).checkInput(registry.findAction(name) ?? expect.fail(), { ...input, ...times });
  expect(check({ start_time: late, end_time: early })).toMatchObject([
    { path: 'action_input.start_time', reason: 'TIME_AFTER_END' },
  ]);
  for (const times of [{ start_time: early, end_time: late }, { start_time: late }, { end_time: early }]) {
    expect(check(times)).toEqual([]);
  }
});
