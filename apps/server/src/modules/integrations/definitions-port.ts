import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import type { ConnectorRegistry } from '@airdeck/connector-kit/registry';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { isOwnIntegration, type OwnIntegrations } from '../openapi-import/openapi-import-port.ts';

/** What a tenant can connect: the product's integrations, which a plain registry knows, and those it has imported itself. */
export interface DefinitionLookup {
  find(
    definitionId: string,
    tx: Tx,
    scope: TenantScope,
  ): ConnectorDefinition | undefined | Promise<ConnectorDefinition | undefined>;
}

export function withOwnIntegrations(
  registry: Pick<ConnectorRegistry, 'find'>,
  own: Pick<OwnIntegrations, 'find'>,
): DefinitionLookup {
  return {
    find: (definitionId, tx, scope) =>
      isOwnIntegration(definitionId) ? own.find(definitionId, tx, scope) : registry.find(definitionId),
  };
}
