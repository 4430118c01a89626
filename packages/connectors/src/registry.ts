import type { ConnectorRegistry } from '@airdeck/connector-kit/registry';
import { createRegistry } from '@airdeck/connector-kit/registry';
import { abuseipdb } from './abuseipdb/abuseipdb.ts';
import { fortigate } from './fortigate/fortigate.ts';

/** All connectors of the product. Throws `RegistryError` when one of them does not keep its own promises. */
export function createConnectorRegistry(): ConnectorRegistry {
  return createRegistry([abuseipdb, fortigate]);
}
