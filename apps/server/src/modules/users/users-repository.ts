/**
 * People of a tenant: members, and invitations nobody accepted yet. One statement, in a system transaction, because it
 * also reads what the sign-in provider and the person's sign-ins say; it names the tenant itself.
 */
import type { Role } from '@airdeck/contracts/access/roles';
import type { UserStatus } from '@airdeck/contracts/users/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { LOCAL_ISSUER } from '../identity/sign-in-provider.ts';

export type Person = {
  id: string;
  /** Members have a user; of those invited there is only the invitation, whose id this then is. */
  kind: 'member' | 'invitation';
  fullname: string;
  uname: string;
  email: string;
  role: Role;
  status: UserStatus;
  source: 'direct' | 'provider';
  home_tenant_id: string | null;
  identity_issuer: string | null;
  identity_subject: string | null;
  /** Null where another identity provider knows. */
  mfa_enabled: boolean | null;
  last_sign_in_at: Date | null;
  invitation_expired: boolean;
};

function people({ tenantId }: TenantScope): RawBuilder<Person> {
  return sql`
    select u.id, 'member' as kind, u.fullname, u.uname, u.email, m.role, u.status, m.source, u.home_tenant_id,
      u.identity_issuer, u.identity_subject,
      case when u.identity_issuer = ${LOCAL_ISSUER} then coalesce(i."twoFactorEnabled", false) end as mfa_enabled,
      s.last_sign_in_at, false as invitation_expired
    from membership m
    join app_user u on u.id = m.user_id
    left join identity."user" i on u.identity_issuer = ${LOCAL_ISSUER} and i."id" = u.identity_subject
    left join user_sign_in s on s.user_id = u.id
    where m.tenant_id = ${tenantId}::uuid
    union all
    select v.id, 'invitation', v.fullname, v.email, v.email, v.role, 'invited', 'direct', null, null, null, false, null,
      v.expires_at <= now()
    from invitation v
    where v.tenant_id = ${tenantId}::uuid and v.state = 'pending' and v.email is not null
      and not exists (
        select 1 from membership m join app_user u on u.id = m.user_id
        where m.tenant_id = v.tenant_id and u.email = v.email and m.source = 'direct')`;
}

export type PeopleFilter = { limit: number; withDisabled: boolean; q: string | undefined };

export async function listPeople(tx: Tx, scope: TenantScope, filter: PeopleFilter): Promise<Person[]> {
  const pattern = filter.q ? `%${filter.q.replace(/[\\%_]/g, '\\$&')}%` : null;
  const { rows } = await sql<Person>`
    select * from (${people(scope)}) person
    where (${filter.withDisabled} or status <> 'disabled')
      and (${pattern}::text is null or fullname ilike ${pattern} or uname ilike ${pattern})
    order by lower(fullname), uname
    limit ${filter.limit}`.execute(tx);
  return rows;
}

/** The invitation of somebody who is there for the provider: that is what an Admin can change and withdraw. */
export async function findPerson(tx: Tx, scope: TenantScope, username: string): Promise<Person | undefined> {
  const { rows } = await sql<Person>`
    select * from (${people(scope)}) person where lower(uname) = lower(${username})
    order by kind = 'invitation' desc limit 1`.execute(tx);
  return rows[0];
}

export async function deleteSignIn(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('user_sign_in').where('user_id', '=', userId).execute();
}

/** Never an earlier time than the one that is there: what other providers tell may come in any order. */
export async function putSignIn(tx: Tx, userId: string, at: Date): Promise<void> {
  await tx
    .insertInto('user_sign_in')
    .values({ user_id: userId, last_sign_in_at: at })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({
        last_sign_in_at: sql`greatest(user_sign_in.last_sign_in_at, excluded.last_sign_in_at)`,
      }),
    )
    .execute();
}
