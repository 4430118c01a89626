import type { Tx } from '../../storage/schema.ts';

/** With the account: `TenantsService.deleteUser` calls it. What is shared is the tenant's, and stays for the others. */
export async function forgetSavedSearches(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('saved_search').where('owner_id', '=', userId).where('shared', '=', false).execute();
}
