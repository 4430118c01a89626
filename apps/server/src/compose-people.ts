import type { Logger } from 'pino';
import type { Identity } from './compose-identity.ts';
import { createAuthorization } from './http/authorization.ts';
import type { CallQuotas } from './http/call-quotas.ts';
import type { RefusalLog } from './http/refusal-log.ts';
import type { AuditLog } from './modules/audit/audit-log.ts';
import type { CasePeople } from './modules/cases/case-people.ts';
import { withoutClerk } from './modules/clerk/clerk-module.ts';
import { createCustomersModule } from './modules/customers/customers-module.ts';
import { endUnfitSessions } from './modules/identity/sso-sessions.ts';
import { createMailDelivery } from './modules/invitations/invitation-mail.ts';
import { createInvitationsModule } from './modules/invitations/invitations-module.ts';
import { createSetUp } from './modules/invitations/set-up.ts';
import type { KeyedAnswers } from './modules/keyed-answers/keyed-answers.ts';
import type { LogReportModule } from './modules/log-report/log-report-module.ts';
import type { Mail } from './modules/mail/mail-port.ts';
import { createMeModule } from './modules/me/me-module.ts';
import { createAccessCache } from './modules/tenants/access-cache.ts';
import { tenantChanges } from './modules/tenants/tenant-changes.ts';
import type { TenantsService } from './modules/tenants/tenants-port.ts';
import { createUsersModule } from './modules/users/users-module.ts';
import type { Database } from './storage/database.ts';

type Dependencies = {
  db: Database;
  log: Logger;
  ids: () => string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
  audit: AuditLog;
  refusals: RefusalLog;
  keyedAnswers: KeyedAnswers;
  quotas: Pick<CallQuotas, 'refusedAnyway'>;
  mail: Mail;
  tenants: TenantsService;
  identity: Identity;
  casePeople: CasePeople;
  eventUsage: LogReportModule['usage'];
  productName: string;
  ownAddress: () => string;
  /** The installation's secret, which keys are made from. */
  secret: string;
};

/** Who belongs to which tenant, and what each may do there. */
export function composePeople(deps: Dependencies) {
  const { db, log, ids, now, randomBytes, audit, refusals, tenants, identity, casePeople } = deps;
  const common = { db, log, ids, now, randomBytes };
  const naming = { productName: deps.productName, ownAddress: deps.ownAddress };
  const me = createMeModule({
    ...common,
    ...{ secret: deps.secret, tenants, audit, findSignIn: identity.findSignIn, removeSignIn: identity.removeSignIn },
    externalSuffices: identity.externalSuffices,
    cases: { unassign: (tx, username, from) => casePeople.unassign(tx, username, from) },
  });
  const invitations = createInvitationsModule({
    ...common,
    ...{ audit, refusals, tenants },
    onSignIn: identity.onSignIn,
    endUnfitSessions,
    deliver: identity.clerk?.deliver ?? createMailDelivery({ mail: deps.mail, ...naming }),
    findProfile: identity.findSignIn,
    findHosted: identity.clerk?.findInvitation,
    findLeft: identity.clerk?.findLeft,
  });
  const users = createUsersModule({
    ...{ db, audit, tenants, identity: identity.local.users, breakGlass: identity.breakGlass },
    invitations: invitations.service,
    keyedAnswers: deps.keyedAnswers,
  });
  const customers = createCustomersModule({
    ...{ db, now, audit, refusals, tenantChanges, tenants, eventUsage: deps.eventUsage },
    invitations: invitations.invitations,
    keyedAnswers: deps.keyedAnswers,
  });
  const access = createAccessCache({ db, now, tenants, apiKeys: me.apiKeys });

  return {
    handlers: {
      ...(identity.clerk?.handlers ?? withoutClerk),
      ...me.handlers,
      ...invitations.handlers,
      ...users.handlers,
      ...customers.handlers,
    },
    apiKeys: me.apiKeys,
    invitations,
    access,
    authorization: createAuthorization({ verifier: identity.verifier, access, refusals, quotas: deps.quotas }),
    openSetUp: createSetUp({ ...common, ...naming, audit, tenants }),
  };
}
