import { type SplitConfig, secretDestination, splitConfig } from '@airdeck/connector-kit/connector-config';
import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import type { ConnectorRegistry } from '@airdeck/connector-kit/registry';
import { SecretError, type SecretVault, type WrappedKey } from '@airdeck/connector-kit/secrets';
import type { JsonObject } from '@airdeck/contracts/fields';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { compileSchemaCheck } from '../actions/schema-check.ts';
import type { AuditActor, AuditLog } from '../audit/audit-log.ts';
import {
  findDataKey,
  findNamedConnector,
  findUsableConnector,
  insertConnector,
  keepDataKey,
  putSecret,
  secretsOf,
  updateConfig,
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
  /**
   * Returns the id. Secrets in `config` are sealed and never come back. The first one of an integration is its default.
   * Throws NOT_FOUND for an unknown integration, and VALIDATION_FAILED with every problem of `config`.
   */
  create(tx: Tx, scope: TenantScope, connector: NewConnector, by: ChangedBy): Promise<string>;
  /**
   * Gives the connector of that name this configuration when it now stands for another host, secrets included, because
   * sealed ones open for one host only. Does nothing for the same host, or when there is no such connector.
   */
  moveTo(tx: Tx, scope: TenantScope, connector: NewConnector, by: ChangedBy): Promise<void>;
}

export type NewConnector = { definitionId: string; name: string; config: JsonObject };
type ChangedBy = { actor: AuditActor; requestId: string | null };

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

  async function sealSecrets(
    tx: Tx,
    scope: TenantScope,
    {
      definition,
      id,
      plain,
      toSeal,
    }: Pick<SplitConfig, 'plain' | 'toSeal'> & { definition: ConnectorDefinition; id: string },
  ): Promise<void> {
    const wrapped = await dataKey(tx, scope);
    const destination = secretDestination(definition.config_schema, plain);
    const { version } = definition;
    for (const [field, secret] of Object.entries(toSeal)) {
      const binding = { tenant: scope.tenantId, connector: id, field, version, destination };
      const sealed = await vault.seal(wrapped, binding, secret);
      await putSecret(tx, scope, { connectorId: id, field, sealed, definitionVersion: version });
    }
  }

  async function record(
    tx: Tx,
    scope: TenantScope,
    change: { action: string; id: string; definitionId: string; name: string },
    by: ChangedBy,
  ): Promise<void> {
    await audit.record(tx, {
      tenant: scope.tenantId,
      actor: by.actor,
      action: change.action,
      target: { kind: 'connector', id: change.id },
      outcome: 'ok',
      data: { definition_id: change.definitionId, name: change.name },
      request_id: by.requestId,
    });
  }

  return {
    async open(tx, scope, wanted) {
      const definition = definitionOf(wanted.definitionId);
      const row = await findUsableConnector(tx, scope, wanted);
      if (!row) return undefined;
      const wrapped = await findDataKey(tx, scope);
      const destination = secretDestination(definition.config_schema, row.config);
      const secrets: Record<string, string> = {};
      for (const secret of await secretsOf(tx, scope, row.id)) {
        if (!wrapped) throw new SecretError('KEY_UNKNOWN', "The tenant's data key is gone.");
        const binding = {
          tenant: scope.tenantId,
          connector: row.id,
          field: secret.field,
          version: secret.definition_version,
          destination,
        };
        secrets[secret.field] = await vault.open(wrapped, binding, secret.sealed);
      }
      return { id: row.id, config: { ...row.config, ...secrets }, secrets: Object.values(secrets) };
    },

    async create(tx, scope, { definitionId, name, config }, by) {
      const definition = definitionOf(definitionId);
      assertFits(definition, config);
      const { plain, toSeal } = splitConfig(definition.config_schema, config);
      const id = ids();
      await insertConnector(tx, scope, { id, definitionId, name, config: plain });
      await sealSecrets(tx, scope, { definition, id, plain, toSeal });
      await record(tx, scope, { action: 'connector.create', id, definitionId, name }, by);
      return id;
    },

    async moveTo(tx, scope, { definitionId, name, config }, by) {
      const definition = definitionOf(definitionId);
      assertFits(definition, config);
      const row = await findNamedConnector(tx, scope, { definitionId, name });
      const { plain, toSeal } = splitConfig(definition.config_schema, config);
      const destination = secretDestination(definition.config_schema, plain);
      if (!row || secretDestination(definition.config_schema, row.config) === destination) return;
      await updateConfig(tx, scope, { id: row.id, config: plain });
      await sealSecrets(tx, scope, { definition, id: row.id, plain, toSeal });
      await record(tx, scope, { action: 'connector.update', id: row.id, definitionId, name }, by);
    },
  };
}

function assertFits(definition: ConnectorDefinition, config: JsonObject): void {
  const details = compileSchemaCheck(definition.config_schema, 'config')(config);
  if (details.length > 0) throw new AppError('VALIDATION_FAILED', { details });
}
