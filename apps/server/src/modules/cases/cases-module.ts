import { AppError } from '../../http/app-error.ts';
import type { Handlers, KeptHandlers } from '../../http/handlers.ts';
import { keyedCreation } from '../../http/keyed-creation.ts';
import type { Database } from '../../storage/database.ts';
import { sqlStateOf } from '../../storage/sql-state.ts';
import { auditActor } from '../audit/audit-actor.ts';
import type { ChangeFeed } from '../stream/changes.ts';
import { createCaseCells } from './case-cells.ts';
import { type CaseChangeDependencies, type ChangeCase, createCaseChanges } from './case-changes.ts';
import { createCaseLists } from './case-lists.ts';
import type { CaseOpenings } from './case-openings.ts';
import { createCaseOpenings } from './case-openings-service.ts';
import { createOverviews } from './case-overviews.ts';
import { type CasePeople, createCasePeople } from './case-people.ts';
import type { CaseStory } from './case-story.ts';
import { createCaseStory } from './case-story-service.ts';
import { endSuppression, listSuppressions } from './case-suppressions.ts';
import { getSlaSettings, putSlaSettings } from './case-targets.ts';
import { casesOfEvent } from './cases-of-event.ts';
import { type CasesService, createCasesService } from './cases-service.ts';

const UNIQUE_VIOLATION = '23505';

export type CasesModule = {
  service: CasesService;
  story: CaseStory;
  openings: CaseOpenings;
  people: CasePeople;
  /** One change of one case, in the caller's transaction. */
  changeCase: ChangeCase;
  handlers: Handlers<
    | 'cases.create'
    | 'cases.get'
    | 'cases.of-event'
    | 'cases.update'
    | 'cases.export'
    | 'case-suppressions.list'
    | 'case-suppressions.end'
    | 'case-sla.get'
    | 'case-sla.update'
    | 'air.overview'
  > &
    KeptHandlers<'cases.list'>;
  start(): Promise<void>;
  stop(): Promise<void>;
};

export function createCasesModule(
  deps: { db: Pick<Database, 'tenant' | 'read' | 'afterCommit'>; feed: ChangeFeed } & CaseChangeDependencies,
): CasesModule {
  const { db } = deps;
  const cells = createCaseCells(deps);
  const changeCase = createCaseChanges(deps);
  const service = createCasesService({ ...deps, cells, changeCase });
  const overview = createOverviews(deps);
  const lists = createCaseLists({ ...deps, list: service.list, clearCounts: cells.clear });
  return {
    service,
    story: createCaseStory(deps),
    openings: createCaseOpenings(deps),
    people: createCasePeople(deps),
    changeCase,
    start: lists.start,
    stop: lists.stop,
    handlers: {
      'cases.list': ({ query }, { scope }) => lists.read(scope, query),
      'cases.get': ({ params }, { scope }) => db.read(scope.tenantId, (tx) => service.get(tx, scope, params.id)),
      'cases.of-event': ({ query }, { scope }) => db.read(scope.tenantId, (tx) => casesOfEvent(tx, scope, query.event)),
      'cases.create': ({ body }, context) => {
        const { scope, caller, requestId } = context;
        const request = keyedCreation('case', context, { scope, body, ids: deps.ids });
        const by = { actor: auditActor(caller), requestId, request };
        return db.tenant(scope.tenantId, (tx) => service.create(tx, scope, body, by));
      },
      'cases.export': ({ params }, { scope }) => db.read(scope.tenantId, (tx) => service.export(tx, scope, params.id)),
      'case-suppressions.list': ({ query }, { scope }) =>
        db.read(scope.tenantId, (tx) => listSuppressions(tx, scope, { now: deps.now(), cursor: query.cursor })),
      'case-suppressions.end': async ({ params }, { scope, caller, requestId }) => {
        const by = { actor: auditActor(caller), requestId };
        await db.tenant(scope.tenantId, (tx) => endSuppression(deps, tx, scope, { id: params.id, by }));
        return undefined;
      },
      'case-sla.get': (_request, { scope }) => db.read(scope.tenantId, (tx) => getSlaSettings(tx, scope)),
      'case-sla.update': ({ body }, { scope, caller, requestId }) => {
        const by = { actor: auditActor(caller), requestId };
        return db.tenant(scope.tenantId, (tx) => putSlaSettings(deps, tx, scope, { input: body, by }));
      },
      'air.overview': ({ query }, { scope }) => overview(scope, query),
      'cases.update': async ({ params, body }, context) => {
        const { scope, caller, requestId } = context;
        const asked = { scope, body: [params.id, body], ids: deps.ids };
        const request = keyedCreation('case-update', context, asked);
        const by = { actor: auditActor(caller), requestId };
        const outcome = await db
          .tenant(scope.tenantId, (tx) => service.update(tx, scope, { id: params.id, update: body, by, request }))
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
