import type { CurrentUser, currentUserUpdateSchema } from '@airdeck/contracts/me/schema';
import type { StoredPreferences } from '@airdeck/contracts/notifications/schema';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { isTimeZone } from '@airdeck/domain/time-zone';
import type { z } from 'zod';
import { AppError } from '../../http/app-error.ts';
import type { Confirm } from '../../http/confirmation.ts';
import type { Caller } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { auditActor } from '../audit/audit-actor.ts';
import type { CasePeople } from '../cases/case-people.ts';
import type { LocalUsers } from '../identity/local-users.ts';
import { changedPreferences, shownPreferences } from '../notifications/default-preferences.ts';
import type { ListedMembership, ProfileChange, TenantsService, UserRow } from '../tenants/tenants-port.ts';
import type { ApiKeysService } from './api-keys-port.ts';
import { lowerRole } from './lower-role.ts';

export type MeDependencies = {
  db: Pick<Database, 'system'>;
  tenants: Pick<
    TenantsService,
    | 'findMembership'
    | 'findUser'
    | 'lockUser'
    | 'listMemberships'
    | 'changeProfile'
    | 'lockAdmins'
    | 'isLastAdmin'
    | 'deleteUser'
  >;
  /** What the identity provider knows of the user; undefined where nobody of that name is known. */
  findSignIn: (identity: {
    issuer: string;
    subject: string;
  }) => Promise<{ hasMfa: boolean; hasExternal: boolean } | undefined>;
  /** Whether an account of another provider is enough to sign in with, by the rules the user is under. */
  externalSuffices: (user: UserRow) => Promise<boolean>;
  removeSignIn: LocalUsers['remove'];
  cases: CasePeople;
};

export type ProfileInput = z.output<typeof currentUserUpdateSchema>;

type By = { caller: Caller; requestId: string };

export async function readCurrentUser(deps: MeDependencies, caller: Caller): Promise<CurrentUser> {
  const { user, memberships } = await deps.db.system(async (tx) => ({
    user: await deps.tenants.findUser(tx, caller.userId),
    memberships: await deps.tenants.listMemberships(tx, caller.userId),
  }));
  if (user === undefined) throw new AppError('TOKEN_INVALID');
  const signIn = await deps.findSignIn({ issuer: user.identity_issuer, subject: user.identity_subject });
  const visible = visibleMemberships(memberships, caller);
  const preferences = shownPreferences(user.notification_preferences);
  // Whoever has the address can write there, and it takes the notices of all tenants: a key is of one.
  const isKey = caller.apiKey !== undefined;
  return {
    user: {
      id: user.id,
      uname: user.uname,
      fullname: user.fullname,
      email: user.email,
      tenant: user.home_tenant_id,
      locale: user.locale,
      phone: isKey ? '' : user.phone,
      job_title: user.job_title,
      timezone: user.timezone,
      notification_preferences: isKey ? { ...preferences, webhook_url: null } : preferences,
      external_id: user.id,
      mfa_enabled: signIn?.hasMfa === true,
      social: signIn?.hasExternal === true && (await deps.externalSuffices(user)),
    },
    allowed_tenants: visible.map((row) => ({ id: row.id, fullname: row.name })),
    tenant_roles: Object.fromEntries(visible.map((row) => [row.id, row.role])),
    tenants: Object.fromEntries(
      visible.map(({ id, sku_info, managed_by, is_provider, brand: { display_name, colour } }) => [
        id,
        { sku_info, managed_by, is_provider, brand: { display_name, colour } },
      ]),
    ),
  };
}

