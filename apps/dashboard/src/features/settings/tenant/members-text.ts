import type { TenantUser } from '@airdeck/contracts/users/schema';
import { plural } from '../../../language/plural.ts';

/** "12, 3 of them Admins; 2 invited, 1 disabled". */
export function membersText(users: readonly Pick<TenantUser, 'status' | 'role'>[]): string {
  const active = users.filter(({ status }) => status === 'active');
  const admins = active.filter(({ role }) => role === 'Admin').length;
  const count = (wanted: TenantUser['status']) => users.filter(({ status }) => status === wanted).length;
  const [invited, disabled] = [count('invited'), count('disabled')];
  const rest = [
    ...(invited === 0 ? [] : [plural(invited, '{count} invited', '{count} invited##several')]),
    ...(disabled === 0 ? [] : [plural(disabled, '{count} disabled', '{count} disabled##several')]),
  ];
  const own = plural(admins, '{all}, {count} of them Admin', '{all}, {count} of them Admins', { all: active.length });
  return rest.length === 0 ? own : `${own}; ${rest.join(', ')}`;
}
