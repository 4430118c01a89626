import type { TenantUser } from '@airdeck/contracts/users/schema';

/** "12, 3 of them Admins; 2 invited, 1 disabled". */
export function membersText(users: readonly Pick<TenantUser, 'status' | 'role'>[]): string {
  const active = users.filter(({ status }) => status === 'active');
  const admins = active.filter(({ role }) => role === 'Admin').length;
  const count = (wanted: TenantUser['status']) => users.filter(({ status }) => status === wanted).length;
  const others = [
    [count('invited'), 'invited'],
    [count('disabled'), 'disabled'],
  ] as const;
  const rest = others.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`);
  const own = `${active.length}, ${admins} of them ${admins === 1 ? 'Admin' : 'Admins'}`;
  return rest.length === 0 ? own : `${own}; ${rest.join(', ')}`;
}
