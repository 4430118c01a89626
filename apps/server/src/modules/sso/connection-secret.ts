import type { SealedSecret, SecretVault, WrappedKey } from '@airdeck/connector-kit/secrets';
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
