import type { Role } from '@airdeck/contracts/access/roles';
import { type Database, sqlClient } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { SignInPolicy, TenantSettingsPort } from '../settings/settings-port.ts';
import type { ConnectionChoice } from '../sso/sso-port.ts';
import type { TenantsService, UserRow } from '../tenants/tenants-port.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What a password or passkey of ours may open. `break_glass`: it may, although single sign-on is required. */
export type LocalSignIn = 'open' | 'break_glass' | 'sso_required' | 'user_disabled';

export type ExternalSignIn = 'open' | 'sso_required' | 'connection_gone' | 'user_disabled';

/**
 * A session is opened after its way in was found to be allowed, and the rules may change in between. Whoever opens one
 * asks once more when it is there: these answers wait for a change of the rules that is under way, and such a change ends
 * the sessions it finds, so one of both sees the other.
 */
export type SsoPolicy = {
  /**
   * By the rules of the user's home tenant, while they are a member there: who was removed keeps it as home until another
   * tenant takes them in. A sign-in without a user of ours is open: there is nobody to have rules.
   */
  localSignIn(externalId: string): Promise<LocalSignIn>;
  /** The same for a session that began with a connection, which also has to be there still. */
  externalSignIn(externalId: string, connectionId: string): Promise<ExternalSignIn>;
  /** Whether an external account is enough, or a second factor of ours has to be set up and given. */
  externalSuffices(externalId: string): Promise<boolean>;
  /**
   * The tenant whose connections alone let the user in; undefined where a password or passkey does too. In the caller's
   * system transaction, until whose end its rules stay as they are.
   */
  requiredTenant(tx: Tx, externalId: string): Promise<string | undefined>;
  /** What opens a tenant that asks for single sign-on to somebody it invites; undefined where a password does too. */
  onlyConnections(tenantId: string): Promise<ConnectionChoice[] | undefined>;
};

type Dependencies = {
  db: Pick<Database, 'system'>;
  tenants: Pick<TenantsService, 'findUser' | 'findMembership'>;
  settings: Pick<TenantSettingsPort, 'signInPolicy'>;
};

export function createSsoPolicy({ db, tenants, settings }: Dependencies): SsoPolicy {
  /** `settled` waits for a change of the tenant's rules that is under way. */
  async function policyOf(tx: Tx, externalId: string, { settled = false } = {}) {
    const user = await tenants.findUser(tx, externalId);
    if (user === undefined) return undefined;
    if (settled) await sqlClient(tx).query('select 1 from tenant where id = $1 for share', [user.home_tenant_id]);
    return { user, policy: await homePolicy(tx, { tenants, settings }, user) };
  }

  async function localSignIn(tx: Tx, externalId: string): Promise<LocalSignIn> {
    const found = await policyOf(tx, externalId, { settled: true });
    if (found?.user.status === 'disabled') return 'user_disabled';
    if (found?.policy?.ssoRequired !== true) return 'open';
    const { user, policy } = found;
    // Whatever the list says: somebody who is no Admin any more is nobody's way in.
    const isBreakGlass = isNamed(policy.breakGlass, user.uname) && policy.role === 'Admin' && user.status === 'active';
    return isBreakGlass ? 'break_glass' : 'sso_required';
  }

  return {
    localSignIn: (externalId) => db.system((tx) => localSignIn(tx, externalId)),
    externalSignIn: (externalId, connectionId) =>
      db.system(async (tx) => {
        const found = await policyOf(tx, externalId, { settled: true });
        const owner = await ownerOf(tx, connectionId);
        if (owner === 'gone') return 'connection_gone';
        if (found?.user.status === 'disabled') return 'user_disabled';
        if (found?.policy?.ssoRequired !== true) return 'open';
        return owner === found.user.home_tenant_id ? 'open' : 'sso_required';
      }),
    externalSuffices: (externalId) =>
      db.system(async (tx) => {
        const found = await policyOf(tx, externalId);
        return found?.policy?.socialNeedsAuthenticator !== true;
      }),
    requiredTenant: async (tx, externalId) =>
      (await localSignIn(tx, externalId)) === 'sso_required'
        ? (await tenants.findUser(tx, externalId))?.home_tenant_id
        : undefined,
    onlyConnections: (tenantId) =>
      db.system(async (tx) => {
        if (!(await settings.signInPolicy(tx, tenantId)).ssoRequired) return undefined;
        // Whatever domain the invited address has: who is invited is not asked for a proved one.
        const { rows } = await sqlClient(tx).query<ConnectionChoice>(
          'select id, kind, label from sso_connection where tenant_id = $1 and enabled order by label, id',
          [tenantId],
        );
        return rows;
      }),
  };
}

/** The rules of the user's home tenant and their role there; undefined for who is no member of it. */
export async function homePolicy(
  tx: Tx,
  { tenants, settings }: Pick<Dependencies, 'settings'> & { tenants: Pick<TenantsService, 'findMembership'> },
  user: Pick<UserRow, 'id' | 'home_tenant_id'>,
): Promise<(SignInPolicy & { readonly role: Role }) | undefined> {
  const membership = await tenants.findMembership(tx, user.id, user.home_tenant_id);
  if (membership === undefined) return undefined;
  return { ...(await settings.signInPolicy(tx, user.home_tenant_id)), role: membership.role };
}

/** The tenant whose connection it is; null for the installation's own. Waits for a change of the connection. */
async function ownerOf(tx: Tx, connectionId: string): Promise<string | null | 'gone'> {
  if (!UUID.test(connectionId)) return null;
  const { rows } = await sqlClient(tx).query<{ tenant_id: string; enabled: boolean }>(
    'select tenant_id, enabled from sso_connection where id = $1 for share',
    [connectionId],
  );
  const [row] = rows;
  return row?.enabled === true ? row.tenant_id : 'gone';
}

function isNamed(usernames: readonly string[], uname: string): boolean {
  const own = uname.toLowerCase();
  return usernames.some((username) => username.toLowerCase() === own);
}
