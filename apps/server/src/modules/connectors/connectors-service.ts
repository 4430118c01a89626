import { secretDestination, splitConfig } from '@airdeck/connector-kit/connector-config';
import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import type { ConnectorRegistry } from '@airdeck/connector-kit/registry';
import type { SecretVault, WrappedKey } from '@airdeck/connector-kit/secrets';
import type { JsonObject } from '@airdeck/contracts/fields';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditActor, AuditLog } from '../audit/audit-log.ts';
import {
  findDataKey,
  findUsableConnector,
  insertConnector,
  insertSecret,
  keepDataKey,
  secretsOf,
} from './connectors-repository.ts';

/** A connector ready to work: configuration with its secrets in the clear, for the time of one call. */
export type OpenedConnector = { id: string; config: JsonObject; secrets: readonly string[] };

export interface ConnectorsService {
  /** Undefined when the tenant has none that may be used. */
  open(
    tx: Tx,
    scope: TenantScope,
    wanted: { definitionId: string; connectorId: string | null },
  ): Promise<OpenedConnector | undefined>;
  /** Returns the id. Secrets in `config` are sealed and never come back. Throws NOT_FOUND for an unknown integration. */
  create(
    tx: Tx,
    scope: TenantScope,
    connector: { definitionId: string; name: string; config: JsonObject },
    by: { actor: AuditActor; requestId: string | null },
  ): Promise<string>;
}

type Dependencies = {
  registry: Pick<ConnectorRegistry, 'find'>;
  vault: SecretVault;
  ids: () => string;
  audit: Pick<AuditLog, 'record'>;
};

export function createConnectorsService({ registry, vault, ids, audit }: Dependencies): ConnectorsService {
  function definitionOf(definitionId: string): ConnectorDefinition {
    const definition = registry.find(definitionId);
    if (!definition) throw new AppError('NOT_FOUND', { message: 'This integration does not exist.' });
    return definition;
  }

  async function dataKey(tx: Tx, scope: TenantScope): Promise<WrappedKey> {
    const known = await findDataKey(tx, scope);
    if (known) return known;
    await keepDataKey(tx, scope, await vault.createDataKey(scope.tenantId));
    const kept = await findDataKey(tx, scope);
    if (!kept) throw new Error("The tenant's data key was not kept.");
    return kept;
  }

  return {
    async open(tx, scope, wanted) {
      const definition = definitionOf(wanted.definitionId);
      const row = await findUsableConnector(tx, scope, wanted);
      if (!row) return undefined;
      const wrapped = await dataKey(tx, scope);
      const destination = secretDestination(definition.config_schema, row.config);
      const secrets: JsonObject = {};
      for (const secret of await secretsOf(tx, scope, row.id)) {
        const binding = {
          tenant: scope.tenantId,
          connector: row.id,
          field: secret.field,
          version: secret.definition_version,
          destination,
        };
        secrets[secret.field] = await vault.open(wrapped, binding, secret.sealed);
      }
      return { id: row.id, config: { ...row.config, ...secrets }, secrets: Object.values(secrets).map(String) };
    },

    async create(tx, scope, { definitionId, name, config }, by) {
      const definition = definitionOf(definitionId);
      const split = splitConfig(definition.config_schema, config);
      const id = ids();
      await insertConnector(tx, scope, { id, definitionId, name, config: split.plain });
      const wrapped = await dataKey(tx, scope);
      const destination = secretDestination(definition.config_schema, split.plain);
      for (const [field, secret] of Object.entries(split.toSeal)) {
        const { version } = definition;
        const binding = { tenant: scope.tenantId, connector: id, field, version, destination };
        const sealed = await vault.seal(wrapped, binding, secret);
        await insertSecret(tx, scope, { connectorId: id, field, sealed, definitionVersion: version });
      }
      await audit.record(tx, {
        tenant: scope.tenantId,
        actor: by.actor,
        action: 'connector.create',
        target: { kind: 'connector', id },
        outcome: 'ok',
        data: { definition_id: definitionId, name },
        request_id: by.requestId,
      });
      return id;
    },
  };
}
