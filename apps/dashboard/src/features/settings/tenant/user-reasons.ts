import type { TenantUser } from '@airdeck/contracts/users/schema';
import { t } from '../../../language/translate.ts';
import { areOnlyTheFirst } from '../../../queries/users.ts';

export type UserAction = 'role' | 'status' | 'password' | 'remove';

type Around = {
  /** Username of who looks. */
  me: string;
  /** Everybody of the tenant, as far as known. */
  everybody: readonly TenantUser[];
};

/** Why something cannot be done to somebody; undefined where it can. The server has the last word on all of them. */
export function userReasons(user: TenantUser, around: Around): Record<UserAction, string | undefined> {
  const common = commonReason(user, around);
  const invited = user.status === 'invited' ? t('The invitation has not been accepted yet.') : undefined;
  return {
    role: common,
    remove: common,
    status: invited ?? common,
    password: invited ?? passwordReason(user, around),
  };
}

const LAST_ADMIN = t('This is the only Admin. Make somebody else Admin first.');
const FROM_PROVIDER = t('Works here for the provider that manages this tenant, and is changed there.');

function commonReason(user: TenantUser, around: Around): string | undefined {
  if (user.from_provider) return FROM_PROVIDER;
  if (isLastAdmin(user, around.everybody)) return LAST_ADMIN;
  return user.uname === around.me ? t('This is you. Another Admin has to do it.') : undefined;
}

function passwordReason(user: TenantUser, { me }: Around): string | undefined {
  if (user.from_provider) return FROM_PROVIDER;
  return user.uname === me ? t('This is you. Change your password in your profile.') : undefined;
}

/** Admins a provider lends do not count: the tenant would be left without one of its own. */
function isLastAdmin(user: TenantUser, everybody: readonly TenantUser[]): boolean {
  // Another one may be among those who are not here.
  if (areOnlyTheFirst(everybody)) return false;
  const admins = everybody.filter(
    ({ role, status, from_provider }) => role === 'Admin' && status === 'active' && !from_provider,
  );
  return admins.length === 1 && admins[0]?.id === user.id;
}
