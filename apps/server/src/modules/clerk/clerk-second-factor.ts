import type { IdentityVerifier } from '../identity/identity-verifier.ts';
import type { ClerkProfiles } from './clerk-profiles.ts';

/**
 * A session without a second factor still counts as strong when its user has one at Clerk: Clerk lets nobody in without
 * it, so the session began before it was set up, and who set it up proved to have it. A user who can come in only
 * through another provider counts as `social`. Everybody else has to set an authenticator up.
 */
export function withClerkPolicy(
  verifier: IdentityVerifier,
  { issuer, profiles }: { issuer: string; profiles: Pick<ClerkProfiles, 'find'> },
): IdentityVerifier {
  return {
    refuses: verifier.refuses,
    async verify(token) {
      const identity = await verifier.verify(token);
      if (identity.issuer !== issuer || identity.mfa) return identity;
      const profile = await profiles.find(identity.subject);
      return { ...identity, mfa: profile?.hasMfa === true, social: profile?.hasExternal === true };
    },
    counts: verifier.counts,
  };
}
