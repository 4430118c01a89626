import type { CaseBulkAnswer, CaseBulkResult, caseBulkSchema } from '@airdeck/contracts/cases/schema';
import { type CaseBulkChange, type CaseUpdate, caseListQuerySchema } from '@airdeck/contracts/cases/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import { limits } from '@airdeck/contracts/limits';
import type { z } from 'zod';
import { AppError } from '../../http/app-error.ts';
import type { Caller } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { sqlStateOf } from '../../storage/sql-state.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { RunnablePlaybook } from '../playbooks/playbooks-port.ts';
import type { ChangeCase } from './case-changes.ts';
import { readMatching } from './case-reads.ts';
import { referenceOf } from './case-view.ts';
import { type CaseRow, findCase } from './cases-repository.ts';
import type { UpdatedBy } from './cases-service.ts';

const AT_ONCE_PER_TENANT = 2;
const UNIQUE_VIOLATION = '23505';

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
    /** A second start with the same key is the first one. */
    key: string;
  },
) => Promise<{ runId: string }>;

export type BulkDependencies = {
  db: Pick<Database, 'tenant' | 'read'>;
  ids: () => string;
  changeCase: ChangeCase;
  /** Throws NOT_FOUND and PLAYBOOK_NOT_PUBLISHED. */
  getPlaybook: (tx: Tx, scope: TenantScope, id: string) => Promise<RunnablePlaybook>;
  automationEnabled: (tx: Tx, tenantId: string) => Promise<boolean>;
  /** Fills the case's values in; throws for a template that cannot be filled. */
  render: (value: unknown, context: JsonObject) => unknown;
  runForCase: RunForCase;
};

type Asked = { scope: TenantScope; caller: Caller; by: UpdatedBy; idempotencyKey: string | undefined };
type DoOne = (tx: Tx, row: CaseRow) => Promise<CaseBulkResult>;

/**
 * The same to many cases, one transaction each: none waits for the others, and what one refuses is said of it alone.
 * Throws RATE_LIMITED while two calls of the tenant go on.
 */
export function createCaseBulk(deps: BulkDependencies): (bulk: Bulk, asked: Asked) => Promise<CaseBulkAnswer> {
  const running = new Map<string, number>();
  return async (bulk, asked) => {
    const tenant = asked.scope.tenantId;
    const now = running.get(tenant) ?? 0;
    if (now >= AT_ONCE_PER_TENANT) throw new AppError('RATE_LIMITED', { retryAfterS: 2 });
    running.set(tenant, now + 1);
    try {
      const { ids, matched } = await chosen(deps, asked.scope, bulk);
      const doOne = bulk.change === undefined ? await runner(deps, bulk, asked) : changer(deps, bulk.change, asked);
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

async function chosen(
  { db }: Pick<BulkDependencies, 'db'>,
  scope: TenantScope,
  { cases, matching }: Bulk,
): Promise<{ ids: readonly string[]; matched: number }> {
  if (cases !== undefined) {
    const ids = [...new Set(cases)];
    return { ids, matched: ids.length };
  }
  // Filled with the list's own defaults, so that it chooses what the list shows.
  const query = { ...caseListQuerySchema.parse({}), ...matching };
  return await db.read(scope.tenantId, (tx) => readMatching(tx, scope, query, limits.casesBulkMax));
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
      if (row === undefined) return refused(id, null, 'This case does not exist.');
      reference = referenceOf(row.number);
      return await doOne(tx, row);
    });
  } catch (error) {
    return refused(id, reference, problemOf(error));
  }
}

/** Only what the case itself refuses; anything else ends the call. */
function problemOf(error: unknown): string {
  if (sqlStateOf(error) === UNIQUE_VIOLATION) return 'A newer case is open for the same policy and group: go on there.';
  if (!(error instanceof AppError)) throw error;
  return [error.message, ...(error.details ?? []).map(({ path, message }) => `${path} ${message}`)].join(' ');
}

function changer(
  { changeCase }: Pick<BulkDependencies, 'changeCase'>,
  change: CaseBulkChange,
  { scope, by }: Asked,
): DoOne {
  return async (tx, row) => {
    const reference = referenceOf(row.number);
    const none = { id: row.id, reference, message: null, run_id: null, before: null };
    const update = updateOf(row, change);
    if (update === undefined) return { ...none, outcome: 'unchanged' };
    const outcome = await changeCase(tx, scope, { id: row.id, update, by });
    if (outcome.kind === 'refused') return refused(row.id, reference, outcome.error.message);
    const { status, assignee, tags } = outcome.before;
    const before = outcome.kind === 'changed' ? { alert_status: status, assignee, tags } : null;
    return { ...none, outcome: outcome.kind, before };
  };
}

/** Undefined where nothing is left to do: a case that is closed keeps the reason it was closed for. */
function updateOf(row: CaseRow, change: CaseBulkChange): CaseUpdate | undefined {
  const { add_tags: added = [], remove_tags: removed = [], alert_status, close_reason, comment, ...rest } = change;
  const retags = added.length > 0 || removed.length > 0;
  const tags = [...new Set([...row.tags, ...added])].filter((tag) => !removed.includes(tag));
  // What is said about a step belongs to cases that take it.
  const moves = alert_status === undefined || alert_status !== row.status;
  const update = {
    ...rest,
    ...(retags ? { tags } : {}),
    ...(moves && alert_status !== undefined ? { alert_status } : {}),
    ...(moves && close_reason !== undefined ? { close_reason } : {}),
    ...(moves && comment !== undefined ? { comment } : {}),
  };
  return Object.keys(update).length === 0 ? undefined : update;
}

async function runner(deps: BulkDependencies, { playbook: asked }: Bulk, by: Asked): Promise<DoOne> {
  if (asked === undefined) throw new AppError('VALIDATION_FAILED');
  const { scope, caller, idempotencyKey } = by;
  const playbook = await deps.db.read(scope.tenantId, async (tx) => {
    if (!(await deps.automationEnabled(tx, scope.tenantId))) {
      throw new AppError('CONFLICT', {
        message: 'Automation is switched off for this tenant, so playbooks do not run.',
      });
    }
    return await deps.getPlaybook(tx, scope, asked.playbook_id);
  });
  const key = idempotencyKey ?? deps.ids();
  return async (tx, row) => {
    const reference = referenceOf(row.number);
    const inputs = inputsFor(deps, asked.inputs, row);
    const { runId } = await deps.runForCase(tx, {
      ...{ scope, caller, playbook, inputs, caseId: row.id },
      key: `case-playbook/${caller.userId}/${key}/${row.id}`,
    });
    return { id: row.id, reference, outcome: 'changed', message: null, run_id: runId, before: null };
  };
}

function inputsFor({ render }: Pick<BulkDependencies, 'render'>, inputs: JsonObject, row: CaseRow): JsonObject {
  const { id, number, name, severity } = row;
  const context = { case: { id, reference: referenceOf(number), name, severity, policy: name }, group: row.meta };
  try {
    return render(inputs, context) as JsonObject;
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown';
    throw new AppError('VALIDATION_FAILED', { message: `The inputs could not be filled in (${why}).`, cause: error });
  }
}

function refused(id: string, reference: string | null, message: string): CaseBulkResult {
  return { id, reference, outcome: 'refused', message, run_id: null, before: null };
}
