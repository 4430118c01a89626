import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantSettingsPort } from '../settings/settings-port.ts';
import type { TenantsService } from '../tenants/tenants-port.ts';

/** What a password or passkey of ours may open. `break_glass`: it may, although single sign-on is required. */
export type LocalSignIn = 'open' | 'break_glass' | 'sso_required';

export type SsoPolicy = {
  /** By the rules of the user's home tenant. A sign-in without a user of ours is open: there is nobody to have rules. */
  localSignIn(externalId: string): Promise<LocalSignIn>;
  /** Whether an external account is enough, or a second factor of ours has to be set up and given. */
  externalSuffices(externalId: string): Promise<boolean>;
};

type Dependencies = {
  db: Pick<Database, 'system'>;
  tenants: Pick<TenantsService, 'findUser'>;
  settings: Pick<TenantSettingsPort, 'signInPolicy'>;
};

export function createSsoPolicy({ db, tenants, settings }: Dependencies): SsoPolicy {
  async function policyOf(tx: Tx, externalId: string) {
    const user = await tenants.findUser(tx, externalId);
    if (user === undefined) return undefined;
    return { user, policy: await settings.signInPolicy(tx, user.home_tenant_id) };
  }

  return {
    localSignIn: (externalId) =>
      db.system(async (tx) => {
        const found = await policyOf(tx, externalId);
        if (found === undefined || !found.policy.ssoRequired) return 'open';
        const { user, policy } = found;
        return isBreakGlass(policy.breakGlass, user.uname) ? 'break_glass' : 'sso_required';
      }),
    externalSuffices: (externalId) =>
      db.system(async (tx) => {
        const found = await policyOf(tx, externalId);
        return found === undefined || !found.policy.socialNeedsAuthenticator;
      }),
  };
}

function isBreakGlass(usernames: readonly string[], uname: string): boolean {
  const own = uname.toLowerCase();
  return usernames.some((username) => username.toLowerCase() === own);
}
