import { createEgress } from '@airdeck/connector-kit/egress';
import { createConnectorRegistry } from '@airdeck/connectors/registry';
import { type Sandbox, sandboxVendors, startSandbox } from '@airdeck/simulator/sandbox/sandbox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compileSchemaCheck } from '../actions/schema-check.ts';
import { demoConnections } from './demo-connections.ts';

const registry = createConnectorRegistry();
let sandbox: Sandbox;

beforeAll(async () => {
  const keys = Object.fromEntries(sandboxVendors.map((vendor) => [vendor, '0123456789abcdef0123456789abcdef']));
  sandbox = await startSandbox({ port: 0, keys });
});
afterAll(() => sandbox?.close());

it.each(sandboxVendors)('%s connects with what the form is filled in with', async (vendor) => {
  const definition = registry.find(vendor);
  const config = demoConnections(sandbox).find(({ definition_id }) => definition_id === vendor)?.config ?? {};
  expect(compileSchemaCheck(definition?.config_schema ?? {}, 'config')(config)).toEqual([]);
  const egress = createEgress({ allowLoopback: [{ host: '127.0.0.1', port: sandbox.port }] });
  const signal = new AbortController().signal;
  const tested = await definition?.testConnection?.({ tenant: 'demo', config, egress, signal, now: () => new Date() });
  expect(tested?.message).toMatch(/\w/);
  await egress.close();
});
