import { AppError } from '../../http/app-error.ts';
import { browserLocale } from '../../http/browser-locale.ts';
import type { Caller, Handlers, IdentityContext } from '../../http/handlers.ts';
import type { RefusalLog } from '../../http/refusal-log.ts';
import type { Database } from '../../storage/database.ts';
import type { LocalProfile } from '../identity/local-users.ts';
import type { AcceptingIdentity, Invitations } from './invitations-port.ts';
import { findByTicketHash } from './invitations-repository.ts';
import {
  createInvitationsService,
  hashOfTicket,
  type InvitationsDependencies,
  type InvitationsService,
} from './invitations-service.ts';

type Dependencies = InvitationsDependencies & {
  db: Pick<Database, 'system'>;
  refusals: RefusalLog;
  /** What the provider of the identity behind a token knows of it. */
  findProfile: (identity: Pick<IdentityContext['identity'], 'issuer' | 'subject'>) => Promise<LocalProfile | undefined>;
  /** The invitation behind a ticket of a hosted provider, which that provider has used up by then. */
  findHosted?:
    | ((identity: Pick<IdentityContext['identity'], 'issuer' | 'subject'>) => Promise<string | undefined>)
    | undefined;
};

export type InvitationsModule = {
  invitations: Invitations;
  service: InvitationsService;
  handlers: Handlers<'signup.invite'>;
};

export function createInvitationsModule(deps: Dependencies): InvitationsModule {
  const { db } = deps;
  const service = createInvitationsService(deps);
  const invitations: Invitations = {
    invite: service.invite,
    accept: service.accept,
    find: async (ticket, requestId = '') =>
      await db
        .system((tx) => service.findOpen(tx, ticket))
        .catch((error: unknown) => refuse(deps, error, { ticket, caller: undefined, requestId })),
  };
  return {
    invitations,
    service,
    handlers: {
      'signup.invite': async ({ body: { ticket } }, { identity, caller, requestId, raw }) => {
        const locale = browserLocale(raw.request.headers['accept-language']);
        const accepting = await acceptingIdentity(deps, identity);
        // Those of hosted providers are tokens with dots; ours have none.
        const invitation = ticket.includes('.') ? await deps.findHosted?.(identity) : undefined;
        const { tenant, tenantName, role } = await db
          .system((tx) => service.accept(tx, { ticket, invitation, identity: accepting, caller, requestId, locale }))
          .catch((error: unknown) => refuse(deps, error, { ticket, caller, requestId }));
        return { tenant, tenant_name: tenantName, role };
      },
    },
  };
}

async function acceptingIdentity(
  deps: Dependencies,
  { issuer, subject, externalId }: IdentityContext['identity'],
): Promise<AcceptingIdentity> {
  const profile = await deps.findProfile({ issuer, subject });
  return {
    issuer,
    subject,
    externalId,
    verifiedEmail: profile?.emailVerified === true ? profile.email : null,
    fullname: profile?.fullname ?? '',
  };
}

type Attempt = { ticket: string; caller: Caller | undefined; requestId: string };

/**
 * Audits a refused ticket and throws on. A ticket that was ours once belongs to its tenant's chain, whoever brought it; a
 * made-up one to the caller's own, and to nobody's when they have no account.
 */
async function refuse(deps: Dependencies, error: unknown, { ticket, caller, requestId }: Attempt): Promise<never> {
  if (!(error instanceof AppError) || (error.code !== 'TICKET_INVALID' && error.code !== 'TICKET_FOR_ANOTHER')) {
    throw error;
  }
  const row = await deps.db.system((tx) => findByTicketHash(tx, hashOfTicket(ticket), { lock: false }));
  const tenant = row?.tenant_id ?? caller?.homeTenant;
  if (tenant !== undefined) {
    const who: Caller = caller ?? {
      userId: row?.id ?? '',
      username: row?.email ?? 'Holder of an invitation',
      fullname: '',
      homeTenant: tenant,
      via: 'session',
    };
    await deps.refusals.note({ tenant, caller: who, routeId: 'signup.invite', code: error.code, requestId });
  }
  throw error;
}
