import { AppError } from '../../http/app-error.ts';
import type { Handlers, KeptHandlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import { sqlStateOf } from '../../storage/sql-state.ts';
import { auditActor } from '../audit/audit-actor.ts';
import type { ChangeFeed } from '../stream/changes.ts';
import { createCaseCells } from './case-cells.ts';
import { createCaseLists } from './case-lists.ts';
import type { CaseOpenings } from './case-openings.ts';
import { createCaseOpenings } from './case-openings-service.ts';
import { type CasePeople, createCasePeople } from './case-people.ts';
import type { CaseStory } from './case-story.ts';
import { createCaseStory } from './case-story-service.ts';
import { type CasesService, createCasesService } from './cases-service.ts';

const UNIQUE_VIOLATION = '23505';

export type CasesModule = {
  service: CasesService;
  story: CaseStory;
  openings: CaseOpenings;
  people: CasePeople;
  handlers: Handlers<'cases.get' | 'cases.update'> & KeptHandlers<'cases.list'>;
  start(): Promise<void>;
  stop(): Promise<void>;
};

export function createCasesModule(
  deps: { db: Pick<Database, 'tenant' | 'read' | 'afterCommit'>; feed: ChangeFeed } & Omit<
    Parameters<typeof createCasesService>[0],
    'cells'
  >,
): CasesModule {
  const { db } = deps;
  const cells = createCaseCells(deps);
  const service = createCasesService({ ...deps, cells });
  const lists = createCaseLists({ ...deps, list: service.list, clearCounts: cells.clear });
  return {
    service,
    story: createCaseStory(deps),
    openings: createCaseOpenings(deps),
    people: createCasePeople(deps),
    start: lists.start,
    stop: lists.stop,
    handlers: {
      'cases.list': ({ query }, { scope }) => lists.read(scope, query),
      'cases.get': ({ params }, { scope }) => db.read(scope.tenantId, (tx) => service.get(tx, scope, params.id)),
      'cases.update': async ({ params, body }, { scope, caller, requestId }) => {
        const by = { actor: auditActor(caller), requestId };
        const outcome = await db
          .tenant(scope.tenantId, (tx) => service.update(tx, scope, { id: params.id, update: body, by }))
          .catch(refusalOfLostRace);
        if (outcome.kind === 'refused') throw outcome.error;
        return outcome.detail;
      },
    },
  };
}

/** A case reopened in the very moment in which a new one opens for its group: the index lets one of them in. */
function refusalOfLostRace(error: unknown): never {
  if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
  throw new AppError('CASE_TRANSITION_REFUSED', {
    message: 'A newer case is open for the same policy and group: go on there.',
    cause: error,
  });
}
