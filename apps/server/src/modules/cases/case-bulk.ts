import type { CaseBulkAnswer, CaseBulkResult, caseBulkSchema } from '@airdeck/contracts/cases/schema';
import {
  type CaseBulkChange,
  type CaseBulkSeen,
  type CaseUpdate,
  caseListQuerySchema,
} from '@airdeck/contracts/cases/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { Told } from '@airdeck/contracts/filled-text';
import { limits } from '@airdeck/contracts/limits';
import { refusal } from '@airdeck/contracts/refusal-texts';
import type { Expressions } from '@airdeck/expression/expression';
import type { z } from 'zod';
import { AppError } from '../../http/app-error.ts';
import type { Caller, TenantContext } from '../../http/handlers.ts';
import { idempotencyKeyOf } from '../../http/idempotency-key.ts';
import { hashOf, keyedId } from '../../http/keyed-creation.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { sqlStateOf } from '../../storage/sql-state.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { KeyedAnswers } from '../keyed-answers/keyed-answers.ts';
import type { RunnablePlaybook } from '../playbooks/playbooks-port.ts';
import { type AssigneeDependencies, requireAssignable } from './case-assignee.ts';
import type { ChangeCase } from './case-changes.ts';
import { readMatching } from './case-reads.ts';
import { referenceOf } from './case-view.ts';
import { type CaseRow, findCase, lockCase } from './cases-repository.ts';
import type { UpdatedBy } from './cases-service.ts';

const AT_ONCE_PER_TENANT = 2;
const UNIQUE_VIOLATION = '23505';

const automationOff = { message: 'Automation is switched off for this tenant, so playbooks do not run.' };

type Bulk = z.output<typeof caseBulkSchema>;

/** How a person's playbook is started for a case; refusals are AppErrors. */
export type RunForCase = (
  tx: Tx,
  start: {
    scope: TenantScope;
    caller: Caller;
    playbook: RunnablePlaybook;
    inputs: JsonObject;
    caseId: string;
    /** A second start with the same key is the first one; with another hash it is refused. */
    key: string;
    requestHash: string;
  },
) => Promise<{ runId: string }>;

export type BulkDependencies = AssigneeDependencies & {
  db: Pick<Database, 'tenant' | 'read'>;
  ids: () => string;
  changeCase: ChangeCase;
  keyedAnswers: Pick<KeyedAnswers, 'once'>;
  /** Throws NOT_FOUND and PLAYBOOK_NOT_PUBLISHED. */
  getPlaybook: (tx: Tx, scope: TenantScope, id: string) => Promise<RunnablePlaybook>;
  automationEnabled: (tx: Tx, tenantId: string) => Promise<boolean>;
  /** Fills the case's values in; throws for a template that cannot be filled. */
  expressions: Pick<Expressions, 'render' | 'checkTemplates'>;
  runForCase: RunForCase;
  /** What keys given to `runForCase` have started, by key. */
  runsOfKeys: (
    tx: Tx,
    scope: TenantScope,
    keys: readonly string[],
  ) => Promise<ReadonlyMap<string, { runId: string; requestHash: string | undefined }>>;
  /** Counts runs that a person is about to start; throws RATE_LIMITED beyond what one may start in a minute. */
  requirePace: (scope: TenantScope, userId: string, starts: number) => Promise<void>;
  /** Whether the restore fence is up: nothing is started then, also not later. */
  isFenced: () => boolean;
};

type Asked = Pick<TenantContext, 'scope' | 'caller' | 'raw'> & { by: UpdatedBy };
type Seen = Omit<CaseBulkSeen, 'id'>;
type DoOne = (tx: Tx, row: CaseRow) => Promise<CaseBulkResult>;

/**
 * The same to many cases, one transaction each: none waits for the others, and what one refuses is said of it alone.
 * Throws RATE_LIMITED while two calls of the tenant go on, VALIDATION_FAILED for somebody no case can be given to, and
 * IDEMPOTENCY_KEY_REUSED for another choice of what matches under the same key; for a playbook also RESTORE_FENCE_UP,
 * and what `runner` throws.
 */
export function createCaseBulk(deps: BulkDependencies): (bulk: Bulk, asked: Asked) => Promise<CaseBulkAnswer> {
  const running = new Map<string, number>();
  return async (bulk, asked) => {
    if (bulk.playbook !== undefined && deps.isFenced()) throw new AppError('RESTORE_FENCE_UP');
    const tenant = asked.scope.tenantId;
    const now = running.get(tenant) ?? 0;
    if (now >= AT_ONCE_PER_TENANT) throw new AppError('RATE_LIMITED', { retryAfterS: 2 });
    running.set(tenant, now + 1);
    try {
      // Before the choice is kept: a change that is refused as a whole keeps nothing.
      const change = bulk.change === undefined ? undefined : await changer(deps, bulk, asked);
      const { ids, matched } = await chosen(deps, bulk, asked);
      const doOne = change ?? (await runner(deps, bulk, { ...asked, ids }));
      const results: CaseBulkResult[] = [];
      for (const id of ids) results.push(await oneCase(deps, asked.scope, id, doOne));
      return { matched, results };
    } finally {
      const left = (running.get(tenant) ?? 1) - 1;
      if (left === 0) running.delete(tenant);
      else running.set(tenant, left);
    }
  };
}

