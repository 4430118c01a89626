import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { AuditLog } from './audit-log.ts';

type SignIn = {
  externalId: string;
  action: 'session.sign_in' | 'session.sign_out';
  outcome: 'ok' | 'refused';
  reason?: string;
  requestId: string;
};

type Dependencies = {
  db: Pick<Database, 'system'>;
  audit: AuditLog;
  findUser: (tx: Tx, userId: string) => Promise<{ uname: string; home_tenant_id: string } | undefined>;
};

/** Sign-ins belong to the chain of the user's own tenant. */
export function createSignInRecord({ db, audit, findUser }: Dependencies): (signIn: SignIn) => Promise<void> {
  return (signIn) =>
    db.system(async (tx) => {
      const user = await findUser(tx, signIn.externalId);
      // A sign-in without a user of ours opens nothing: there is no tenant it could be told to.
      if (user === undefined) return;
      await audit.record(tx, {
        tenant: user.home_tenant_id,
        actor: { kind: 'user', id: signIn.externalId, name: user.uname },
        action: signIn.action,
        target: { kind: 'user', id: signIn.externalId },
        outcome: signIn.outcome,
        data: signIn.reason === undefined ? {} : { reason: signIn.reason },
        request_id: signIn.requestId,
      });
    });
}
