/** The engine as the product composes it, without the actions: row-level security, audit chain, live stream, CEL. */
import { randomBytes } from 'node:crypto';
import { createEngine } from '@airdeck/engine/engine';
import type { Engine, EngineDeps } from '@airdeck/engine/interfaces';
import { createExpressions } from '@airdeck/expression';
import { createEnginePool, type EnginePool } from '../src/modules/activity/engine-pool.ts';
import { createRunEvents } from '../src/modules/activity/run-events.ts';
import { stopsWithAutomation } from '../src/modules/activity/run-trigger.ts';
import { createAuditService } from '../src/modules/audit/audit-service.ts';
import { createCaseStory } from '../src/modules/cases/case-story-service.ts';
import { silentNotices } from '../src/modules/notifications/notifications-port.ts';
import { createStreamModule } from '../src/modules/stream/stream-module.ts';
import { type Database, openDatabase } from '../src/storage/database.ts';
import { createIds } from '../src/unique-ids.ts';

const quiet = () => undefined;
export const benchLog = { debug: quiet, info: quiet, warn: quiet, error: console.error };

export type ComposedEngine = {
  readonly engine: Engine;
  readonly enginePool: EnginePool;
  readonly db: Database;
  close(): Promise<void>;
};

/** Runs start outside of any case, and nobody is notified of how they end; everything else a transition writes is written. */
export function createComposedEngine(
  databaseUrl: string,
  deps: Pick<EngineDeps, 'executeStep'> & Partial<EngineDeps>,
): ComposedEngine {
  const db = openDatabase({ url: databaseUrl, log: benchLog });
  const enginePool = createEnginePool(db);
  const now = () => new Date();
  const ids = createIds(randomBytes);
  const { changes } = createStreamModule({ db, log: benchLog, now });
  const engine = createEngine({
    pool: enginePool.pool,
    listen: enginePool.listen,
    keepSession: enginePool.keepSession,
    clock: { now },
    ids,
    random: Math.random,
    log: benchLog,
    evaluator: createExpressions(),
    holdAppliesTo: stopsWithAutomation,
    onEvents: createRunEvents({
      enginePool,
      story: createCaseStory({ now, ids, changes }),
      changes,
      notices: silentNotices,
      playbookRuns: { note: () => Promise.resolve() },
      audit: createAuditService({ now }),
      actionLabel: async (name) => name,
    }),
    ...deps,
  });
  return { engine, enginePool, db, close: () => db.close() };
}

export const benchTrigger = {
  trigger_type: 'manual',
  username: 'Bench',
  user_tenant_id: null,
  user_tenant_name: null,
  case_id: null,
  acts_as: null,
  response_name: null,
  connector_id: null,
} as const;
