/** After a restore: what rows alone do not show. */
import { createSecretVault, type KeyProvider, SecretError } from '@airdeck/connector-kit/secrets';
import { createConnectorRegistry } from '@airdeck/connectors/registry';
import { symmetricDecrypt } from 'better-auth/crypto';
import { sql } from 'kysely';
import { verifyChain } from '../../modules/audit/audit-verify.ts';
import { createConnectorSecrets } from '../../modules/connectors/connector-secrets.ts';
import { withOwnIntegrations } from '../../modules/integrations/definitions-port.ts';
import { createOwnIntegrations } from '../../modules/openapi-import/own-integrations.ts';
import type { Database } from '../../storage/database.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { BackupError } from './backup-error.ts';

/** Walks every tenant's chain of audit records. Returns how many records there are. */
export async function checkAuditChains(db: Database): Promise<number> {
  const tenants = await db.system((tx) =>
    tx.selectFrom('audit_chain').select('tenant_id').orderBy('tenant_id').execute(),
  );
  let records = 0;
  for (const { tenant_id: tenant } of tenants) {
    const verdict = await verifyChain((work) => db.read(tenant, work), trustedTenantScope(tenant));
    if (!verdict.intact) {
      throw new BackupError(
        `The audit log of tenant ${tenant} does not hold together at record ${verdict.broken.sequence} (${verdict.broken.reason}).`,
      );
    }
    records += verdict.records;
  }
  return records;
}

export type OpenedSecrets = { opened: number; unopened: number };

/**
 * Opens every connector's credentials. Throws when a tenant's data key does not open: then these are not the keys of the
 * backup. Single ones that do not open did not open before either; their connector asks for them again.
 */
export async function checkConnectorSecrets(db: Database, keys: KeyProvider): Promise<OpenedSecrets> {
  const vault = createSecretVault({ keys, now: () => new Date() });
  const secrets = createConnectorSecrets({
    vault,
    audit: { record: () => Promise.reject(new Error('Nothing is sealed while a backup is checked.')) },
  });
  const registry = withOwnIntegrations(createConnectorRegistry(), createOwnIntegrations());
  const held = await db.system((tx) => tx.selectFrom('tenant_data_key').select(['tenant_id', 'wrapped']).execute());
  const result: OpenedSecrets = { opened: 0, unopened: 0 };
  for (const { tenant_id: tenant, wrapped } of held) {
    await opens(() => vault.rewrapDataKey(tenant, wrapped), tenant);
    const scope = trustedTenantScope(tenant);
    await db.read(tenant, async (tx) => {
      const connectors = await tx.selectFrom('connector').select(['id', 'definition_id', 'config']).execute();
      for (const { id, definition_id, config: plain } of connectors) {
        const definition = await registry.find(definition_id, tx, scope);
        const rows = await tx.selectFrom('connector_secret').selectAll().where('connector_id', '=', id).execute();
        if (definition === undefined || rows.length === 0) continue;
        try {
          await secrets.open(tx, scope, { definition, id, plain, rows });
          result.opened += rows.length;
        } catch (error) {
          if (!(error instanceof SecretError)) throw error;
          result.unopened += rows.length;
        }
      }
    });
  }
  return result;
}

async function opens(open: () => Promise<unknown>, tenant: string): Promise<void> {
  try {
    await open();
  } catch (cause) {
    if (!(cause instanceof SecretError)) throw cause;
    throw new BackupError(`These are not the keys of this backup: the data key of tenant ${tenant} does not open.`, {
      cause,
    });
  }
}

/** Whether the installation's secret is the one the signing keys are sealed with. */
export async function checkIdentitySecret(db: Database, secret: string): Promise<void> {
  const { rows } = await db.system((tx) =>
    sql<{ sealed: string }>`select "privateKey" as sealed from identity.jwks order by "createdAt" desc limit 1`.execute(
      tx,
    ),
  );
  const [newest] = rows;
  if (newest === undefined) return;
  try {
    await symmetricDecrypt({ key: secret, data: JSON.parse(newest.sealed) as string });
  } catch (cause) {
    throw new BackupError(
      'The secret of this installation is not the one of the backup: set IDENTITY_SECRET to its value, or give its identity.secret with the keys.',
      { cause },
    );
  }
}
