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
