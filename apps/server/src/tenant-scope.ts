declare const tenantBrand: unique symbol;

/**
 * Proof that a tenant id comes from a trusted place: the authorised path parameter of a request, the token of an event
 * source, or the row of a job. Repositories take it first; there is no other way to name a tenant to them.
 */
export type TenantScope = { readonly tenantId: string; readonly [tenantBrand]: true };

/** Only the authorization plugin, the ingest door and job handlers call this. */
export function trustedTenantScope(tenantId: string): TenantScope {
  return { tenantId } as TenantScope;
}
