import type { KeyProvider, SealedSecret, SecretVault, WrappedKey } from '@airdeck/connector-kit/secrets';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { ConnectionRow } from './sso-repository.ts';

export type StoredSecret = Pick<ConnectionRow, 'wrapped_key' | 'sealed_secret' | 'secret_set_at'>;

export const noSecret: StoredSecret = { wrapped_key: null, sealed_secret: null, secret_set_at: null };

/** Whom a client secret belongs to; with another tenant, connection or issuer it does not open. */
type Owner = { id: string; tenant_id: string; issuer: string };

function bindingOf({ id, tenant_id, issuer }: Owner) {
  return {
    tenant: tenant_id,
    connector: id,
    field: 'client_secret',
    version: 'sso-1',
    destination: new URL(issuer).href,
  };
}

export async function sealSecret(vault: SecretVault, owner: Owner, secret: string): Promise<StoredSecret> {
  const wrapped: WrappedKey = await vault.createDataKey(owner.tenant_id);
  const sealed: SealedSecret = await vault.seal(wrapped, bindingOf(owner), secret);
  return { wrapped_key: wrapped, sealed_secret: sealed, secret_set_at: new Date(sealed.set_at) };
}

/** Throws `SecretError` when anything does not fit. */
export async function openSecret(vault: SecretVault, row: Owner & StoredSecret): Promise<string | undefined> {
  if (row.wrapped_key === null || row.sealed_secret === null) return undefined;
  return await vault.open(row.wrapped_key, bindingOf(row), row.sealed_secret);
}

/** Puts what is under an older key of the installation under its current one. In a system transaction. */
export async function rewrapSecrets(
  tx: Tx,
  { vault, keys }: { vault: SecretVault; keys: Pick<KeyProvider, 'current'> },
): Promise<void> {
  const { id: current } = await keys.current();
  const rows = await tx
    .selectFrom('sso_connection')
    .select(['id', 'tenant_id', 'wrapped_key'])
    .where(sql<boolean>`wrapped_key ->> 'kek' <> ${current}`)
    .forUpdate()
    .execute();
  for (const { id, tenant_id: tenant, wrapped_key: known } of rows) {
    // What opens with none of our keys has to be entered anew, which who tests the connection is told; the others go on.
    if (known === null || !(await vault.opensDataKey(tenant, known))) continue;
    const wrapped = await vault.rewrapDataKey(tenant, known);
    // Nobody changed the connection: a form that was opened before stays good.
    await tx
      .updateTable('sso_connection')
      .set({ wrapped_key: JSON.stringify(wrapped) })
      .where('id', '=', id)
      .execute();
  }
}
