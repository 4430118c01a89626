/**
 * The way into an installation nobody uses yet: a tenant for it, and a link with which its first Admin signs up.
 *
 * Every start makes a new link, and the one before stops working; as soon as there is a user there is none any more.
 * Starts wait for each other here, so of two at once the later one's link counts.
 */
import type { SkuInfo } from '@airdeck/contracts/me/schema';
import { sql } from 'kysely';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { TenantsService } from '../tenants/tenants-port.ts';
import { ticketAddress } from './invitation-mail.ts';
import { changeInvitation, findSetUp, insertInvitation, isAnybodyThere } from './invitations-repository.ts';
import { hashOfTicket, INVITATION_LIVES_MS, newTicket } from './invitations-service.ts';

const ADVISORY_LOCK = 4_715_003_119;

/** Whoever runs the installation has everything; it gives its customers their own plans. */
const providerPlan: SkuInfo = {
  sku_name: 'Provider',
  is_mdr_enabled: true,
  is_search_enabled: true,
  retention_length_days: 365,
  search_length_days: 365,
};
const by = { actor: { kind: 'system', id: null, name: 'Set-up' }, requestId: null } as const;

type Dependencies = {
  db: Pick<Database, 'system'>;
  tenants: Pick<TenantsService, 'createTenant'>;
  audit: AuditLog;
  productName: string;
  /** Scheme and host under which people reach this installation; known once it listens. */
  ownAddress: () => string;
  ids: () => string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
};

/** The link for the first Admin, as long as there is nobody; it is shown to whoever starts the server, once. */
export type OpenSetUp = () => Promise<string | undefined>;

export function createSetUp(deps: Dependencies): OpenSetUp {
  return async () => {
    const ticket = await deps.db.system((tx) => renewTicket(deps, tx));
    return ticket === undefined ? undefined : ticketAddress(deps.ownAddress(), ticket);
  };
}

async function renewTicket(deps: Dependencies, tx: Tx): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCK})`.execute(tx);
  const before = await findSetUp(tx);
  if (await isAnybodyThere(tx)) {
    if (before?.state === 'pending') await changeInvitation(tx, before.id, { state: 'revoked' });
    return undefined;
  }
  const tenant = before?.tenant_id ?? (await createFirstTenant(deps, tx));
  const ticket = newTicket(deps.randomBytes);
  const at = deps.now();
  const offer = {
    state: 'pending',
    ticket_hash: hashOfTicket(ticket),
    sent_at: at,
    expires_at: new Date(at.getTime() + INVITATION_LIVES_MS),
  } as const;
  const id = before?.id ?? deps.ids();
  if (before === undefined) {
    const rest = { tenant_id: tenant, email: null, fullname: '', role: 'Admin', invited_by: by.actor.name } as const;
    await insertInvitation(tx, { id, ...rest, ...offer, created_at: at, sends: 1, window_started_at: at });
  } else {
    await changeInvitation(tx, id, offer);
  }
  await deps.audit.record(tx, {
    tenant,
    actor: by.actor,
    action: 'invitation.send',
    target: { kind: 'invitation', id },
    outcome: 'ok',
    data: { set_up: true, role: 'Admin' },
    request_id: null,
  });
  return ticket;
}

function createFirstTenant(deps: Dependencies, tx: Tx): Promise<string> {
  const tenant = { name: deps.productName, managedBy: null, skuInfo: providerPlan, isProvider: true };
  return deps.tenants.createTenant(tx, tenant, by);
}
