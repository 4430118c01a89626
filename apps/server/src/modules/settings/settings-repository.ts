import type { SkuInfo } from '@airdeck/contracts/me/schema';
import type { Brand } from '@airdeck/contracts/tenants/schema';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

export type StoredSettings = {
  mfa_required_for_social: boolean;
  sso_required: boolean;
  break_glass: string[];
  retention_days: number | null;
  automation_enabled: boolean;
  automation_changed_by: string | null;
  automation_changed_at: Date | null;
  two_people_approve: boolean;
};

export type SettingsRow = StoredSettings & {
  name: string;
  brand: Brand;
  sku_info: SkuInfo;
  is_provider: boolean;
  updated_at: Date;
};

export async function findSettings(tx: Tx, scope: TenantScope): Promise<SettingsRow | undefined> {
  return await tx
    .selectFrom('tenant as t')
    .leftJoin('tenant_settings as s', 's.tenant_id', 't.id')
    .select(['t.name', 't.brand', 't.sku_info', 't.is_provider'])
    .select(['s.retention_days', 's.automation_changed_by', 's.automation_changed_at'])
    .select((eb) => [
      eb.fn.coalesce('s.mfa_required_for_social', sql<boolean>`false`).as('mfa_required_for_social'),
      eb.fn.coalesce('s.sso_required', sql<boolean>`false`).as('sso_required'),
      eb.fn.coalesce('s.break_glass', sql<string[]>`'{}'::text[]`).as('break_glass'),
      eb.fn.coalesce('s.automation_enabled', sql<boolean>`true`).as('automation_enabled'),
      eb.fn.coalesce('s.two_people_approve', sql<boolean>`false`).as('two_people_approve'),
      eb.fn.coalesce('s.updated_at', 't.created_at').as('updated_at'),
    ])
    .where('t.id', '=', scope.tenantId)
    .executeTakeFirst();
}

export async function putSettings(
  tx: Tx,
  scope: TenantScope,
  settings: StoredSettings & { updated_at: Date },
): Promise<void> {
  await tx
    .insertInto('tenant_settings')
    .values({ tenant_id: scope.tenantId, ...settings })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(settings))
    .execute();
}

/**
 * Of these usernames, those who could sign in as Admins of the tenant with nothing but a password and an authenticator.
 * People of the provider do not count, since it may call them back.
 */
export async function listAbleToBreakGlass(
  tx: Tx,
  scope: TenantScope,
  names: { usernames: readonly string[]; issuer: string },
): Promise<string[]> {
  if (names.usernames.length === 0) return [];
  const { rows } = await sql<{ uname: string }>`
    select u.uname from app_user u
    join membership m on m.user_id = u.id and m.tenant_id = ${scope.tenantId} and m.role = 'Admin'
      and m.source = 'direct'
    join identity."user" i on i."id" = u.identity_subject
    where u.uname = any(${names.usernames}::text[]) and u.status = 'active' and u.identity_issuer = ${names.issuer}
      and i."twoFactorEnabled"
      and exists (select from identity."account" a where a."userId" = i."id" and a."providerId" = 'credential'
        and a."password" is not null)`.execute(tx);
  return rows.map(({ uname }) => uname);
}

/** `is_usable`: an address of a proved domain leads there. */
export async function listSsoConnections(tx: Tx, tenantId: string): Promise<{ is_usable: boolean }[]> {
  const { rows } = await sql<{ is_usable: boolean }>`
    select exists (
      select from sso_domain d where d.tenant_id = c.tenant_id and d.domain = any(c.domains) and d.proved_at is not null
    ) as is_usable
    from sso_connection c where c.tenant_id = ${tenantId} and c.enabled`.execute(tx);
  return rows;
}

/** Active members at home in the tenant who have no account of its connections, those on the list aside. System only. */
export async function countUnlinked(tx: Tx, scope: TenantScope, breakGlass: readonly string[]): Promise<number> {
  const { rows } = await sql<{ unlinked: number }>`
    select count(*)::int as unlinked from app_user u
    join membership m on m.user_id = u.id and m.tenant_id = u.home_tenant_id
    where u.home_tenant_id = ${scope.tenantId} and u.status = 'active' and u.uname <> all(${breakGlass}::text[])
      and not exists (
        select from identity."user" i
        join identity."account" a on a."userId" = i."id"
        join identity.external_account e on e.account_id = a."id"
        join sso_connection c on c.tenant_id = u.home_tenant_id and c.enabled
          and (c.id::text = e.connection or a."providerId" = 'oidc:' || c.issuer)
        where i."externalId" = u.id::text)`.execute(tx);
  return rows[0]?.unlinked ?? 0;
}

/** Tenants whose break-glass list names the user, in ascending order. */
export async function listBreakGlassOf(
  tx: Tx,
  user: string,
): Promise<{ tenant_id: string; uname: string; sso_required: boolean; break_glass: string[] }[]> {
  const { rows } = await sql<{ tenant_id: string; uname: string; sso_required: boolean; break_glass: string[] }>`
    select s.tenant_id, u.uname, s.sso_required, s.break_glass
    from app_user u join tenant_settings s on exists (
      select from unnest(s.break_glass) named where lower(named) = lower(u.uname))
    where u.id = ${user}
    order by s.tenant_id`.execute(tx);
  return rows;
}

export async function putBreakGlass(
  tx: Tx,
  tenantId: string,
  change: { break_glass: string[]; updated_at: Date },
): Promise<void> {
  await tx.updateTable('tenant_settings').set(change).where('tenant_id', '=', tenantId).execute();
}

export async function findSignInPolicy(tx: Tx, tenantId: string) {
  return await tx
    .selectFrom('tenant_settings')
    .select(['sso_required', 'break_glass', 'mfa_required_for_social'])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
}

export async function findAutomation(
  tx: Tx,
  tenantId: string,
): Promise<{ automation_enabled: boolean; two_people_approve: boolean } | undefined> {
  return await tx
    .selectFrom('tenant_settings')
    .select(['automation_enabled', 'two_people_approve'])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
}
