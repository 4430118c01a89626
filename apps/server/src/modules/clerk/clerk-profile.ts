import type { DirectoryId } from '../sso/sso-port.ts';
import type { ClerkUser } from './clerk-schemas.ts';

/** What Clerk knows of somebody, in our words. */
export type ClerkProfile = {
  /** Lower case; empty when there is none. */
  readonly email: string;
  readonly emailVerified: boolean;
  readonly fullname: string;
  readonly hasMfa: boolean;
  /** Can only come in through an account of another provider, which then answers for the strength of that. */
  readonly hasExternal: boolean;
  readonly hasPassword: boolean;
  /** Clerk does not tell the ids an account has in its directory. */
  readonly directories: readonly DirectoryId[];
  /** The invitation whose ticket made or last joined this account; ours to write, the person cannot change it. */
  readonly invitation: string | undefined;
  /** When Clerk last changed the user, milliseconds since 1970. */
  readonly changedAt: number;
};

export const INVITATION_KEY = 'invitation_id';

export function profileOf(user: ClerkUser): ClerkProfile {
  const primary = user.email_addresses.find(({ id }) => id != null && id === user.primary_email_address_id);
  const hasExternal = user.external_accounts.some(({ verification }) => verification?.status === 'verified');
  const invitation = user.public_metadata?.[INVITATION_KEY];
  return {
    email: (primary?.email_address ?? '').toLowerCase(),
    emailVerified: primary?.verification?.status === 'verified',
    fullname: [user.first_name, user.last_name].filter(Boolean).join(' ').trim().slice(0, 200),
    hasMfa: user.two_factor_enabled,
    hasExternal: hasExternal && !user.password_enabled,
    hasPassword: user.password_enabled,
    directories: [],
    invitation: typeof invitation === 'string' ? invitation : undefined,
    changedAt: user.updated_at,
  };
}
