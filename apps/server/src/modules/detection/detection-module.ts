import { eachInTurn } from '../../each-in-turn.ts';
import { inBatches } from '../../in-batches.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
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
/** For each kind of what is old: matches come in masses, and the bounds of policies must not wait for the last of them. */
const TURN_MS = 60_000;

export type DetectionModule = Pick<Detection, 'apply'> & {
  /** Starts to tell `keeper` of changed policies; without it they are noticed within five seconds. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /**
   * Deletes matches older than `MATCH_RETENTION_DAYS`, in short transactions, and returns how many. Events of cases are
   * kept by the cases. An event that is ingested a second time after that counts again. Stops between two transactions when the
   * signal is aborted; the rest goes the next time.
   */
  purge(signal?: AbortSignal): Promise<number>;
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
    async purge(signal) {
      const before = new Date(now().getTime() - MATCH_RETENTION_DAYS * DAY_MS);
      const batch = { before, limit: ROWS_PER_PURGE };
      let matches = 0;
      const deleteBatches = (turn: AbortSignal, deleteBatch: (tx: Tx) => Promise<number>) =>
        inBatches(ROWS_PER_PURGE, () => db.system(deleteBatch), turn);
      const parts = [
        async (turn: AbortSignal) => {
          matches = await deleteBatches(turn, (tx) => deleteOldMatches(tx, batch));
        },
        (turn: AbortSignal) => deleteBatches(turn, (tx) => deleteOldGroups(tx, batch)),
        (turn: AbortSignal) => limit.checkAll(turn),
        async (turn: AbortSignal) => {
          while (!turn.aborted && (await db.system(sumUpTallies)));
        },
        (turn: AbortSignal) => deleteBatches(turn, (tx) => deleteOldTallies(tx, { at: now(), limit: ROWS_PER_PURGE })),
      ];
      await eachInTurn(parts, { signal, partMs: TURN_MS });
      return matches;
    },
  };
}
