/**
 * Settings of a tenant and its kill switch. The switch is two facts written in one transaction: the setting, which people
 * see and rule responses ask, and the engine's hold, which keeps the steps of runs from beginning.
 */
import type { TenantSettings, tenantSettingsInputSchema } from '@airdeck/contracts/settings/schema';
import type { Brand } from '@airdeck/contracts/tenants/schema';
import type { z } from 'zod';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditEntry, AuditLog } from '../audit/audit-log.ts';
import { LOCAL_ISSUER } from '../identity/sign-in-provider.ts';
import type { TenantChanges } from '../tenants/tenant-changes.ts';
import type { ChangedBy } from '../tenants/tenants-port.ts';
import { requirePng } from './logo.ts';
import type { TenantSettingsPort } from './settings-port.ts';
import {
  countUnlinked,
  findSettings,
  listAbleToBreakGlass,
  putSettings,
  type SettingsRow,
  type StoredSettings,
} from './settings-repository.ts';

export type SettingsInput = z.output<typeof tenantSettingsInputSchema>;

/** Stops and continues the runs of a tenant, in the caller's transaction. */
export type AutomationSwitch = {
  hold(tx: Tx, tenantId: string): Promise<void>;
  release(tx: Tx, tenantId: string): Promise<void>;
};

export type SettingsDependencies = {
  audit: Pick<AuditLog, 'recordAll'>;
  tenants: TenantChanges;
  automation: AutomationSwitch;
  sso: Pick<TenantSettingsPort, 'singleSignOn'>;
  /** Ends sessions of people at home in the tenant that its rules would not open now; how many. */
  endUnfitSessions: (tx: Tx, tenantId: string) => Promise<number>;
  now: () => Date;
};

export type SettingsService = ReturnType<typeof createSettingsService>;

export function createSettingsService(deps: SettingsDependencies) {
  async function get(tx: Tx, scope: TenantScope): Promise<TenantSettings> {
    const settings = onTheWire(await existing(tx, scope));
    const unlinked_members = await countUnlinked(tx, scope, settings.sign_in.break_glass);
    return { ...settings, sign_in: { ...settings.sign_in, unlinked_members } };
  }

  return {
    /** Needs a system transaction, which sees the accounts people sign in with. Throws NOT_FOUND. */
    get,
    /** Needs a system transaction. Throws VALIDATION_FAILED naming the field, and CONFLICT where sign-in would lock out all. */
    async update(tx: Tx, scope: TenantScope, input: SettingsInput, by: ChangedBy): Promise<TenantSettings> {
      await deps.tenants.lock(tx, scope);
      const before = await existing(tx, scope);
      await requireValid(deps, tx, scope, { input, before });
      const now = deps.now();
      const { after, switched } = changed(before, input, { now, username: by.actor.name });
      const brand = input.brand && brandAfter(before, input.brand);
      await deps.tenants.update(tx, scope, { name: input.name, brand });
      await putSettings(tx, scope, { ...after, updated_at: now });
      if (switched && after.automation_enabled) await deps.automation.release(tx, scope.tenantId);
      if (switched && !after.automation_enabled) await deps.automation.hold(tx, scope.tenantId);
      // Who could not sign in like that any more is not to stay signed in like that either, the caller included.
      const isStricter =
        (input.sign_in !== undefined && after.sso_required) ||
        (input.mfa !== undefined && after.mfa_required_for_social);
      const ended = isStricter ? await deps.endUnfitSessions(tx, scope.tenantId) : 0;
      await deps.audit.recordAll(tx, records(scope, { before, after, input, switched, ended }, by));
      return await get(tx, scope);
    },
  };
}

async function existing(tx: Tx, scope: TenantScope): Promise<SettingsRow> {
  const row = await findSettings(tx, scope);
  if (row === undefined) throw new AppError('NOT_FOUND');
  return row;
}

function onTheWire(row: SettingsRow): TenantSettings {
  const planDays = row.sku_info.retention_length_days;
  return {
    name: row.name,
    brand: row.brand,
    mfa: { required_for_social: row.mfa_required_for_social },
    sign_in: { sso_required: row.sso_required, break_glass: row.break_glass },
    retention: {
      // A plan that was made smaller counts at once.
      days: Math.min(row.retention_days ?? planDays, planDays),
      plan_days: planDays,
      search_days: row.sku_info.search_length_days,
    },
    automation: {
      enabled: row.automation_enabled,
      changed_by: row.automation_changed_by,
      changed_at: row.automation_changed_at?.toISOString() ?? null,
    },
    approvals: { two_people: row.two_people_approve },
    is_provider: row.is_provider,
    updated_at: row.updated_at.toISOString(),
  };
}

async function requireValid(
  deps: Pick<SettingsDependencies, 'sso'>,
  tx: Tx,
  scope: TenantScope,
  { input, before }: { input: SettingsInput; before: SettingsRow },
): Promise<void> {
  const planDays = before.sku_info.retention_length_days;
  if (input.retention !== undefined && input.retention.days > planDays) {
    throw invalid('body.retention.days', `The plan of this tenant keeps events for ${planDays} days at most.`);
  }
  if (input.brand?.logo) requirePng(input.brand.logo);
  if (input.sign_in === undefined) return;
  const signIn = signInAfter(before, input.sign_in);
  // Passwords can be let in again whatever has become of the accounts that are named.
  if (signIn.sso_required || input.sign_in.break_glass !== undefined) await requireWayIn(deps, tx, scope, signIn);
}

