import { limits } from '@airdeck/contracts/limits';
import type { TenantUser } from '@airdeck/contracts/users/schema';

function person(number: number, fullname: string, role: TenantUser['role']): TenantUser {
  const id = `01a1fb94-b561-76ac-8033-${String(number).padStart(12, '0')}`;
  const uname = `${fullname.toLowerCase().replaceAll(' ', '.')}@example.com`;
  return {
    ...{ id, fullname, uname, role, status: 'active' },
    ...{ mfa_enabled: true, last_sign_in_at: null, from_provider: false },
  };
}

/** The last by name of a tenant with more people than one answer holds. */
export const zoe = person(9999, 'Zoe Young', 'Admin');
const everybody = [...Array.from({ length: 1500 }, (_, index) => person(index, `Person ${index}`, 'Analyst')), zoe];

/** As the server answers. */
export function peopleOfLargeTenant({ url }: { url: URL }): Response {
  const q = (url.searchParams.get('q') ?? '').toLowerCase();
  const found = everybody.filter(({ uname, fullname }) => `${fullname}\n${uname}`.toLowerCase().includes(q));
  return Response.json(found.slice(0, limits.usersMax));
}