/** Throws VALIDATION_FAILED for a time zone nobody knows. */
export async function changeOwnProfile(deps: MeDependencies, input: ProfileInput, by: By): Promise<CurrentUser> {
  const { caller, requestId } = by;
  const { timezone } = input;
  if (timezone !== undefined && timezone !== '' && !isTimeZone(timezone)) {
    throw new AppError('VALIDATION_FAILED', {
      details: [{ path: 'body.timezone', message: 'A time zone such as America/Sao_Paulo, or nothing.' }],
    });
  }
  if (Object.values(input).some((value) => value !== undefined)) {
    const changedBy = { actor: auditActor(caller), requestId };
    await deps.db.system(async (tx) => {
      const stored = await deps.tenants.lockUser(tx, caller.userId);
      const change = given(input, stored?.notification_preferences ?? null);
      await deps.tenants.changeProfile(tx, caller.userId, change, changedBy);
    });
  }
  return await readCurrentUser(deps, caller);
}

type Deletion = By & { confirm: Confirm; apiKeys: Pick<ApiKeysService, 'revokeAll'> };

/**
 * Deletes the account of the caller: sign-in and sessions, keys, memberships and everything personal, in one
 * transaction; what `TenantsService.deleteUser` keeps is said there. Cases that are not closed lose their assignee.
 * Throws LAST_ADMIN naming the tenants that would be left without one.
 */
export async function deleteOwnAccount(deps: MeDependencies, deletion: Deletion): Promise<void> {
  const { caller, requestId, confirm, apiKeys } = deletion;
  const by = { actor: auditActor(caller), requestId };
  await deps.db.system((tx) => requireNoLastAdmin(deps, tx, caller.userId));
  await confirm({
    object: caller.userId,
    title: refusal('ASK_OWN_ACCOUNT'),
    text: [refusal('ASK_OWN_ACCOUNT_TEXT')],
    action_label: refusal('ASK_LABEL_DELETE_ACCOUNT'),
    passphrase: {
      expected: caller.username,
      hint: refusal('ASK_OWN_ACCOUNT_HINT', { username: caller.username }),
    },
  });
  await deps.db.system(async (tx) => {
    const memberships = await requireNoLastAdmin(deps, tx, caller.userId);
    const left = memberships.map(({ id: tenant }) => ({ tenant, by: caller.username }));
    await deps.cases.unassign(tx, caller.username, left);
    const revoked = await apiKeys.revokeAll(tx, { user: caller.userId }, by);
    await deps.removeSignIn(tx, caller.userId);
    await deps.tenants.deleteUser(tx, caller.userId, by, revoked);
  });
}

/** Locks the tenants of the user in ascending order and returns them. */
async function requireNoLastAdmin(deps: MeDependencies, tx: Tx, user: string): Promise<ListedMembership[]> {
  const memberships = (await deps.tenants.listMemberships(tx, user)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const orphaned: string[] = [];
  for (const { id: tenant, name } of memberships) {
    await deps.tenants.lockAdmins(tx, tenant);
    if (await deps.tenants.isLastAdmin(tx, { tenant, user })) orphaned.push(name);
  }
  if (orphaned.length > 0) {
    throw new AppError('LAST_ADMIN', refusal('LAST_ADMIN_OF', { tenants: orphaned.sort().join(', ') }));
  }
  return memberships;
}

function visibleMemberships(memberships: readonly ListedMembership[], { apiKey }: Caller): ListedMembership[] {
  if (apiKey === undefined) return [...memberships];
  return memberships
    .filter((row) => row.id === apiKey.tenant)
    .map((row) => ({ ...row, role: lowerRole(row.role, apiKey.role) }));
}

/** Only what was given. */
function given(input: ProfileInput, stored: StoredPreferences | null): ProfileChange {
  const { fullname, phone, job_title, locale, timezone, notification_preferences: preferences } = input;
  return {
    ...(fullname === undefined ? {} : { fullname }),
    ...(phone === undefined ? {} : { phone }),
    ...(job_title === undefined ? {} : { job_title }),
    ...(locale === undefined ? {} : { locale }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(preferences === undefined ? {} : { notification_preferences: changedPreferences(stored, preferences) }),
  };
}
