import { secretDestination, splitConfig } from '@airdeck/connector-kit/connector-config';
import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import type { AuditAction } from '@airdeck/contracts/audit/actions';
import type { JsonObject } from '@airdeck/contracts/fields';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { compileSchemaCheck } from '../actions/schema-check.ts';
import type { AuditActor, AuditLog } from '../audit/audit-log.ts';
import type { DefinitionLookup } from '../integrations/definitions-port.ts';
import { findConnector } from './connector-rows.ts';
import type { ConnectorSecrets } from './connector-secrets.ts';
import { setWork } from './connector-work-repository.ts';
import {
  findNamedConnector,
  findUsableConnector,
  insertConnector,
  secretsOf,
  updateConfig,
} from './connectors-repository.ts';

/** Between two tests that go well. */
export const TEST_EVERY_MS = 15 * 60_000;

/** A connector ready to work: configuration with its secrets in the clear, for the time of one call. */
export type OpenedConnector = {
  id: string;
  config: JsonObject;
  secrets: readonly string[];
  /** When it was last configured. */
  changedAt: Date;
};

export interface ConnectorsService {
  /** Undefined when the tenant has none that may be used. */
  open(
    tx: Tx,
    scope: TenantScope,
    wanted: { definitionId: string; connectorId: string | null },
  ): Promise<OpenedConnector | undefined>;
  /** Whether the tenant has this connector of the integration, usable or not. */
  exists(tx: Tx, scope: TenantScope, wanted: { definitionId: string; connectorId: string }): Promise<boolean>;
  /** What an action would be run through: the connector of that id, or the default one as long as it can be used. */
  standing(
    tx: Tx,
    scope: TenantScope,
    wanted: { definitionId: string; connectorId: string | null },
  ): Promise<{ name: string; isUsable: boolean } | undefined>;
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

export type NewConnector = {
  definitionId: string;
  name: string;
  config: JsonObject;
  /** Tested at the next opportunity instead of in its turn. */
  checkSoon?: boolean;
};
export type ChangedBy = { actor: AuditActor; requestId: string | null };

type Dependencies = {
  registry: DefinitionLookup;
  secrets: ConnectorSecrets;
  ids: () => string;
  now: () => Date;
  audit: Pick<AuditLog, 'record'>;
};

export function createConnectorsService({ registry, secrets, ids, now, audit }: Dependencies): ConnectorsService {
  async function definitionOf(definitionId: string, tx: Tx, scope: TenantScope): Promise<ConnectorDefinition> {
    const definition = await registry.find(definitionId, tx, scope);
    if (!definition) throw new AppError('NOT_FOUND', { message: 'This integration does not exist.' });
    return definition;
  }

  async function record(
    tx: Tx,
    scope: TenantScope,
    change: { action: AuditAction; id: string; definitionId: string; name: string },
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
      const definition = await definitionOf(wanted.definitionId, tx, scope);
      const row = await findUsableConnector(tx, scope, wanted);
      if (!row) return undefined;
      const rows = await secretsOf(tx, scope, row.id);
      const opened = await secrets.open(tx, scope, { definition, id: row.id, plain: row.config, rows });
      const config = { ...row.config, ...opened };
      return { id: row.id, config, secrets: Object.values(opened), changedAt: row.updated_at };
    },

    async exists(tx, scope, { definitionId, connectorId }) {
      return (await findConnector(tx, scope, connectorId))?.definition_id === definitionId;
    },

    async standing(tx, scope, wanted) {
      const { definitionId, connectorId } = wanted;
      const usable = await findUsableConnector(tx, scope, wanted);
      if (usable !== undefined) return { name: usable.name, isUsable: true };
      const named = connectorId === null ? undefined : await findConnector(tx, scope, connectorId);
      return named?.definition_id === definitionId ? { name: named.name, isUsable: false } : undefined;
    },

    async create(tx, scope, { definitionId, name, config, checkSoon }, by) {
      const definition = await definitionOf(definitionId, tx, scope);
      assertFits(definition, config);
      const { plain, toSeal } = splitConfig(definition.config_schema, config);
      const id = ids();
      await insertConnector(tx, scope, { id, definitionId, name, config: plain, at: now() });
      await secrets.seal(tx, scope, { definition, id, plain, toSeal });
      const dueAt = new Date(now().getTime() + (checkSoon ? 0 : TEST_EVERY_MS));
      await setWork(tx, scope, { connectorId: id, kind: 'test', dueAt });
      await record(tx, scope, { action: 'connector.create', id, definitionId, name }, by);
      return id;
    },

    async moveTo(tx, scope, { definitionId, name, config }, by) {
      const definition = await definitionOf(definitionId, tx, scope);
      assertFits(definition, config);
      const row = await findNamedConnector(tx, scope, { definitionId, name });
      const { plain, toSeal } = splitConfig(definition.config_schema, config);
      const destination = secretDestination(definition.config_schema, plain);
      if (!row || secretDestination(definition.config_schema, row.config) === destination) return;
      await updateConfig(tx, scope, { id: row.id, config: plain, at: now() });
      await secrets.seal(tx, scope, { definition, id: row.id, plain, toSeal });
      await record(tx, scope, { action: 'connector.update', id: row.id, definitionId, name }, by);
    },
  };
}

function assertFits(definition: ConnectorDefinition, config: JsonObject): void {
  const details = compileSchemaCheck(definition.config_schema, 'config')(config);
  if (details.length > 0) throw new AppError('VALIDATION_FAILED', { details });
}
