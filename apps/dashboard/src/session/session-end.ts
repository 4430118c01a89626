import type { IdentityProvider } from './identity-provider.ts';

/** Long enough to read the note and answer it. */
const SOON_MS = 120_000;

/**
 * When the session ends, if that is soon, in milliseconds since 1970. The provider is asked before anybody is told: a page in
 * another tab may have been used since this one last heard.
 */
export async function soonEnd(
  identity: Pick<IdentityProvider, 'sessionEndsAt' | 'getToken'>,
  now: () => number,
): Promise<number | undefined> {
  const soon = () => {
    const end = identity.sessionEndsAt();
    return end !== undefined && end - now() < SOON_MS ? end : undefined;
  };
  if (soon() === undefined) return undefined;
  // Who cannot be asked now knows no better than before.
  await identity.getToken({ refresh: true }).catch(() => undefined);
  return soon();
}
