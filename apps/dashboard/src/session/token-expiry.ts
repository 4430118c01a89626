/**
 * When a token stops being good, in milliseconds since the epoch; zero when that cannot be read, which makes every use
 * fetch a new one. Only for deciding when to refresh: whether a token is good is the server's to say.
 */
export function tokenExpiryMs(token: string): number {
  const payload = token.split('.')[1];
  if (payload === undefined) return 0;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof claims === 'object' && claims !== null && 'exp' in claims && typeof claims.exp === 'number'
      ? claims.exp * 1000
      : 0;
  } catch {
    return 0;
  }
}
