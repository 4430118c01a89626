import type {
  CaseDetail,
  CaseExport,
  CaseList,
  CaseListQuery,
  caseCreateSchema,
} from '@airdeck/contracts/cases/schema';
import { serverLimits } from '@airdeck/contracts/server-limits';
import type { z } from 'zod';
import { AppError } from '../../http/app-error.ts';
import type { KeyedCreation } from '../../http/keyed-creation.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditActor } from '../audit/audit-log.ts';
import type { CaseCells } from './case-cells.ts';
import type { CaseChangeDependencies, ChangeCase, WantedChange } from './case-changes.ts';
import { openByHand } from './case-create.ts';
import { entitiesOf } from './case-entities.ts';
import { summarise } from './case-facets.ts';
import {
  countStory,
  readCase,
  readCasePage,
  readEventsForDocument,
  readFirstEvents,
  readRelated,
  readStory,
  type WholeCase,
} from './case-reads.ts';
import { activityOnTheWire, caseOnTheWire, eventOnTheWire } from './case-view.ts';

export type UpdatedBy = { actor: AuditActor; requestId: string | null };

/** A refusal is an outcome, not an exception: the transaction that records the attempt must commit. */
export type UpdateOutcome = { kind: 'updated'; detail: CaseDetail } | { kind: 'refused'; error: AppError };

export interface CasesService {
  list(tx: Tx, scope: TenantScope, query: CaseListQuery): Promise<CaseList>;
  /** Throws NOT_FOUND. */
  get(tx: Tx, scope: TenantScope, id: string): Promise<CaseDetail>;
  /** Everything of a case, with more events than a screen shows. Throws NOT_FOUND. */
  export(tx: Tx, scope: TenantScope, id: string, most?: { events?: number }): Promise<CaseExport>;
  /** The same request again, by its key, finds what it opened. Throws VALIDATION_FAILED, IDEMPOTENCY_KEY_REUSED. */
  create(
    tx: Tx,
    scope: TenantScope,
    input: z.output<typeof caseCreateSchema>,
    by: UpdatedBy & { request: KeyedCreation },
  ): Promise<CaseDetail>;
  /** Throws NOT_FOUND, VALIDATION_FAILED and IDEMPOTENCY_KEY_REUSED; the actor `system` is automation, everybody else a person. */
  update(tx: Tx, scope: TenantScope, change: WantedChange): Promise<UpdateOutcome>;
}

export type CasesDependencies = CaseChangeDependencies & { cells: CaseCells };

/** What a case's entities are worked out from. */
const EVENTS_OF_ENTITIES = 100;

export function createCasesService(deps: CasesDependencies & { changeCase: ChangeCase }): CasesService {
  const { now } = deps;

  async function get(tx: Tx, scope: TenantScope, id: string): Promise<CaseDetail> {
    const found = await requireCase(tx, scope, id);
    const activity = await readStory(tx, scope, id);
    const events = await readFirstEvents(tx, scope, id);
    const related = await readRelated(tx, scope, found);
    return {
      ...caseOnTheWire(found, now()),
      policy_origin: found.policy_origin,
      activity: activity.map(activityOnTheWire),
      entities: entitiesOf(
        found.meta,
        events.map(({ event }) => event),
      ),
      events: events.map(eventOnTheWire),
      related_cases: related.map((row) => caseOnTheWire(row, now())),
    };
  }

  return {
    async list(tx, scope, query) {
      const cases = await readCasePage(tx, scope, query);
      const cells = await deps.cells.read(tx, scope, query);
      return { cases: cases.map((row) => caseOnTheWire(row, now())), ...summarise(cells, query) };
    },

    get,

    async export(tx, scope, id, { events: limit = serverLimits.caseExportEventsMax } = {}) {
      const found = await requireCase(tx, scope, id);
      const events = await readEventsForDocument(tx, scope, { caseId: id, limit });
      const activity = await readStory(tx, scope, id, serverLimits.caseExportStoryMax);
      const related = await readRelated(tx, scope, found);
      return {
        exported_at: now().toISOString(),
        case: caseOnTheWire(found, now()),
        policy_origin: found.policy_origin,
        activity: activity.map(activityOnTheWire),
        activity_left_out: Math.max(0, (await countStory(tx, scope, id)) - activity.length),
        entities: entitiesOf(
          found.meta,
          events.slice(0, EVENTS_OF_ENTITIES).map(({ event }) => event),
        ),
        events: events.map(eventOnTheWire),
        events_left_out: Math.max(0, found.event_count - events.length),
        related_cases: related.map((row) => caseOnTheWire(row, now())),
      };
    },

    async create(tx, scope, input, { request, ...by }) {
      return await get(tx, scope, await openByHand(deps, tx, scope, { input, by, request }));
    },

    async update(tx, scope, change) {
      const outcome = await deps.changeCase(tx, scope, change);
      if (outcome.kind === 'refused') return outcome;
      return { kind: 'updated', detail: await get(tx, scope, change.id) };
    },
  };
}

async function requireCase(tx: Tx, scope: TenantScope, id: string): Promise<WholeCase> {
  const found = await readCase(tx, scope, id);
  if (found === undefined) throw noSuchCase();
  return found;
}

export function noSuchCase(): AppError {
  return new AppError('NOT_FOUND', { message: 'This case does not exist.' });
}
