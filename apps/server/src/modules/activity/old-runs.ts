/**
 * Runs end with their time: steps hold what vendors answered about people and addresses, and their rows are most of the database.
 * What a case, a history of automations and the audit log say of a run is theirs and stays.
 */
import { deleteDeadJobs, deleteOldRuns } from '@airdeck/engine/old-runs';
import { sql } from 'kysely';
import { inBatches } from '../../in-batches.ts';
import type { Database } from '../../storage/database.ts';
import { firstIdAt } from '../../unique-ids.ts';
import type { EnginePool } from './engine-pool.ts';

const DAY_MS = 86_400_000;
/** Families of runs, each with hundreds of steps at most times: a transaction of a fraction of a second. */
const FAMILIES_AT_ONCE = 100;
const JOBS_AT_ONCE = 1_000;
/** A question is open for thirty days at most, so an answer this much older belongs to a run that is gone. */
const LONGEST_RUN_DAYS = 31;

type Dependencies = {
  db: Pick<Database, 'system'>;
  enginePool: Pick<EnginePool, 'client'>;
  now: () => Date;
  keptDays: number;
};

export type OldRuns = {
  /** Batch by batch until the signal is aborted; what is left then goes the next time. */
  forget(signal?: AbortSignal): Promise<void>;
};

export function createOldRuns({ db, enginePool, now, keptDays }: Dependencies): OldRuns {
  async function forgetFamilies(endedBefore: Date): Promise<number> {
    return await db.system(async (tx) => {
      const { families, runs } = await deleteOldRuns(enginePool.client(tx), {
        endedBefore,
        firstIdAfter: firstIdAt(endedBefore.getTime()),
        limit: FAMILIES_AT_ONCE,
      });
      if (runs.length > 0) {
        await sql`
          delete from playbook_run p
          using unnest(${runs.map(({ tenantId }) => tenantId)}::uuid[], ${runs.map(({ runId }) => runId)}::uuid[])
            as gone (tenant_id, run_id)
          where p.tenant_id = gone.tenant_id and p.run_id = gone.run_id`.execute(tx);
      }
      return families;
    });
  }

  return {
    async forget(signal) {
      const before = new Date(now().getTime() - keptDays * DAY_MS);
      const approvedBefore = new Date(before.getTime() - LONGEST_RUN_DAYS * DAY_MS);
      await db.system((tx) => tx.deleteFrom('prompt_approval').where('approved_at', '<', approvedBefore).execute());
      // Of runs there may be more than there is time for; the rest is little.
      const dead = { before, limit: JOBS_AT_ONCE };
      await inBatches(JOBS_AT_ONCE, () => db.system((tx) => deleteDeadJobs(enginePool.client(tx), dead)), signal);
      await inBatches(FAMILIES_AT_ONCE, () => forgetFamilies(before), signal);
    },
  };
}