function signInAfter(before: SettingsRow, given: NonNullable<SettingsInput['sign_in']>) {
  return {
    sso_required: given.sso_required ?? before.sso_required,
    break_glass: [...new Set(given.break_glass ?? before.break_glass)],
  };
}

function brandAfter({ brand }: SettingsRow, given: NonNullable<SettingsInput['brand']>): Brand {
  return {
    // In the order it came in, so that a record says what differs.
    ...brand,
    display_name: given.display_name ?? brand.display_name,
    colour: given.colour === undefined ? brand.colour : given.colour,
    logo: given.logo === undefined ? brand.logo : given.logo,
  };
}

async function requireWayIn(
  { sso }: Pick<SettingsDependencies, 'sso'>,
  tx: Tx,
  scope: TenantScope,
  { sso_required, break_glass: usernames }: ReturnType<typeof signInAfter>,
): Promise<void> {
  const able = await listAbleToBreakGlass(tx, scope, { usernames, issuer: LOCAL_ISSUER });
  const unable = usernames.filter((username) => !able.includes(username));
  if (unable.length > 0) {
    const who = unable.join(', ');
    throw invalid(
      'body.sign_in.break_glass',
      `Only Admins of this tenant with a password and an authenticator can be break-glass accounts: ${who}.`,
    );
  }
  if (!sso_required) return;
  if (able.length === 0) {
    throw new AppError('CONFLICT', {
      message: 'Name at least one break-glass account first, so that somebody gets in when single sign-on is down.',
    });
  }
  if ((await sso.singleSignOn(tx, scope.tenantId)) !== 'usable') {
    throw new AppError('CONFLICT', {
      message:
        'Set up and enable a single sign-on connection first, and prove its e-mail domain: without one nobody could sign in.',
    });
  }
}

export function invalid(path: string, message: string): AppError {
  return new AppError('VALIDATION_FAILED', { message, details: [{ path, message }] });
}

function changed(before: SettingsRow, input: SettingsInput, by: { now: Date; username: string }) {
  const enabled = input.automation?.enabled ?? before.automation_enabled;
  const switched = enabled !== before.automation_enabled;
  const after: StoredSettings = {
    mfa_required_for_social: input.mfa?.required_for_social ?? before.mfa_required_for_social,
    ...signInAfter(before, input.sign_in ?? {}),
    retention_days: input.retention?.days ?? before.retention_days,
    automation_enabled: enabled,
    automation_changed_by: switched ? by.username : before.automation_changed_by,
    automation_changed_at: switched ? by.now : before.automation_changed_at,
    two_people_approve: input.approvals?.two_people ?? before.two_people_approve,
  };
  return { after, switched };
}

type Change = { before: SettingsRow; after: StoredSettings; input: SettingsInput; switched: boolean; ended: number };

/** The kill switch has a record of its own, so that alerts can be written against it; all other settings share one. */
function records(scope: TenantScope, change: Change, by: ChangedBy): AuditEntry[] {
  const { input, switched, after } = change;
  const entry = {
    tenant: scope.tenantId,
    actor: by.actor,
    target: { kind: 'tenant', id: scope.tenantId },
    outcome: 'ok',
    request_id: by.requestId,
  } as const;
  const others = Object.keys(input).some((part) => part !== 'automation');
  return [
    ...(switched ? [{ ...entry, action: switchedTo(after.automation_enabled) }] : []),
    ...(others || !switched ? [{ ...entry, action: 'settings.update' as const, data: differences(change) }] : []),
  ];
}

function switchedTo(enabled: boolean): AuditEntry['action'] {
  return enabled ? 'automation.enable' : 'automation.disable';
}

/** From → to of what changed; a picture is too much for a record. */
function differences({ before, after, input, ended }: Change): Record<string, unknown> {
  const wasBrand = { ...before.brand, logo: before.brand.logo !== null };
  const now = brandAfter(before, input.brand ?? {});
  const brand = { ...now, logo: now.logo !== null };
  const pairs: Record<string, [unknown, unknown]> = {
    name: [before.name, input.name ?? before.name],
    brand: [wasBrand, brand],
    mfa_required_for_social: [before.mfa_required_for_social, after.mfa_required_for_social],
    sso_required: [before.sso_required, after.sso_required],
    break_glass: [before.break_glass, after.break_glass],
    retention_days: [before.retention_days, after.retention_days],
    two_people_approve: [before.two_people_approve, after.two_people_approve],
  };
  const differing = Object.entries(pairs).filter(([, [from, to]]) => JSON.stringify(from) !== JSON.stringify(to));
  return {
    ...Object.fromEntries(differing.map(([name, [from, to]]) => [name, { from, to }])),
    ...(ended === 0 ? {} : { sessions_ended: ended }),
  };
}
