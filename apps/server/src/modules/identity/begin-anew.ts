import type { Tx } from '../../storage/schema.ts';
import type { TenantsService } from '../tenants/tenants-port.ts';
import type { LocalUsers } from './local-users.ts';
import type { SignUpStore } from './sign-up-store.ts';

export type BeginAnewDeps = {
  store: Pick<SignUpStore, 'isAddressKnown' | 'findLeft'>;
  users: Pick<LocalUsers, 'remove'>;
  tenants: Pick<TenantsService, 'deleteUser'>;
};

/**
 * Makes room for the account of an invited address: the one from before of somebody the tenant removed goes, with all of
 * its factors. False where somebody has the address who is not to begin anew. The caller holds the ticket.
 */
export async function makeRoom(
  { store, users, tenants }: BeginAnewDeps,
  tx: Tx,
  { email, tenant, requestId }: { email: string; tenant: string; requestId: string },
): Promise<boolean> {
  if (!(await store.isAddressKnown(tx, email))) return true;
  const left = await store.findLeft(tx, { email, tenant });
  if (left === undefined) return false;
  await users.remove(tx, left);
  await tenants.deleteUser(tx, left, { actor: { kind: 'user', id: left, name: email }, requestId });
  return true;
}
