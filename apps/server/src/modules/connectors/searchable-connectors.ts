import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import { serverLimits } from '@airdeck/contracts/server-limits';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { DefinitionLookup } from '../integrations/definitions-port.ts';
import { listConnectors } from './connector-rows.ts';

type Searchable = { id: string; name: string; definition: ConnectorDefinition; eventType: string | undefined };

/** Connectors of a tenant that may be used and whose vendor can be searched while somebody waits, by name. */
export function createSearchableConnectors(registry: DefinitionLookup) {
  return async (tx: Tx, scope: TenantScope): Promise<Searchable[]> => {
    const rows = await listConnectors(tx, scope, serverLimits.connectorsMax);
    const usable = rows.filter(({ enabled, state }) => enabled && state !== 'paused');
    const found: Searchable[] = [];
    for (const { id, name, definition_id, events_options } of usable) {
      const definition = await registry.find(definition_id, tx, scope);
      if (definition?.search === undefined) continue;
      const { event_type: eventType } = events_options;
      found.push({
        id,
        name,
        definition,
        eventType: typeof eventType === 'string' && eventType !== '' ? eventType : undefined,
      });
    }
    return found;
  };
}
