import type { CaseUpdate } from '@airdeck/contracts/cases/schema';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { AppError } from '../../http/app-error.ts';
import { type KeyedCreation, lockRequest } from '../../http/keyed-creation.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { isDoneBy } from '../audit/audit-actor.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Notices } from '../notifications/notifications-port.ts';
import type { Changes } from '../stream/changes.ts';
import { type AssigneeDependencies, isAssignable, requireAssignable } from './case-assignee.ts';
import { clockChange } from './case-clock.ts';
import { mentionedIn } from './case-mentions.ts';
import { searchTextOf } from './case-search-text.ts';
import { addSuppression, suppressionProblem } from './case-suppressions.ts';
import type { GroupSuppressions } from './case-suppressions-port.ts';
import { targetsOf } from './case-targets.ts';
import { type CaseChange, planAssignee, planCaseUpdate, type TakenBack } from './case-update.ts';
import { referenceOf } from './case-view.ts';
import {
  type CaseRow,
  changeCase,
  findCase,
  findRequest,
  insertActivity,
  lockCase,
  otherOpenCase,
} from './cases-repository.ts';
import { noSuchCase, type UpdatedBy } from './cases-service.ts';

export type CaseChangeDependencies = AssigneeDependencies & {
  now: () => Date;
  ids: () => string;
  audit: Pick<AuditLog, 'record'>;
  changes: Pick<Changes, 'announce'>;
  notices: Notices;
  groups: GroupSuppressions;
  /** Those of these names who are members of the tenant. */
  membersAmong: (tx: Tx, scope: TenantScope, usernames: readonly string[]) => Promise<ReadonlySet<string>>;
};

export type ChangeOutcome =
  | { kind: 'changed'; before: CaseRow; after: CaseRow }
  | { kind: 'unchanged'; before: CaseRow }
  /** The attempt is recorded, so its transaction must commit. */
  | { kind: 'refused'; error: AppError; before: CaseRow };

export type WantedChange = {
  id: string;
  update: CaseUpdate;
  by: UpdatedBy;
  /** Of a caller's key: the same request again changes nothing, another one is refused. */
  request?: KeyedCreation | undefined;
  takesBack?: TakenBack | undefined;
};

export type ChangeCase = (tx: Tx, scope: TenantScope, change: WantedChange) => Promise<ChangeOutcome>;

/**
 * One change of one case, with its story, notices and audit. Throws NOT_FOUND, VALIDATION_FAILED, CONFLICT and
 * IDEMPOTENCY_KEY_REUSED.
 */
export function createCaseChanges(deps: CaseChangeDependencies): ChangeCase {
  return async (tx, scope, { id, update, by, request, takesBack }) => {
    // Before all other locks, so that nobody waits for another request of the same key with a case in hand.
    const isRepeated = await wasDone(tx, scope, request);
    if (update.suppress_until !== undefined) await holdGroup(deps, tx, scope, id);
    const row = await lockCase(tx, scope, id);
    if (row === undefined) throw noSuchCase();
    if (isRepeated) return { kind: 'unchanged', before: row };
    try {
      const change = planCaseUpdate(row, update, {
        username: by.actor.name,
        byPerson: by.actor.kind !== 'system',
        at: deps.now(),
        takesBack,
      });
      assertSuppressible(deps, row, update);
      await assertMayReopen(tx, scope, { row, change });
      await assertAssignable(deps, tx, scope, { row, change, update });
      const isChanged = change.entries.length > 0 || update.suppress_until !== undefined;
      if (!isChanged) return { kind: 'unchanged', before: row };
      const after = await applyChange(deps, tx, scope, { row, change, update, by, request });
      return { kind: 'changed', before: row, after };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'CASE_TRANSITION_REFUSED') throw error;
      await recordAttempt(deps, tx, { row, by, outcome: 'refused', data: { asked: update.alert_status } });
      return { kind: 'refused', error, before: row };
    }
  };
}

/** An update that told the story nothing left nothing to repeat. */
async function wasDone(tx: Tx, scope: TenantScope, request: KeyedCreation | undefined): Promise<boolean> {
  if (request === undefined || request.hash === null) return false;
  await lockRequest(tx, request.id);
  const hash = await findRequest(tx, scope, request.id);
  if (hash === undefined) return false;
  if (hash !== request.hash) throw new AppError('IDEMPOTENCY_KEY_REUSED');
  return true;
}

/** Policy and group of a case never change, so they may be read before it is locked. */
async function holdGroup(deps: CaseChangeDependencies, tx: Tx, scope: TenantScope, id: string): Promise<void> {
  const row = await findCase(tx, scope, id);
  if (row === undefined || row.policy_id === null || row.group_key === null) return;
  await deps.groups.lock(tx, scope, { policyId: row.policy_id, groupKey: row.group_key });
}