/**
 * What matched is kept under the caller's key before anything is done: done once, a case may match no longer, so that whoever
 * had no answer and asks again would act on the next ones.
 */
async function chosen(
  { db, keyedAnswers }: Pick<BulkDependencies, 'db' | 'keyedAnswers'>,
  bulk: Bulk,
  { scope, caller, raw }: Asked,
): Promise<{ ids: readonly string[]; matched: number }> {
  const { cases, matching } = bulk;
  if (cases !== undefined) {
    const ids = [...new Set(cases)];
    return { ids, matched: ids.length };
  }
  // Filled with the list's own defaults, so that it chooses what the list shows.
  const query = { ...caseListQuerySchema.parse({}), ...matching };
  const choose = (tx: Tx) => readMatching(tx, scope, query, limits.casesBulkMax);
  if (keyOf(raw) === undefined) return await db.read(scope.tenantId, choose);
  const request = { route: 'cases.bulk', tenant: scope.tenantId, context: { raw, caller }, asked: bulk } as const;
  return await db.tenant(scope.tenantId, (tx) => keyedAnswers.once(tx, request, () => choose(tx)));
}

function keyOf({ request }: Asked['raw']): string | undefined {
  return idempotencyKeyOf(request.headers);
}

async function oneCase(
  { db }: Pick<BulkDependencies, 'db'>,
  scope: TenantScope,
  id: string,
  doOne: DoOne,
): Promise<CaseBulkResult> {
  let reference: string | null = null;
  try {
    return await db.tenant(scope.tenantId, async (tx) => {
      const row = await findCase(tx, scope, id);
      if (row === undefined) return refused(id, null, { message: 'This case does not exist.' });
      reference = referenceOf(row.number);
      return await doOne(tx, row);
    });
  } catch (error) {
    const conflict = error instanceof AppError && error.code === 'CONFLICT';
    return { ...refused(id, reference, problemOf(error)), conflict };
  }
}

/** Only what the case itself refuses; anything else ends the call. */
function problemOf(error: unknown): Told {
  if (sqlStateOf(error) === UNIQUE_VIOLATION) {
    return { message: 'A newer case is open for the same policy and group: go on there.' };
  }
  if (!(error instanceof AppError)) throw error;
  const { message, details = [] } = error;
  if (details.length === 0) return toldOf(error);
  const all = details.map(({ path, message: said }) => `${path} ${said}`).join(' ');
  return refusal('CASE_REFUSED_WITH', { problem: [{ message }], details: all });
}

function toldOf({ message, reason, values }: AppError): Told {
  return { message, ...(reason === undefined ? {} : { reason, values }) };
}

async function changer(deps: BulkDependencies, bulk: Bulk, { scope, caller, by, raw }: Asked): Promise<DoOne> {
  const idempotencyKey = keyOf(raw);
  const { change = {} } = bulk;
  const { assignee } = change;
  if (typeof assignee === 'string') {
    const path = 'body.change.assignee';
    await deps.db.read(scope.tenantId, (tx) => requireAssignable(deps, tx, scope, { assignee, path }));
  }
  const seenById = new Map((bulk.seen ?? []).map(({ id, ...seen }) => [id, seen]));
  const hash = hashOf(change);
  return async (tx, found) => {
    // Locked before its tags are read: what is made of them must not undo what somebody else just did.
    const row = retags(change) ? ((await lockCase(tx, scope, found.id)) ?? found) : found;
    const reference = referenceOf(row.number);
    const update = updateOf(row, change, seenById.get(row.id));
    if (update === undefined) return { ...done(row.id, reference), outcome: 'unchanged' };
    const request =
      idempotencyKey === undefined
        ? undefined
        : { id: keyedId(['case-bulk', scope.tenantId, caller.userId, idempotencyKey, row.id]), hash };
    const { unacknowledge } = change;
    const takesBack =
      unacknowledge === true && update.alert_status !== undefined
        ? { acknowledgedAt: seenById.get(row.id)?.time_acknowledged }
        : undefined;
    const outcome = await deps.changeCase(tx, scope, { id: row.id, update, by, request, takesBack });
    if (outcome.kind === 'refused') return refused(row.id, reference, toldOf(outcome.error));
    if (outcome.kind === 'unchanged') return { ...done(row.id, reference), outcome: 'unchanged' };
    return { ...done(row.id, reference), before: stateOf(outcome.before), after: stateOf(outcome.after) };
  };
}

function stateOf({ status, assignee, tags, ...of }: CaseRow): NonNullable<CaseBulkResult['before']> {
  return {
    ...{ alert_status: status, assignee, tags },
    time_acknowledged: of.time_acknowledged?.toISOString() ?? null,
    waiting_since: of.waiting_since?.toISOString() ?? null,
  };
}

