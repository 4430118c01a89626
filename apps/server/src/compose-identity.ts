import type { Egress } from '@airdeck/connector-kit/egress';
import type { KeyProvider } from '@airdeck/connector-kit/secrets';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import type { AuditLog } from './modules/audit/audit-log.ts';
import { createSecurityRecord } from './modules/audit/security-record.ts';
import { createClerkModule } from './modules/clerk/clerk-module.ts';
import { createIdentityModule } from './modules/identity/identity-module.ts';
import { openIdentityPool } from './modules/identity/identity-pool.ts';
import { type PasswordCost, presentCost } from './modules/identity/password-hash.ts';
import { LOCAL_ISSUER } from './modules/identity/sign-in-provider.ts';
import type { Purchases, Tickets } from './modules/identity/sign-up.ts';
import { endSessionsOfConnection, endUnfitSessions } from './modules/identity/sso-sessions.ts';
import type { KeyedAnswers } from './modules/keyed-answers/keyed-answers.ts';
import type { Mail } from './modules/mail/mail-port.ts';
import type { AccountNotices, Notices } from './modules/notifications/notifications-port.ts';
import { createBreakGlass } from './modules/settings/break-glass.ts';
import { tenantSettings } from './modules/settings/settings-module.ts';
import type { ResolveTxt } from './modules/sso/domain-records.ts';
import { createSsoModule } from './modules/sso/sso-module.ts';
import { tenantChanges } from './modules/tenants/tenant-changes.ts';
import type { TenantsService, UserRow } from './modules/tenants/tenants-port.ts';
import { noteSignIn } from './modules/users/users-module.ts';
import type { Database } from './storage/database.ts';
import type { Tx } from './storage/schema.ts';

type Dependencies = {
  db: Database;
  databaseUrl: string;
  log: Logger;
  ids: () => string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
  config: Pick<Config, 'clerk' | 'dashboard' | 'http' | 'role' | 'signIn' | 'sessionIdleS'>;
  secret: string;
  /** That of the product when left out. */
  passwordCost: PasswordCost | undefined;
  /** Keys that open the tenants' data keys. */
  keys: KeyProvider;
  audit: AuditLog;
  egress: Egress;
  /** For calls to what the configuration names, which may be on this machine. */
  ownEgress: { readonly signIn: Egress; readonly clerk: Egress };
  resolveTxt: ResolveTxt;
  mail: Mail;
  accountNotices: AccountNotices;
  notices: Notices;
  keyedAnswers: KeyedAnswers;
  tenants: TenantsService;
  /** Where people reach us; known once the server listens. */
  ownAddress: () => string;
  tickets: Tickets;
  purchases: Purchases | undefined;
};

export type Identity = ReturnType<typeof composeIdentity>;

/** Who is there: the built-in sign-in, the tenants' own identity providers, and Clerk where it is set up. */
export function composeIdentity(deps: Dependencies) {
  const { config, db, log, ids, now, randomBytes, audit, egress, tenants, ownAddress } = deps;
  const common = { db, log, ids, now, randomBytes };
  const { publicUrl } = config.http;
  const redirectUri = () => `${ownAddress().replace(/\/$/, '')}/auth/external/callback`;
  const breakGlass = createBreakGlass({ endUnfitSessions, now });
  const sso = createSsoModule({
    ...common,
    ...{ audit, egress, redirectUri, breakGlass, keys: deps.keys, tenants: tenantChanges, settings: tenantSettings },
    ...{ ownEgress: deps.ownEgress.signIn, resolveTxt: deps.resolveTxt, notices: deps.notices },
    keyedAnswers: deps.keyedAnswers,
    installation: config.signIn,
    endSessions: endSessionsOfConnection,
  });
  const clerk =
    config.clerk &&
    createClerkModule({
      ...common,
      ...config.clerk,
      ...{ egress: deps.ownEgress.clerk, tenants, ownAddress, noteSignIn },
      runsJobs: config.role === 'all' || config.role === 'worker',
    });
  const onSignIn = (tx: Tx, userId: string) => noteSignIn(tx, userId, now());
  const pool = openIdentityPool({ url: deps.databaseUrl, log });
  const local = createIdentityModule({
    ...common,
    ...{ pool, audit, mail: deps.mail, ownAddress, redirectUri, tenants, breakGlass, settings: tenantSettings },
    secret: deps.secret,
    sessionIdleS: config.sessionIdleS,
    passwordCost: deps.passwordCost ?? presentCost,
    secure: publicUrl?.startsWith('https:') === true,
    productName: config.dashboard.product_name,
    record: createSecurityRecord({
      ...{ db, audit },
      findUser: tenants.findUser,
      notices: deps.accountNotices,
      onSignIn,
    }),
    ...{ connections: sso.connections, oidcClient: sso.client, issuers: clerk === undefined ? [] : [clerk.issuer] },
    ...{ tickets: deps.tickets, purchases: deps.purchases },
  });

  return {
    sso,
    clerk,
    onSignIn,
    local,
    breakGlass,
    /** What the provider of an identity knows of it. */
    findSignIn: async ({ issuer, subject }: { issuer: string; subject: string }) =>
      issuer === LOCAL_ISSUER ? await local.users.findProfile(subject) : await clerk?.findSignIn({ issuer, subject }),
    /** Whether an external account is enough for the user; Clerk decides that for its own. */
    externalSuffices: async ({ id, identity_issuer }: Pick<UserRow, 'id' | 'identity_issuer'>) =>
      identity_issuer !== LOCAL_ISSUER || (await local.externalSuffices(id)),
    removeSignIn: async (tx: Tx, user: Parameters<typeof local.users.remove>[1]) => {
      const name = (await tenants.findUser(tx, user))?.uname ?? '';
      const by = { actor: { kind: 'user', id: user, name }, requestId: null } as const;
      await audit.recordAll(tx, await breakGlass.withdraw(tx, { user }, by));
      await local.users.remove(tx, user);
      await clerk?.removeSignIn(tx, user);
    },
    verifier: clerk?.verifierWith(local.verifier) ?? local.verifier,
    /** Served only where people sign in here: Clerk has addresses of its own. */
    authCalls: clerk === undefined ? { calls: local.authCalls, counter: local.authCallCounter } : undefined,
    closePool: () => pool.end(),
  };
}
