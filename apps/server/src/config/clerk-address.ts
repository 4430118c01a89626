/** Where a Clerk instance is, and by which name its tokens call it. */
export type ClerkAddress = {
  /** `iss` of its tokens: scheme and host, without a slash at the end. */
  readonly issuer: string;
  readonly keysUrl: string;
};

/**
 * A publishable key carries the host of the instance's Frontend API in base64, ended by `$`. An address that is given
 * instead is that of a proxy in front of it, whose name the tokens then carry. Undefined for `local` and for a key that
 * says no host.
 */
export function clerkAddress(publishableKey: string, proxy?: string): ClerkAddress | undefined {
  const host = clerkHost(publishableKey);
  if (host === undefined) return undefined;
  const issuer = proxy === undefined ? `https://${host}` : proxy.replace(/\/+$/, '');
  return { issuer, keysUrl: `${issuer}/.well-known/jwks.json` };
}

export function clerkHost(publishableKey: string): string | undefined {
  const encoded = /^pk_(?:test|live)_(.+)$/.exec(publishableKey)?.[1];
  if (encoded === undefined) return undefined;
  const host = Buffer.from(encoded, 'base64').toString('utf8');
  return /^[a-z0-9](?:[a-z0-9-]*\.)+[a-z0-9-]*[a-z0-9]\$$/.test(host) ? host.slice(0, -1) : undefined;
}
