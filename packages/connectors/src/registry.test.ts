import { publishedAction } from '@airdeck/connector-kit/definition';
import { actionDefinitionSchema } from '@airdeck/contracts/actions/schema';
import { describe, expect, it } from 'vitest';
import { createConnectorRegistry } from './registry.ts';

describe('the connectors of the product', () => {
  const registry = createConnectorRegistry();

  it('pass the check at boot', () => {
    expect(registry.list().map((definition) => definition.definition_id)).toEqual(['abuseipdb', 'fortigate']);
    expect(registry.listActions().map((action) => action.action_id)).toEqual([
      'abuseipdb.check_ip',
      'fortigate.block_address',
      'fortigate.unblock_address',
    ]);
  });

  it('publish actions exactly in the shape of the contract', () => {
    for (const action of registry.listActions()) {
      expect(actionDefinitionSchema.safeParse(publishedAction(action)).error).toBeUndefined();
    }
  });
});
