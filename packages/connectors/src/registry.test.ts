import { publishedAction } from '@airdeck/connector-kit/definition';
import { actionDefinitionSchema } from '@airdeck/contracts/actions/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import { describe, expect, it } from 'vitest';
import { createConnectorRegistry } from './registry.ts';

describe('the connectors of the product', () => {
  const registry = createConnectorRegistry();

  it('pass the check at boot', () => {
    const ids = registry.list().map((definition) => definition.definition_id);
    expect(ids).toEqual(expect.arrayContaining(['abuseipdb', 'fortigate', 'http_request']));
    expect(registry.findAction('abuseipdb.check_ip')).toMatchObject({ effect: 'reads' });
    expect(registry.findAction('fortigate.block_address')).toMatchObject({ effect: 'changes' });
  });

  it.each(registry.list().map((definition) => [definition.definition_id, definition] as const))(
    '%s names each of its settings for the people who fill them in',
    (_id, { config_schema }) => {
      const properties = Object.values(config_schema.properties as Record<string, JsonObject>);
      for (const property of properties) expect(property.title).toEqual(expect.any(String));
    },
  );

  it.each(['incoming_webhook', 'syslog'])(
    '%s promises nothing that would have to be called, and says how to connect',
    (id) => {
      const definition = registry.find(id);
      expect(definition).toMatchObject({ capabilities: [], actions: [], config_schema: { properties: {} } });
      expect(definition?.documentation?.setup?.length).toBeGreaterThan(2);
    },
  );

  it('publish actions exactly in the shape of the contract', () => {
    for (const action of registry.listActions()) {
      expect(actionDefinitionSchema.safeParse(publishedAction(action)).error).toBeUndefined();
    }
  });
});
