import type { Locale } from '@airdeck/domain/display-time';
import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ExecutiveReportSettingsTable } from './executive-reports-tables.ts';

export type SettingsRow = Omit<Selectable<ExecutiveReportSettingsTable>, 'tenant_id'>;
export type Person = { id: string; name: string; email: string };
export type Habits = { locale: Locale; timeZone: string };

const defaults: SettingsRow = {
  ...{ enabled: true, locale: null, time_zone: null, contact_ids: [], user_ids: [] },
  ...{ last_month: null, updated_at: null },
};

export async function findSettings(tx: Tx, scope: TenantScope): Promise<SettingsRow> {
  const row = await tx
    .selectFrom('executive_report_settings')
    .select(['enabled', 'locale', 'time_zone', 'contact_ids', 'user_ids', 'last_month', 'updated_at'])
    .where('tenant_id', '=', scope.tenantId)
    .executeTakeFirst();
  return row ?? defaults;
}

/** Held until the transaction ends, whether or not there is a row yet. */
export async function lockSettings(tx: Tx, scope: TenantScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`executive report settings ${scope.tenantId}`}, 0))`.execute(
    tx,
  );
}

export async function putSettings(tx: Tx, scope: TenantScope, row: SettingsRow): Promise<void> {
  const stored = { ...row, contact_ids: JSON.stringify(row.contact_ids), user_ids: JSON.stringify(row.user_ids) };
  await tx
    .insertInto('executive_report_settings')
    .values({ tenant_id: scope.tenantId, ...stored })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(stored))
    .execute();
}

/** By name; those of `ids` when given. */
export async function listContacts(tx: Tx, scope: TenantScope, ids?: readonly string[]): Promise<Person[]> {
  if (ids?.length === 0) return [];
  return await tx
    .selectFrom('contact')
    .select(['id', 'name', 'email'])
    .where('tenant_id', '=', scope.tenantId)
    .$if(ids !== undefined, (query) => query.where('id', 'in', [...(ids ?? [])]))
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(1000)
    .execute();
}

/** Active members by name; those of `ids` when given. */
export async function listMembers(tx: Tx, scope: TenantScope, ids?: readonly string[]): Promise<Person[]> {
  if (ids?.length === 0) return [];
  return await tx
    .selectFrom('membership as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.fullname as name', 'u.email'])
    .where('m.tenant_id', '=', scope.tenantId)
    .where('u.status', '=', 'active')
    .$if(ids !== undefined, (query) => query.where('u.id', 'in', [...(ids ?? [])]))
    .orderBy(sql`lower(u.fullname)`)
    .orderBy('u.id')
    .limit(1000)
    .execute();
}

export type DueTenant = Pick<SettingsRow, 'locale' | 'time_zone' | 'last_month'> & { id: string; created_at: Date };

/** In a system transaction: tenants whose plan has reports and who want them, after the one named, by id. */
export async function listScheduled(tx: Tx, after: string, limit: number): Promise<DueTenant[]> {
  const { rows } = await sql<DueTenant>`
    select t.id, t.created_at, s.locale, s.time_zone, s.last_month
    from tenant t left join executive_report_settings s on s.tenant_id = t.id
    where t.id > ${after}::uuid and (t.sku_info ->> 'is_mdr_enabled')::boolean and coalesce(s.enabled, true)
    order by t.id limit ${limit}`.execute(tx);
  return rows;
}
