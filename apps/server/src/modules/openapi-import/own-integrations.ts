import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { compileIntegration } from './openapi-connector.ts';
import { isOwnIntegration, type OwnIntegrations, ownDefinitionId } from './openapi-import-port.ts';
import {
  definitionOf,
  findIntegration,
  listIntegrations,
  type OwnIntegrationRow,
} from './openapi-import-repository.ts';

/** Compiled ones held at the same time in a process; the one unused longest gives way. */
const KEPT_MAX = 200;

/**
 * Imported integrations as connectors that run. What is stored never changes for one version, so a compiled one is kept
 * under tenant, id and version; which version is the one in use is read every time, and so is whether it still exists.
 */
export function createOwnIntegrations(): OwnIntegrations {
  const kept = new Map<string, ConnectorDefinition>();

  async function compiled(tx: Tx, scope: TenantScope, row: OwnIntegrationRow): Promise<ConnectorDefinition> {
    const key = `${scope.tenantId} ${row.id} ${row.version}`;
    const known = kept.get(key);
    const stored = known === undefined ? await definitionOf(tx, scope, row) : undefined;
    const definition = known ?? compiledFrom(row, stored);
    kept.delete(key);
    kept.set(key, definition);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    return definition;
  }

  return {
    async find(definitionId, tx, scope) {
      const id = idOf(definitionId);
      const row = id === undefined ? undefined : await findIntegration(tx, scope, id);
      return row && (await compiled(tx, scope, row));
    },
    async list(tx, scope) {
      const definitions: ConnectorDefinition[] = [];
      for (const row of await listIntegrations(tx, scope)) definitions.push(await compiled(tx, scope, row));
      return definitions;
    },
  };
}

function compiledFrom(
  row: OwnIntegrationRow,
  stored: Awaited<ReturnType<typeof definitionOf>> | undefined,
): ConnectorDefinition {
  if (stored === undefined) throw new Error(`The definition of ${row.id} was not read.`);
  return compileIntegration(ownDefinitionId(row.id), { ...stored, name: row.name });
}

/** Undefined for everything that is not exactly the slug of an id. */
function idOf(definitionId: string): string | undefined {
  const [, a, b, c, d, e] =
    /^own_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(definitionId) ?? [];
  return isOwnIntegration(definitionId) && e !== undefined ? [a, b, c, d, e].join('-') : undefined;
}