function done(id: string, reference: string | null): CaseBulkResult {
  const none = { message: null, conflict: false, run_id: null, before: null, after: null };
  return { id, reference, outcome: 'changed', ...none };
}

function retags({ add_tags: added = [], remove_tags: removed = [] }: CaseBulkChange): boolean {
  return added.length > 0 || removed.length > 0;
}

/** Undefined where nothing is left to do: a case that is closed keeps the reason it was closed for. */
function updateOf(row: CaseRow, change: CaseBulkChange, seen: Seen | undefined): CaseUpdate | undefined {
  const { add_tags: added = [], remove_tags: removed = [], assignee, ...step } = change;
  const { alert_status, close_reason, comment, waiting_on_customer } = step;
  const tags = [...new Set([...row.tags, ...added])].filter((tag) => !removed.includes(tag));
  // What is said about a step belongs to cases that take it.
  const moves = alert_status === undefined || alert_status !== row.status;
  const update = {
    ...(assignee === undefined ? {} : { assignee }),
    ...(retags(change) ? { tags } : {}),
    ...(moves && alert_status !== undefined ? { alert_status } : {}),
    ...(moves && close_reason !== undefined ? { close_reason } : {}),
    ...(moves && comment !== undefined ? { comment } : {}),
    ...(moves && waiting_on_customer !== undefined ? { waiting_on_customer } : {}),
  };
  if (Object.keys(update).length === 0) return undefined;
  // What was seen of other parts is no concern of this change.
  const asSeen = {
    ...(update.alert_status === undefined ? {} : { alert_status: seen?.alert_status }),
    ...(update.assignee === undefined ? {} : { assignee: seen?.assignee }),
  };
  return { ...update, seen: asSeen };
}

/**
 * What the key has started for a case is its answer, whatever would be refused by now; the others are started one by
 * one as long as automation is on. Throws RATE_LIMITED for more runs than the person may start just now, and where no
 * case has a run to tell of, CONFLICT while automation is off, NOT_FOUND and PLAYBOOK_NOT_PUBLISHED.
 */
async function runner(
  deps: BulkDependencies,
  { playbook: asked }: Bulk,
  { scope, caller, raw, ids }: Asked & { ids: readonly string[] },
): Promise<DoOne> {
  if (asked === undefined) throw new AppError('VALIDATION_FAILED');
  // Once for all cases, before anything of any of them: each would be held up alike.
  const [problem] = deps.expressions.checkTemplates(asked.inputs);
  if (problem !== undefined) throw notFilled(problem.message);
  const key = keyOf(raw) ?? deps.ids();
  const requestHash = hashOf(asked);
  const keyFor = (caseId: string) => `case-playbook/${caller.userId}/${key}/${caseId}`;
  // Read once, so that all cases run the same version.
  let playbook: RunnablePlaybook | undefined;
  const toStart = await deps.db.read(scope.tenantId, async (tx) => {
    const started = await deps.runsOfKeys(tx, scope, ids.map(keyFor));
    if (started.size === 0) {
      if (!(await deps.automationEnabled(tx, scope.tenantId))) throw new AppError('CONFLICT', automationOff);
      playbook = await deps.getPlaybook(tx, scope, asked.playbook_id);
    }
    return ids.length - started.size;
  });
  if (toStart > 0) await deps.requirePace(scope, caller.userId, toStart);
  return async (tx, row) => {
    const reference = referenceOf(row.number);
    const runKey = keyFor(row.id);
    const known = (await deps.runsOfKeys(tx, scope, [runKey])).get(runKey);
    if (known !== undefined) {
      if (known.requestHash !== requestHash) throw new AppError('IDEMPOTENCY_KEY_REUSED');
      return { ...done(row.id, reference), run_id: known.runId };
    }
    if (!(await deps.automationEnabled(tx, scope.tenantId))) return refused(row.id, reference, automationOff);
    playbook ??= await deps.getPlaybook(tx, scope, asked.playbook_id);
    const inputs = inputsFor(deps, asked.inputs, row);
    const { runId } = await deps.runForCase(tx, {
      ...{ scope, caller, playbook, inputs, caseId: row.id },
      key: runKey,
      requestHash,
    });
    return { ...done(row.id, reference), run_id: runId };
  };
}

function inputsFor(
  { expressions }: Pick<BulkDependencies, 'expressions'>,
  inputs: JsonObject,
  row: CaseRow,
): JsonObject {
  const { id, number, name, severity } = row;
  const context = { case: { id, reference: referenceOf(number), name, severity, policy: name }, group: row.meta };
  try {
    return expressions.render(inputs, context) as JsonObject;
  } catch (error) {
    throw notFilled(error instanceof Error ? error.message : 'unknown', error);
  }
}

function notFilled(problem: string, cause?: unknown): AppError {
  return new AppError('VALIDATION_FAILED', { ...refusal('CASE_INPUTS_NOT_FILLED', { problem }), cause });
}

function refused(id: string, reference: string | null, told: Told): CaseBulkResult {
  return { ...done(id, reference), outcome: 'refused', ...told };
}
