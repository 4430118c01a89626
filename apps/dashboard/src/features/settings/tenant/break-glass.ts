import type { TenantUser } from '@airdeck/contracts/users/schema';

type Candidate = Pick<TenantUser, 'uname' | 'fullname' | 'role' | 'status' | 'mfa_enabled'>;

/** Who may be a break-glass account, and who is one already, even where that is no longer so. */
export function breakGlassOptions(
  users: readonly Candidate[],
  chosen: readonly string[],
): { value: string; label: string }[] {
  const able = users.filter(
    ({ role, status, mfa_enabled }) => role === 'Admin' && status === 'active' && mfa_enabled === true,
  );
  const others = chosen.filter((uname) => !able.some((user) => user.uname === uname));
  return [
    ...able.map(({ uname, fullname }) => ({ value: uname, label: `${fullname} (${uname})` })),
    ...others.map((uname) => ({ value: uname, label: uname })),
  ];
}
