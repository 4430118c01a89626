import { inBatches } from '../../in-batches.ts';
import type { Database } from '../../storage/database.ts';
import type { CaseOpenings } from '../cases/case-openings.ts';
import { POLICIES_CHANNEL } from '../policies/policies-channel.ts';
import type { DetectionPolicies } from '../policies/policies-service.ts';
import type { RuleResponses } from '../rule-responses/rule-responses-port.ts';
import type { Detection, PolicyKeeper } from './detection-port.ts';
import { deleteOldGroups, deleteOldMatches } from './detection-repository.ts';
import { createMatchApplier } from './detection-service.ts';
import { createMatchLimit, FREE_MATCHES_PER_POLICY } from './match-limit.ts';
import { deleteOldTallies, sumUpTallies } from './match-tallies.ts';

/** A day more than the longest threshold window of the contract: how late an event may come and still count. */
export const MATCH_RETENTION_DAYS = 8;

const DAY_MS = 86_400_000;
const ROWS_PER_PURGE = 5_000;

type Purge<Result = unknown> = (signal?: AbortSignal) => Promise<Result>;

export type DetectionModule = Pick<Detection, 'apply'> & {
  /** Starts to tell `keeper` of changed policies; without it they are noticed within five seconds. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /**
   * What is to be taken away now and then, in short transactions: matches older than `MATCH_RETENTION_DAYS` (tells how many), their
   * groups, those beyond the bound of a policy, and old tallies. Apart, since matches come in masses, and the rest must not wait
   * for the last of them. Events of cases are kept by the cases. An event that is ingested a second time after that counts again.
   * Each stops between two transactions when its signal is aborted; the rest goes the next time.
   */
  purges: { matches: Purge<number> } & Readonly<Record<'groups' | 'policyBounds' | 'sums' | 'tallies', Purge>>;
};

type Dependencies = {
  db: Pick<Database, 'system' | 'listen'>;
  policies: DetectionPolicies;
  cases: CaseOpenings;
  responses: RuleResponses;
  /** Who matches events, here or in another thread. */
  keeper: PolicyKeeper;
  now: () => Date;
  log: { warn(fields: Record<string, unknown>, message: string): void };
  /** Matches a policy keeps that no case has. */
  freeMatchesMax?: number;
};

export function createDetectionModule(deps: Dependencies): DetectionModule {
  const { db, keeper, now, freeMatchesMax: most = FREE_MATCHES_PER_POLICY } = deps;
  const limit = createMatchLimit({ ...deps, most, retentionDays: MATCH_RETENTION_DAYS });
  const oldBatch = () => ({
    before: new Date(now().getTime() - MATCH_RETENTION_DAYS * DAY_MS),
    limit: ROWS_PER_PURGE,
  });
  let stopListening: (() => Promise<void>) | undefined;
  return {
    apply: createMatchApplier({ ...deps, limit }),
    async start() {
      stopListening ??= await db.listen(POLICIES_CHANNEL, keeper.markStale, keeper.markAllStale);
    },
    async stop() {
      await stopListening?.();
      stopListening = undefined;
      await limit.idle();
    },
    purges: {
      matches: (signal) => inBatches(ROWS_PER_PURGE, () => db.system((tx) => deleteOldMatches(tx, oldBatch())), signal),
      groups: (signal) => inBatches(ROWS_PER_PURGE, () => db.system((tx) => deleteOldGroups(tx, oldBatch())), signal),
      policyBounds: limit.checkAll,
      async sums(signal) {
        while (signal?.aborted !== true && (await db.system(sumUpTallies)));
      },
      tallies: (signal) =>
        inBatches(
          ROWS_PER_PURGE,
          () => db.system((tx) => deleteOldTallies(tx, { at: now(), limit: ROWS_PER_PURGE })),
          signal,
        ),
    },
  };
}