function assertSuppressible({ now }: Pick<CaseChangeDependencies, 'now'>, row: CaseRow, update: CaseUpdate): void {
  if (update.suppress_until === undefined) return;
  const message = suppressionProblem(row, { until: new Date(update.suppress_until), now: now() });
  if (message === undefined) return;
  throw new AppError('VALIDATION_FAILED', { message, details: [{ path: 'body.suppress_until', message }] });
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
  throw new AppError('CASE_TRANSITION_REFUSED', refusal('CASE_NEWER_OPEN', { reference: referenceOf(other.number) }));
}

/** A closed case keeps the name of who had it, whatever became of them: reopened, it is nobody's then. */
async function assertAssignable(
  deps: CaseChangeDependencies,
  tx: Tx,
  scope: TenantScope,
  { row, change, update }: Pick<Applied, 'row' | 'change' | 'update'>,
): Promise<void> {
  const isReopened = row.status === 'closed' && change.set.status !== undefined;
  const assignee = isReopened ? update.assignee : change.set.assignee;
  if (typeof assignee === 'string') await requireAssignable(deps, tx, scope, { assignee, path: 'body.assignee' });
  if (!isReopened || assignee !== undefined || row.assignee === null) return;
  if (await isAssignable(deps, tx, scope, row.assignee)) return;
  planAssignee(change, row, null);
}

type Applied = {
  row: CaseRow;
  change: CaseChange;
  update: CaseUpdate;
  by: UpdatedBy;
  request?: KeyedCreation | undefined;
};

async function applyChange(
  deps: CaseChangeDependencies,
  tx: Tx,
  scope: TenantScope,
  { row, change, update, by, request }: Applied,
): Promise<CaseRow> {
  const at = deps.now();
  const searchText = searchTextOf({
    ...row,
    tags: (change.set.tags as string[] | undefined) ?? row.tags,
    assignee: change.set.assignee === undefined ? row.assignee : (change.set.assignee as string | null),
  });
  const needsTargets = change.set.severity !== undefined;
  const clock = clockChange(row, change.set, { at, targets: needsTargets ? await targetsOf(tx, scope) : undefined });
  const set = { ...change.set, ...clock, time_updated: at, search_text: searchText };
  // It is locked, so it is there.
  const changed = (await changeCase(tx, scope, { id: row.id, set })) ?? row;
  await insertActivity(
    tx,
    scope,
    change.entries.map((entry, index) => ({
      ...{ id: deps.ids(), caseId: row.id, at, username: by.actor.name },
      ...entry,
      ...(index === 0 ? requestOf(request) : {}),
    })),
  );
  if (update.suppress_until !== undefined) {
    const until = new Date(update.suppress_until);
    await addSuppression(deps, tx, scope, { row, until, username: by.actor.name });
  }
  await tellPeople(deps, tx, scope, { row, change, update, by });
  await deps.changes.announce(tx, { tenant: scope.tenantId, kind: 'case', id: row.id, status: changed.status });
  await recordAttempt(deps, tx, {
    row,
    by,
    outcome: 'ok',
    data: {
      changed: change.entries.map((entry) => entry.kind),
      ...(update.suppress_until === undefined ? {} : { suppress_until: update.suppress_until }),
    },
  });
  return changed;
}

function requestOf(request: KeyedCreation | undefined) {
  return request === undefined || request.hash === null ? {} : { request_id: request.id, request_hash: request.hash };
}

/** Whoever takes a case, or names themselves, knows that already. */
async function tellPeople(
  deps: CaseChangeDependencies,
  tx: Tx,
  scope: TenantScope,
  { row, change, update, by }: Applied,
): Promise<void> {
  const facts = { tenant: scope.tenantId, caseId: row.id, reference: referenceOf(row.number), name: row.name };
  const { assignee } = change.set;
  if (typeof assignee === 'string' && !isDoneBy(by.actor, assignee)) {
    await deps.notices.tell(tx, { kind: 'case_assigned', ...facts, assignee, by: by.actor.name });
  }
  const named = mentionedIn(update.comment ?? '').filter((username) => !isDoneBy(by.actor, username));
  const members = [...(await deps.membersAmong(tx, scope, named))];
  if (members.length === 0) return;
  const comment = update.comment ?? '';
  await deps.notices.tell(tx, { kind: 'case_mentioned', ...facts, usernames: members, by: by.actor.name, comment });
}

async function recordAttempt(
  deps: Pick<CaseChangeDependencies, 'audit'>,
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
