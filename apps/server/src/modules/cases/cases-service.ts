import type { CaseDetail, CaseList, CaseListQuery, CaseUpdate } from '@airdeck/contracts/cases/schema';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditActor, AuditLog } from '../audit/audit-log.ts';
import type { Notices } from '../notifications/notifications-port.ts';
import type { Changes } from '../stream/changes.ts';
import type { CaseCells } from './case-cells.ts';
import { summarise } from './case-facets.ts';
import { readCase, readCasePage, readFirstEvents, readRelated, readStory } from './case-reads.ts';
import { type CaseChange, planCaseUpdate } from './case-update.ts';
import { activityOnTheWire, caseOnTheWire, eventOnTheWire, referenceOf } from './case-view.ts';
import { type CaseRow, changeCase, insertActivity, lockCase, otherOpenCase, searchTextOf } from './cases-repository.ts';

export type UpdatedBy = { actor: AuditActor; requestId: string | null };

/** A refusal is an outcome, not an exception: the transaction that records the attempt must commit. */
export type UpdateOutcome = { kind: 'updated'; detail: CaseDetail } | { kind: 'refused'; error: AppError };

export interface CasesService {
  list(tx: Tx, scope: TenantScope, query: CaseListQuery): Promise<CaseList>;
  /** Throws NOT_FOUND. */
  get(tx: Tx, scope: TenantScope, id: string): Promise<CaseDetail>;
  /** Throws NOT_FOUND and VALIDATION_FAILED; the actor `system` is automation, everybody else a person. */
  update(tx: Tx, scope: TenantScope, change: { id: string; update: CaseUpdate; by: UpdatedBy }): Promise<UpdateOutcome>;
}

type Dependencies = {
  cells: CaseCells;
  now: () => Date;
  ids: () => string;
  audit: Pick<AuditLog, 'record'>;
  changes: Pick<Changes, 'announce'>;
  notices: Notices;
};

export function createCasesService(deps: Dependencies): CasesService {
  return {
    async list(tx, scope, query) {
      const cases = await readCasePage(tx, scope, query);
      const cells = await deps.cells.read(tx, scope, query);
      return { cases: cases.map(caseOnTheWire), ...summarise(cells, query) };
    },

    get: getDetail,

    async update(tx, scope, { id, update, by }) {
      const row = await lockCase(tx, scope, id);
      if (row === undefined) throw noSuchCase();
      try {
        const change = planCaseUpdate(row, update, {
          username: by.actor.name,
          byPerson: by.actor.kind !== 'system',
          at: deps.now(),
        });
        await assertMayReopen(tx, scope, { row, change });
        if (change.entries.length > 0) await applyChange(deps, tx, scope, { row, change, by });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'CASE_TRANSITION_REFUSED') throw error;
        await recordAttempt(deps, tx, { row, by, outcome: 'refused', data: { asked: update.alert_status } });
        return { kind: 'refused', error };
      }
      return { kind: 'updated', detail: await getDetail(tx, scope, id) };
    },
  };
}

async function getDetail(tx: Tx, scope: TenantScope, id: string): Promise<CaseDetail> {
  const found = await readCase(tx, scope, id);
  if (found === undefined) throw noSuchCase();
  const activity = await readStory(tx, scope, id);
  const events = await readFirstEvents(tx, scope, id);
  const related = await readRelated(tx, scope, found);
  return {
    ...caseOnTheWire(found),
    activity: activity.map(activityOnTheWire),
    events: events.map(eventOnTheWire),
    related_cases: related.map(caseOnTheWire),
  };
}

/** One open case per policy and group: while a newer one is open, the old one stays closed. */
async function assertMayReopen(
  tx: Tx,
  scope: TenantScope,
  { row, change }: { row: CaseRow; change: CaseChange },
): Promise<void> {
  if (row.status !== 'closed' || change.set.status === undefined) return;
  const other = await otherOpenCase(tx, scope, row);
  if (other === undefined) return;
  throw new AppError('CASE_TRANSITION_REFUSED', {
    message: `${referenceOf(other.number)} is open for the same policy and group: go on there.`,
  });
}

async function applyChange(
  deps: Dependencies,
  tx: Tx,
  scope: TenantScope,
  { row, change, by }: { row: CaseRow; change: CaseChange; by: UpdatedBy },
): Promise<void> {
  const at = deps.now();
  const searchText = searchTextOf({
    ...row,
    tags: (change.set.tags as string[] | undefined) ?? row.tags,
    assignee: change.set.assignee === undefined ? row.assignee : (change.set.assignee as string | null),
  });
  const set = { ...change.set, time_updated: at, search_text: searchText };
  const changed = await changeCase(tx, scope, { id: row.id, set });
  await insertActivity(
    tx,
    scope,
    change.entries.map((entry) => ({ id: deps.ids(), caseId: row.id, at, username: by.actor.name, ...entry })),
  );
  const { assignee } = change.set;
  // Whoever takes a case knows that already.
  if (typeof assignee === 'string' && assignee !== by.actor.name) {
    const facts = { tenant: scope.tenantId, caseId: row.id, reference: referenceOf(row.number), name: row.name };
    await deps.notices.tell(tx, { kind: 'case_assigned', ...facts, assignee, by: by.actor.name });
  }
  const status = changed?.status ?? row.status;
  await deps.changes.announce(tx, { tenant: scope.tenantId, kind: 'case', id: row.id, status });
  await recordAttempt(deps, tx, {
    row,
    by,
    outcome: 'ok',
    data: { changed: change.entries.map((entry) => entry.kind) },
  });
}

async function recordAttempt(
  deps: Dependencies,
  tx: Tx,
  attempt: { row: CaseRow; by: UpdatedBy; outcome: 'ok' | 'refused'; data: Record<string, unknown> },
): Promise<void> {
  const { row, by, outcome } = attempt;
  await deps.audit.record(tx, {
    tenant: row.tenant_id,
    actor: by.actor,
    action: 'case.update',
    target: { kind: 'case', id: row.id },
    outcome,
    ...(outcome === 'refused' ? { code: 'CASE_TRANSITION_REFUSED' as const } : {}),
    data: { reference: referenceOf(row.number), ...attempt.data },
    request_id: by.requestId,
  });
}

function noSuchCase(): AppError {
  return new AppError('NOT_FOUND', { message: 'This case does not exist.' });
}
