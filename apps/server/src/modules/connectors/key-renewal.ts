/**
 * After the installation got a new key: every tenant gets a new data key under it, and its secrets are sealed anew with that.
 * Steps, each a transaction of its own, so that it can stop anywhere and go on later, by any worker:
 *
 *   1. new data key beside the old one (`previous`), which still opens what is sealed with it
 *   2. secrets, in batches: what the new key does not open is opened with the old one and sealed anew
 *   3. nothing left: the old key is let go on the next pass, when no reader can still hold it
 *
 * Connectors work all the time. The old key of the installation may leave the key file when nothing names it any more.
 */
import { secretDestination } from '@airdeck/connector-kit/connector-config';
import { type KeyProvider, SecretError, type SecretVault } from '@airdeck/connector-kit/secrets';
import { sql } from 'kysely';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { DefinitionLookup } from '../integrations/definitions-port.ts';
import { lockDataKeys, putSecret, replaceDataKey } from './connectors-repository.ts';

const SECRETS_PER_BATCH = 100;

type Dependencies = {
  db: Pick<Database, 'tenant' | 'system'>;
  keys: KeyProvider;
  vault: SecretVault;
  registry: DefinitionLookup;
  audit: Pick<AuditLog, 'record'>;
  log: { warn(fields: object, message: string): void };
};

export type Renewed = { tenants: number; secrets: number; unopened: number };

/**
 * Does whatever is left to do, until the signal is aborted; nothing when every tenant's data key is under the current key.
 */
export function createKeyRenewal(deps: Dependencies): (signal?: AbortSignal) => Promise<Renewed> {
  return async (signal) => {
    const { id: current } = await deps.keys.current();
    const tenants = await deps.db.system(async (tx) => {
      const { rows } = await sql<{ tenant_id: string }>`
        select tenant_id from tenant_data_key where wrapped ->> 'kek' <> ${current} or previous is not null
        order by tenant_id`.execute(tx);
      return rows.map(({ tenant_id }) => tenant_id);
    });
    const renewed: Renewed = { tenants: 0, secrets: 0, unopened: 0 };
    for (const tenant of tenants) {
      if (signal?.aborted) break;
      try {
        await renewTenant(deps, trustedTenantScope(tenant), { current, renewed, signal });
      } catch (error) {
        // Its data key opens with none of our keys. That of the others must not wait for it.
        if (!(error instanceof SecretError)) throw error;
        deps.log.warn({ tenant, code: error.code }, 'the data key of a tenant could not be renewed');
      }
    }
    return renewed;
  };
}

async function renewTenant(
  deps: Dependencies,
  scope: TenantScope,
  { current, renewed, signal }: { current: string; renewed: Renewed; signal: AbortSignal | undefined },
): Promise<void> {
  const began = await deps.db.tenant(scope.tenantId, (tx) => beginTenant(deps, tx, scope, current));
  if (began) renewed.tenants++;
  let after = { connectorId: '00000000-0000-0000-0000-000000000000', field: '' };
  let resealed = 0;
  for (;;) {
    const batch = await deps.db.tenant(scope.tenantId, (tx) => resealBatch(deps, tx, scope, after));
    resealed += batch.resealed;
    renewed.secrets += batch.resealed;
    renewed.unopened += batch.unopened;
    if (batch.last === undefined) break;
    if (signal?.aborted) return;
    after = batch.last;
  }
  // A pass that found nothing to seal anew comes after all readers of the old key.
  if (!began && resealed === 0) {
    await deps.db.tenant(scope.tenantId, (tx) =>
      tx.updateTable('tenant_data_key').set({ previous: null }).where('tenant_id', '=', scope.tenantId).execute(),
    );
  }
}

/** Whether it is now that the tenant got its new data key. */
async function beginTenant(deps: Dependencies, tx: Tx, scope: TenantScope, current: string): Promise<boolean> {
  const known = await lockDataKeys(tx, scope);
  if (known === undefined || known.wrapped.kek === current) return false;
  // An earlier renewal is not through: its two keys must first become one, or what is sealed with the oldest is lost.
  const wrapped =
    known.previous === null
      ? await deps.vault.createDataKey(scope.tenantId)
      : await deps.vault.rewrapDataKey(scope.tenantId, known.wrapped);
  const previous =
    known.previous === null
      ? await deps.vault.rewrapDataKey(scope.tenantId, known.wrapped)
      : await deps.vault.rewrapDataKey(scope.tenantId, known.previous);
  await replaceDataKey(tx, scope, { wrapped, previous });
  await deps.audit.record(tx, {
    tenant: scope.tenantId,
    actor: { kind: 'system', id: null, name: 'Key renewal' },
    action: 'data_key.renew',
    target: { kind: 'data_key', id: null },
    outcome: 'ok',
    data: { from: known.wrapped.kek, to: wrapped.kek },
    request_id: null,
  });
  return true;
}

type Place = { connectorId: string; field: string };

async function resealBatch(
  deps: Dependencies,
  tx: Tx,
  scope: TenantScope,
  after: Place,
): Promise<{ resealed: number; unopened: number; last: Place | undefined }> {
  const keys = await lockDataKeys(tx, scope);
  if (keys === undefined || keys.previous === null) return { resealed: 0, unopened: 0, last: undefined };
  // Locked with their connectors, whose configuration says which host they are bound to.
  const rows = await tx
    .selectFrom('connector_secret as s')
    .innerJoin('connector as c', 'c.id', 's.connector_id')
    .select(['s.connector_id', 's.field', 's.sealed', 's.definition_version', 'c.definition_id', 'c.config'])
    .where('s.tenant_id', '=', scope.tenantId)
    .where(sql<boolean>`(s.connector_id, s.field) > (${after.connectorId}::uuid, ${after.field})`)
    .orderBy('s.connector_id')
    .orderBy('s.field')
    .limit(SECRETS_PER_BATCH)
    .forUpdate()
    .execute();
  let resealed = 0;
  let unopened = 0;
  for (const row of rows) {
    const definition = await deps.registry.find(row.definition_id, tx, scope);
    if (definition === undefined) continue;
    const destination = secretDestination(definition.config_schema, row.config);
    const { field, connector_id: connector, definition_version: version } = row;
    const binding = { tenant: scope.tenantId, connector, field, version, destination };
    const isNew = await opens(() => deps.vault.open(keys.wrapped, binding, row.sealed));
    if (isNew.ok) continue;
    const old = keys.previous;
    const opened = await opens(() => deps.vault.open(old, binding, row.sealed));
    if (!opened.ok) {
      // It opened with neither before: somebody has to enter it again, which its connector says.
      unopened++;
      deps.log.warn({ tenant: scope.tenantId, connector }, 'a secret could not be sealed anew');
      continue;
    }
    const sealed = { ...(await deps.vault.seal(keys.wrapped, binding, opened.secret)), set_at: row.sealed.set_at };
    await putSecret(tx, scope, { connectorId: connector, field, sealed, definitionVersion: version });
    resealed++;
  }
  const last = rows.at(-1);
  const isFull = rows.length === SECRETS_PER_BATCH;
  return {
    resealed,
    unopened,
    last: last && isFull ? { connectorId: last.connector_id, field: last.field } : undefined,
  };
}

async function opens(open: () => Promise<string>): Promise<{ ok: true; secret: string } | { ok: false }> {
  try {
    return { ok: true, secret: await open() };
  } catch (error) {
    if (error instanceof SecretError) return { ok: false };
    throw error;
  }
}
