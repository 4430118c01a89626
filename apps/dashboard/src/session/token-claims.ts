/**
 * What the page reads in its own token, only to decide when to refresh it and whether somebody else signed in. Whether a
 * token is good is the server's to say.
 */

/** When it stops being good, in milliseconds since the epoch; zero when unreadable, so that every use fetches a new one. */
export function tokenExpiryMs(token: string): number {
  const { exp } = claimsOf(token);
  return typeof exp === 'number' ? exp * 1000 : 0;
}

/** Whose token it is; undefined when unreadable. */
export function tokenSubject(token: string): string | undefined {
  const { sub } = claimsOf(token);
  return typeof sub === 'string' ? sub : undefined;
}

function claimsOf(token: string): Readonly<Record<string, unknown>> {
  try {
    const payload = token.split('.')[1] ?? '';
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
