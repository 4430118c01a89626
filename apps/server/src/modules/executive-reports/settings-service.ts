import type {
  ExecutiveReportSettings,
  ExecutiveReportSettingsInput,
} from '@airdeck/contracts/reports/executive-report';
import { locales } from '@airdeck/domain/display-time';
import { isTimeZone } from '@airdeck/domain/time-zone';
import { AppError } from '../../http/app-error.ts';
import { overtaken } from '../../http/overtaken.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { findAdminHabits } from '../tenants/admin-habits.ts';
import type { ChangedBy } from '../tenants/tenants-port.ts';
import { latestMonth, madeAt, monthOf } from './report-month.ts';
import {
  findSettings,
  type Habits,
  listContacts,
  listMembers,
  lockSettings,
  type Person,
  putSettings,
  type SettingsRow,
} from './settings-repository.ts';

export type SettingsService = ReturnType<typeof createSettingsService>;

/** All of it needs system transactions: it looks at people, who belong to several tenants. */
export function createSettingsService({ audit, now }: { audit: Pick<AuditLog, 'record'>; now: () => Date }) {
  /** What holds where the settings choose nothing. */
  async function habitsOf(
    tx: Tx,
    scope: TenantScope,
    chosen: Pick<SettingsRow, 'locale' | 'time_zone'>,
  ): Promise<Habits> {
    const admin = await findAdminHabits(tx, scope);
    const locale = chosen.locale ?? locales.find((one) => one === admin?.locale) ?? 'en-US';
    const zone = chosen.time_zone ?? admin?.timeZone ?? '';
    return { locale, timeZone: isTimeZone(zone) ? zone : 'UTC' };
  }

  async function shown(tx: Tx, scope: TenantScope, row: SettingsRow): Promise<ExecutiveReportSettings> {
    const { locale, timeZone } = await habitsOf(tx, scope, row);
    const contacts = await listContacts(tx, scope, row.contact_ids);
    const users = await listMembers(tx, scope, row.user_ids);
    return {
      enabled: row.enabled,
      locale: row.locale,
      time_zone: row.time_zone,
      contact_ids: contacts.map(({ id }) => id),
      user_ids: users.map(({ id }) => id),
      effective: { locale, time_zone: timeZone },
      recipients: [...contacts, ...users],
      next_report_at: row.enabled ? nextReport(timeZone, now()).toISOString() : null,
      updated_at: row.updated_at?.toISOString() ?? null,
    };
  }

  return {
    habitsOf,
    habits: async (tx: Tx, scope: TenantScope) => habitsOf(tx, scope, await findSettings(tx, scope)),
    get: async (tx: Tx, scope: TenantScope) => shown(tx, scope, await findSettings(tx, scope)),
    async set(tx: Tx, scope: TenantScope, input: ExecutiveReportSettingsInput, by: ChangedBy) {
      await lockSettings(tx, scope);
      const before = await findSettings(tx, scope);
      const seen = input.updated_at === null ? null : Date.parse(input.updated_at);
      if ((before.updated_at?.getTime() ?? null) !== seen) throw overtaken('body.updated_at');
      if (input.time_zone !== null) requireTimeZone(input.time_zone, 'body.time_zone');
      const [contactIds, userIds] = [[...new Set(input.contact_ids)], [...new Set(input.user_ids)]];
      requireAll(await listContacts(tx, scope, contactIds), contactIds, 'body.contact_ids');
      requireAll(await listMembers(tx, scope, userIds), userIds, 'body.user_ids');
      const row: SettingsRow = {
        ...{ enabled: input.enabled, locale: input.locale, time_zone: input.time_zone },
        ...{ contact_ids: contactIds, user_ids: userIds, updated_at: now() },
        // Switched on again, it begins with the month that ends next, not with one nobody asked for then.
        last_month:
          input.enabled && !before.enabled
            ? latestMonth(now(), (await habitsOf(tx, scope, input)).timeZone)
            : before.last_month,
      };
      await putSettings(tx, scope, row);
      await audit.record(tx, {
        tenant: scope.tenantId,
        actor: by.actor,
        action: 'executive_report_settings.update',
        target: { kind: 'tenant', id: scope.tenantId },
        data: { enabled: row.enabled, contacts: contactIds.length, users: userIds.length },
        outcome: 'ok',
        request_id: by.requestId,
      });
      return await shown(tx, scope, row);
    },
    async recipients(tx: Tx, scope: TenantScope): Promise<{ contacts: Person[]; users: Person[] }> {
      return { contacts: await listContacts(tx, scope), users: await listMembers(tx, scope) };
    },
    /** Each address once, also where somebody is a contact and a member. */
    async mailed(tx: Tx, scope: TenantScope): Promise<Person[]> {
      const row = await findSettings(tx, scope);
      const people = [
        ...(await listContacts(tx, scope, row.contact_ids)),
        ...(await listMembers(tx, scope, row.user_ids)),
      ];
      return [...new Map(people.map((person) => [person.email.toLowerCase(), person])).values()];
    },
    /** In the transaction that orders it. */
    async noteMonth(tx: Tx, scope: TenantScope, month: string): Promise<void> {
      await lockSettings(tx, scope);
      await putSettings(tx, scope, { ...(await findSettings(tx, scope)), last_month: month });
    },
  };
}

/** The one after the latest that could be there: that one, if it is not, is made within minutes. */
function nextReport(timeZone: string, now: Date): Date {
  const afterLatest = monthOf(madeAt(latestMonth(now, timeZone), timeZone), timeZone);
  return madeAt(afterLatest, timeZone);
}

export function requireTimeZone(name: string, path: string): void {
  if (isTimeZone(name)) return;
  const message = 'A time zone such as Europe/Lisbon.';
  throw new AppError('VALIDATION_FAILED', { message, details: [{ path, message }] });
}

function requireAll(found: readonly Person[], ids: readonly string[], path: string): void {
  if (found.length === ids.length) return;
  const message = 'One of these does not exist any more.';
  throw new AppError('VALIDATION_FAILED', { message, details: [{ path, message }] });
}
