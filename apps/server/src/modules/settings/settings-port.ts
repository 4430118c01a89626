import type { Tx } from '../../storage/schema.ts';
import type { AuditEntry } from '../audit/audit-log.ts';
import type { ChangedBy } from '../tenants/tenants-port.ts';

/** How people of a tenant may sign in. */
export type SignInPolicy = {
  /** Passwords and passkeys open nothing, except for the accounts of `breakGlass`. */
  readonly ssoRequired: boolean;
  /**
   * Usernames that may use their password and authenticator whatever `ssoRequired` says, while they are active Admins of
   * the tenant.
   */
  readonly breakGlass: readonly string[];
  /** Whoever comes through an external account needs an authenticator of ours too. */
  readonly socialNeedsAuthenticator: boolean;
};

/**
 * What people of a tenant can sign in with besides passwords: `usable` is an enabled connection with a proved domain,
 * `unproved` one that no address leads to yet.
 */
export type SingleSignOn = 'usable' | 'unproved' | 'none';

export interface TenantSettingsPort {
  signInPolicy(tx: Tx, tenantId: string): Promise<SignInPolicy>;
  singleSignOn(tx: Tx, tenantId: string): Promise<SingleSignOn>;
  /** False while the kill switch is on. */
  automationEnabled(tx: Tx, tenantId: string): Promise<boolean>;
  /** Whether two different people answer a question that leads to an action that destroys. */
  twoPeopleApprove(tx: Tx, tenantId: string): Promise<boolean>;
}

/**
 * Who may still use a password where single sign-on is the only way in. Nobody keeps that right without what it needs, and
 * while single sign-on is required no change of people may take the last such account away. All need a system transaction
 * that holds the tenant (`lockAdmins`), and hand their records to the caller, who writes them with its own.
 */
export interface BreakGlass {
  /** Whether nobody would be left if this user lost what it needs, and single sign-on is required. */
  isOnly(tx: Tx, who: { tenant: string; user: string }): Promise<boolean>;
  /**
   * Takes the right away from somebody who loses what it needs, in one tenant or in all of them, and ends the sessions
   * they have only by it. Throws CONFLICT where that would leave a tenant without such an account, unless it is forced:
   * no tenant can keep an account alive which its own organisation has closed.
   */
  withdraw(tx: Tx, who: { user: string; tenant?: string; forced?: boolean }, by: ChangedBy): Promise<AuditEntry[]>;
  /** Takes everybody off the list who could not be put on it now. */
  review(tx: Tx, tenant: string, by: ChangedBy): Promise<AuditEntry[]>;
}
