import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

/**
 * Integrations a tenant has imported, ready to run. Nobody else's are ever found: both methods read inside the tenant of
 * the scope, and ids of other tenants are unknown there.
 */
export interface OwnIntegrations {
  find(definitionId: string, tx: Tx, scope: TenantScope): Promise<ConnectorDefinition | undefined>;
  /** By name, at most as many as a tenant may have. */
  list(tx: Tx, scope: TenantScope): Promise<readonly ConnectorDefinition[]>;
}

/** Begins the id of every imported integration, so that those of the product cost no look into the database. */
const OWN_PREFIX = 'own_';

export function isOwnIntegration(definitionId: string): boolean {
  return definitionId.startsWith(OWN_PREFIX);
}

/** Slug of the integration with this id. */
export function ownDefinitionId(id: string): string {
  return `${OWN_PREFIX}${id.replaceAll('-', '')}`;
}
