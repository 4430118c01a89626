import { secretDestination } from '@airdeck/connector-kit/connector-config';
import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import {
  type SealedSecret,
  type SecretBinding,
  SecretError,
  type SecretVault,
  type WrappedKey,
} from '@airdeck/connector-kit/secrets';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import {
  type ConnectorSecretRow,
  type DataKeys,
  findDataKeys,
  keepDataKey,
  lockDataKeys,
  putSecret,
  replaceDataKey,
} from './connectors-repository.ts';

/** A connector's credentials between the clear and the sealed: always bound to what they belong to. */
export type ConnectorSecrets = ReturnType<typeof createConnectorSecrets>;

type Dependencies = { vault: SecretVault; audit: Pick<AuditLog, 'record'> };

export function createConnectorSecrets({ vault, audit }: Dependencies) {
  /**
   * The tenant's data key. Where the keys of the installation were lost nothing opens it again: it makes room for a new one, or
   * no secret could ever be entered anew. It stays beside the new one until the next renewal, in case the keys come back.
   */
  async function dataKey(tx: Tx, scope: TenantScope): Promise<WrappedKey> {
    const known = await findDataKeys(tx, scope);
    if (known && (await vault.opensDataKey(scope.tenantId, known.wrapped))) return known.wrapped;
    // Somebody else may just have made room; two new keys would leave what the first one sealed behind.
    const lost = known && (await lockDataKeys(tx, scope));
    if (lost && (await vault.opensDataKey(scope.tenantId, lost.wrapped))) return lost.wrapped;
    if (lost) {
      const wrapped = await vault.createDataKey(scope.tenantId);
      await replaceDataKey(tx, scope, { wrapped, previous: lost.wrapped });
      await audit.record(tx, {
        tenant: scope.tenantId,
        actor: { kind: 'system', id: null, name: 'Key renewal' },
        action: 'data_key.renew',
        target: { kind: 'data_key', id: null },
        outcome: 'ok',
        data: { from: lost.wrapped.kek, to: wrapped.kek, lost: true },
        request_id: null,
      });
      return wrapped;
    }
    await keepDataKey(tx, scope, await vault.createDataKey(scope.tenantId));
    const kept = await findDataKeys(tx, scope);
    if (!kept) throw new Error("The tenant's data key was not kept.");
    return kept.wrapped;
  }

  return {
    /** For the host that `plain` names. */
    async seal(
      tx: Tx,
      scope: TenantScope,
      what: {
        definition: ConnectorDefinition;
        id: string;
        plain: JsonObject;
        toSeal: Readonly<Record<string, string>>;
      },
    ): Promise<void> {
      const secrets = Object.entries(what.toSeal);
      if (secrets.length === 0) return;
      const wrapped = await dataKey(tx, scope);
      const destination = secretDestination(what.definition.config_schema, what.plain);
      const { version } = what.definition;
      for (const [field, secret] of secrets) {
        const binding = { tenant: scope.tenantId, connector: what.id, field, version, destination };
        const sealed = await vault.seal(wrapped, binding, secret);
        await putSecret(tx, scope, { connectorId: what.id, field, sealed, definitionVersion: version });
      }
    },

    /** By field. Throws `SecretError` when one does not open. */
    async open(
      tx: Tx,
      scope: TenantScope,
      what: {
        definition: ConnectorDefinition;
        id: string;
        plain: JsonObject;
        rows: readonly ConnectorSecretRow[];
      },
    ): Promise<Record<string, string>> {
      const keys = what.rows.length === 0 ? undefined : await findDataKeys(tx, scope);
      const destination = secretDestination(what.definition.config_schema, what.plain);
      const opened: [string, string][] = [];
      for (const { field, definition_version: version, sealed } of what.rows) {
        if (!keys) throw new SecretError('KEY_UNKNOWN', "The tenant's data key is gone.");
        const binding = { tenant: scope.tenantId, connector: what.id, field, version, destination };
        opened.push([field, await openWithEither(vault, keys, binding, sealed)]);
      }
      return Object.fromEntries(opened);
    },
  };
}

/** While a tenant's secrets are sealed anew, some are sealed with the key before. */
async function openWithEither(
  vault: Pick<SecretVault, 'open'>,
  { wrapped, previous }: DataKeys,
  binding: SecretBinding,
  sealed: SealedSecret,
): Promise<string> {
  try {
    return await vault.open(wrapped, binding, sealed);
  } catch (error) {
    if (!(error instanceof SecretError) || previous === null) throw error;
    return await vault.open(previous, binding, sealed);
  }
}
