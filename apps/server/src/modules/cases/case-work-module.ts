import type { JobHandler } from '@airdeck/engine/interfaces';
import type { Handlers } from '../../http/handlers.ts';
import { auditActor } from '../audit/audit-actor.ts';
import { type BulkDependencies, createCaseBulk } from './case-bulk.ts';
import { createClockWatch } from './case-clock-watch.ts';

type Dependencies = BulkDependencies & Parameters<typeof createClockWatch>[0];

export type CaseWorkModule = {
  handlers: Handlers<'cases.bulk'>;
  /** Run every half a minute by whoever works on jobs. */
  clockJob: JobHandler;
};

/** What is done to cases besides one at a time by one person: the same to many, and what their clocks ask for. */
export function createCaseWorkModule(deps: Dependencies): CaseWorkModule {
  const bulk = createCaseBulk(deps);
  const watch = createClockWatch(deps);
  return {
    clockJob: { run: async () => void (await watch.look()) },
    handlers: {
      'cases.bulk': ({ body }, { scope, caller, requestId, raw }) =>
        bulk(body, { scope, caller, raw, by: { actor: auditActor(caller), requestId } }),
    },
  };
}
