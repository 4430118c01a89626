import type { ErrorCode } from '@airdeck/contracts/error-codes';
import type { Tx } from '../../storage/schema.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Connection } from '../sso/sso-port.ts';
import type { ChangedBy, TenantsService } from '../tenants/tenants-port.ts';
import { type LogRefusal, SIGN_IN_REFUSED, signInRefused } from './auth-call.ts';
import type { ExternalAttempt } from './sso-sign-in.ts';

/** Reasons that have a code in the contract. */
const codes: Readonly<Record<string, ErrorCode>> = {
  USER_DISABLED: 'USER_DISABLED',
  TICKET_INVALID: 'TICKET_INVALID',
  TICKET_FOR_ANOTHER: 'TICKET_FOR_ANOTHER',
  EMAIL_TAKEN: 'EMAIL_TAKEN',
};

/** What a connection does by itself, without a person of ours. */
export function byConnection(connection: Pick<Connection, 'label'>, requestId: string): ChangedBy {
  return { actor: { kind: 'system', id: null, name: `Single sign-on "${connection.label}"` }, requestId };
}

/**
 * Somebody an issuer vouched for was not let in. Told to the user's own tenant where one is known, otherwise to the tenant
 * whose connection was used; a stranger who came through a connection of the installation is in the log of the process.
 */
export async function recordRefusal(
  tx: Tx,
  deps: { audit: Pick<AuditLog, 'record'>; tenants: Pick<TenantsService, 'findUser'>; log: LogRefusal },
  { connection, proof, purpose, requestId }: ExternalAttempt,
  { reason, externalId }: { reason: string; externalId?: string },
): Promise<void> {
  const user = externalId === undefined ? undefined : await deps.tenants.findUser(tx, externalId);
  const tenant = user?.home_tenant_id ?? connection.tenant;
  if (tenant === null) {
    logRefusal(deps, { reason, connection: connection.id, requestId });
    return;
  }
  const who =
    user === undefined
      ? ({
          actor: byConnection(connection, requestId).actor,
          target: { kind: 'sso_connection', id: connection.id },
        } as const)
      : ({
          actor: { kind: 'user', id: user.id, name: user.uname },
          target: { kind: 'user', id: user.id },
        } as const);
  await deps.audit.record(tx, {
    tenant,
    ...who,
    action: purpose.for === 'link' ? 'external_account.link' : 'session.sign_in',
    outcome: 'refused',
    code: codes[reason] ?? 'ACCOUNT_NOT_FOUND',
    data: { connection: connection.id, reason, email: proof.email },
    request_id: requestId,
  });
}

/** Without what the issuer said of the person. */
export function logRefusal(
  { log }: { log: LogRefusal },
  { requestId, ...why }: { reason: string; connection?: string; requestId: string },
): void {
  log.warn({ ...signInRefused, ...why, method: 'external', request_id: requestId }, SIGN_IN_REFUSED);
}
