import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { RecordSecurity, SecurityEvent } from '../identity/auth-call.ts';
import type { AccountNotices } from '../notifications/notifications-port.ts';
import type { AuditLog } from './audit-log.ts';

type Dependencies = {
  db: Pick<Database, 'system'>;
  audit: AuditLog;
  findUser: (tx: Tx, userId: string) => Promise<{ uname: string; home_tenant_id: string } | undefined>;
  /** Told about every sign-in, in the transaction that records it. */
  onSignIn: (tx: Tx, userId: string) => Promise<void>;
  notices: AccountNotices;
};

/** What happens to the security of an account belongs to the chain of the user's own tenant. */
export function createSecurityRecord({ db, audit, findUser, onSignIn, notices }: Dependencies): RecordSecurity {
  async function write(tx: Tx, event: SecurityEvent): Promise<void> {
    const user = await findUser(tx, event.externalId);
    const isSignIn = event.action === 'session.sign_in' && event.outcome === 'ok';
    if (user === undefined) {
      // A sign-in without a user of ours opens nothing, and there is no tenant it could be told to. The device it was
      // made on is that of the user to come.
      if (isSignIn) await notices.noteDevice(tx, event.externalId, event);
      return;
    }
    if (isSignIn) await onSignIn(tx, event.externalId);
    await notices.tellUser(tx, { id: event.externalId, home_tenant_id: user.home_tenant_id }, event);
    await audit.record(tx, {
      tenant: user.home_tenant_id,
      actor: { kind: 'user', id: event.externalId, name: user.uname },
      action: event.action,
      target: { kind: 'user', id: event.externalId },
      outcome: event.outcome,
      data: { ...event.data, ...(event.reason === undefined ? {} : { reason: event.reason }) },
      request_id: event.requestId,
    });
  }

  return (event, tx) => (tx === undefined ? db.system((own) => write(own, event)) : write(tx, event));
}
