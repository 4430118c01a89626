import type { HomeLayout, homeLayoutInputSchema } from '@airdeck/contracts/me/schema';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Caller } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { auditActor } from '../audit/audit-actor.ts';
import type { AuditLog } from '../audit/audit-log.ts';

type Dependencies = { db: Pick<Database, 'system'>; audit: Pick<AuditLog, 'record'>; now: () => Date };

const columns = ['version', 'widgets', 'known'] as const;
const neverSaved: HomeLayout = { version: 0, widgets: null, known: [] };

/** A layout belongs to a user and is the same in all tenants, so these name the user themselves. */
export function createHomeLayouts({ db, audit, now }: Dependencies) {
  return {
    get: (caller: Caller): Promise<HomeLayout> =>
      db.system(async (tx) => {
        const found = tx.selectFrom('home_layout').select(columns).where('user_id', '=', caller.userId);
        return (await found.executeTakeFirst()) ?? neverSaved;
      }),

    /** Two browsers that save at once get different versions, and the one that came last is what stays. */
    save: (caller: Caller, input: z.output<typeof homeLayoutInputSchema>, requestId: string): Promise<HomeLayout> =>
      db.system(async (tx) => {
        const set = {
          widgets: input.widgets === null ? null : JSON.stringify(input.widgets),
          known: input.known,
          saved_at: now(),
        };
        const saved = await tx
          .insertInto('home_layout')
          .values({ ...set, user_id: caller.userId, version: 1 })
          .onConflict((conflict) =>
            conflict.column('user_id').doUpdateSet({ ...set, version: sql`home_layout.version + 1` }),
          )
          .returning(columns)
          .executeTakeFirstOrThrow();
        await audit.record(tx, {
          tenant: caller.homeTenant,
          actor: auditActor(caller),
          action: 'home-layout.save',
          target: { kind: 'user', id: caller.userId },
          outcome: 'ok',
          data: { version: saved.version, widgets: saved.widgets?.map(({ type }) => type) ?? null },
          request_id: requestId,
        });
        return saved;
      }),
  };
}

/** With the account: `TenantsService.deleteUser` calls it. */
export async function forgetHomeLayout(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('home_layout').where('user_id', '=', userId).execute();
}
