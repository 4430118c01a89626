import type { Tx } from '../../storage/schema.ts';

/** How people of a tenant may sign in. */
export type SignInPolicy = {
  /** Passwords and passkeys open nothing, except for the accounts of `breakGlass`. */
  readonly ssoRequired: boolean;
  /** Usernames that may use their password and authenticator whatever `ssoRequired` says. */
  readonly breakGlass: readonly string[];
  /** Whoever comes through an external account needs an authenticator of ours too. */
  readonly socialNeedsAuthenticator: boolean;
};

export interface TenantSettingsPort {
  signInPolicy(tx: Tx, tenantId: string): Promise<SignInPolicy>;
  /** False while the kill switch is on. */
  automationEnabled(tx: Tx, tenantId: string): Promise<boolean>;
}
