import type { Failure } from './errors.ts';
import type { SqlClient } from './interfaces.ts';
import { jsonText } from './json-value.ts';
import type { RunRow, StepRow } from './rows.ts';
import { isUrgentKind, type NewRunJob, type RunModel, runJobKinds } from './run-model.ts';
import { isRunStatusFinal } from './statuses.ts';

/** Largest priority, and smallest by its negative, that a run or job can be given. */
export const MAX_PRIORITY = 100;

/** Channels of NOTIFY: work is available; attempts of a run (payload: its id) must stop. */
export const wakeChannel = 'engine_wake';
export const abortChannel = 'engine_abort';

/** `uncounted`: claims of it that are not to be taken for lost workers later, 1 or 0. */
export type Retry = { readonly id: string; readonly at: Date; readonly uncounted: number };

/** Claimed jobs whose work is done, those to be tried again later, those that wait for a hold to end. */
export type JobOutcomes = {
  readonly done: readonly string[];
  readonly retries: readonly Retry[];
  readonly held: readonly string[];
  /** Those put away for good. */
  readonly refused: readonly { id: string; error: Failure }[];
};

export const noJobOutcomes: JobOutcomes = { done: [], retries: [], held: [], refused: [] };

/**
 * Writes all changes of all runs in one statement: new and changed steps, prompts, jobs, runs, and the notifications that
 * wake workers or stop attempts. Parts without rows are left out.
 */
export async function saveRuns(
  tx: SqlClient,
  models: readonly RunModel[],
  outcomes: JobOutcomes,
  now: Date,
): Promise<void> {
  const changed = models.filter(isChanged);
  const jobs = changed.flatMap((model) => model.changes.newJobs.map((job) => jobRecord(model, job, now)));
  const created = changed.filter(({ changes }) => changes.created);
  const known = changed.filter(({ changes }) => !changes.created);
  const parts: Part[] = [
    { sql: insertDefinitions, rows: created.map(definitionRecord) },
    { sql: insertRuns, rows: created.map(({ row, changes }) => ({ ...row, dedup_key: changes.created?.dedupKey })) },
    { sql: insertSteps, rows: changed.flatMap(newStepRecords) },
    { sql: insertReusedSteps, rows: changed.flatMap(reusedStepRecords) },
    { sql: updateSteps, rows: changed.flatMap(({ changes }) => [...changes.changedSteps].map(stepChange)) },
    { sql: insertPrompts, rows: changed.flatMap(({ changes }) => changes.newPrompts) },
    { sql: closePrompts, rows: changed.flatMap((model) => closedPromptRecords(model, now)) },
    { sql: updateRuns, rows: known.map(({ row }) => runChange(row, now)) },
    { sql: deleteJobs, rows: outcomes.done.map((id) => ({ id })) },
    { sql: deleteStepJobs, rows: changed.flatMap(droppedJobRecords) },
    { sql: deleteRunJobs, rows: changed.filter(leavesJobs).map(({ row }) => ({ run_id: row.id })) },
    { sql: rescheduleJobs, rows: outcomes.retries },
    { sql: holdJobs, rows: outcomes.held.map((id) => ({ id })) },
    { sql: refuseJobs, rows: outcomes.refused },
    { sql: freeLostJobs, rows: changed.filter(({ changes }) => changes.abort).map(({ row }) => ({ run_id: row.id })) },
    { sql: insertJobs, rows: jobs },
    { sql: notify, rows: notices(changed, jobs) },
  ];
  await writeParts(tx, parts);
}

type Part = { readonly sql: (rows: string) => string; readonly rows: readonly object[] };

async function writeParts(tx: SqlClient, parts: readonly Part[]): Promise<void> {
  const used = parts.filter(({ rows }) => rows.length > 0);
  if (used.length === 0) return;
  const texts = used.map(({ sql }, index) => `p${index} as (${sql(`jsonb_to_recordset($${index + 1}::jsonb)`)})`);
  // A WITH part that only selects runs only when it is read.
  const read = used.some(({ sql }) => sql === notify) ? `select * from p${used.length - 1}` : 'select 1';
  await tx.query(
    `with ${texts.join(',\n')} ${read}`,
    used.map(({ rows }) => jsonText(rows)),
  );
}

function isChanged({ changes }: RunModel): boolean {
  return (
    changes.created !== null ||
    changes.run ||
    changes.newSteps.size > 0 ||
    changes.changedSteps.size > 0 ||
    changes.newJobs.length > 0 ||
    changes.abort ||
    changes.unwantedChildren.size > 0
  );
}

function insertDefinitions(rows: string): string {
  return `insert into engine.definition (tenant_id, hash, body, traits) select tenant_id, hash, body, traits
    from ${rows} as x(tenant_id uuid, hash text, body jsonb, traits jsonb) on conflict do nothing`;
}

function definitionRecord({ row, compiled }: RunModel): object {
  return { tenant_id: row.tenant_id, hash: row.definition_hash, body: compiled.definition, traits: compiled.traits };
}

function insertRuns(rows: string): string {
  const columns = `id, tenant_id, kind, name, definition_hash, status, inputs, outputs, error, trigger, subject, priority, dry_run,
    parent_run_id, parent_step_id, root_run_id, depth, retry_of, retry_from, trace, started_with, dedup_key, deadline_at,
    created_at, updated_at, started_at, finished_at`;
  return `insert into engine.run (${columns}) select ${columns} from ${rows} as x(id uuid, tenant_id uuid, kind text, name text,
    definition_hash text, status text, inputs jsonb, outputs jsonb, error jsonb, trigger jsonb, subject text, priority smallint,
    dry_run boolean, parent_run_id uuid, parent_step_id uuid, root_run_id uuid, depth smallint, retry_of uuid,
    retry_from text, trace text,
    started_with text, dedup_key text, deadline_at timestamptz, created_at timestamptz, updated_at timestamptz,
    started_at timestamptz, finished_at timestamptz)`;
}

const stepFields = `id uuid, run_id uuid, tenant_id uuid, action_id text, iteration int, kind text, name text, status text,
    skip_reason text, attempt int, failures int, error jsonb, effect text, idempotent boolean, list_turn text,
    child_run_id uuid, reused boolean, call_started_at timestamptz, available_at timestamptz, created_at timestamptz,
    started_at timestamptz, finished_at timestamptz, run_kind text`;

function insertSteps(rows: string): string {
  return insertStepsOf(`${rows} as x(${stepFields}, input jsonb, output jsonb)`);
}

function newStepRecords({ row, changes }: RunModel): object[] {
  return [...changes.newSteps].filter(({ reused }) => !reused).map((step) => ({ ...step, run_kind: row.kind }));
}

/** What a step that was taken over was given and gave never leaves the database: of all of them it may be a gigabyte. */
function insertReusedSteps(rows: string): string {
  return insertStepsOf(`(select x.*, e.input, e.output from ${rows} as x(${stepFields}, earlier_run_id uuid)
    left join engine.step e on e.run_id = x.earlier_run_id and e.tenant_id = x.tenant_id
      and e.action_id = x.action_id and e.iteration = x.iteration) x`);
}

function reusedStepRecords({ row, changes, reusableItems }: RunModel): object[] {
  return [...changes.newSteps]
    .filter(({ reused }) => reused)
    .map(({ input: _input, output: _output, ...step }) => ({
      ...step,
      run_kind: row.kind,
      // Items of a list may be those of a run further back.
      earlier_run_id: reusableItems.get(step.action_id)?.get(step.iteration)?.run_id ?? row.retry_of,
    }));
}

function insertStepsOf(source: string): string {
  const columns = `id, run_id, tenant_id, action_id, iteration, kind, name, status, skip_reason, attempt, failures,
    input, output, error, effect, idempotent, list_turn, child_run_id, reused, call_started_at, available_at, created_at,
    started_at, finished_at, run_kind`;
  return `insert into engine.step (${columns}) select ${columns} from ${source}`;
}

function updateSteps(rows: string): string {
  return `update engine.step s set status = x.status, skip_reason = x.skip_reason, attempt = x.attempt,
    failures = x.failures, output = x.output, error = x.error, list_turn = x.list_turn, call_started_at = x.call_started_at,
    available_at = x.available_at, started_at = x.started_at, finished_at = x.finished_at
    from ${rows} as x(id uuid, status text, skip_reason text, attempt int, failures int, output jsonb, error jsonb,
    list_turn text, call_started_at timestamptz, available_at timestamptz, started_at timestamptz, finished_at timestamptz)
    where s.id = x.id`;
}

function stepChange(step: StepRow): object {
  const { id, status, skip_reason, attempt, failures, output, error, list_turn } = step;
  const { call_started_at, available_at, started_at, finished_at } = step;
  return {
    id,
    status,
    skip_reason,
    attempt,
    failures,
    output,
    error,
    list_turn,
    call_started_at,
    available_at,
    started_at,
    finished_at,
  };
}

function insertPrompts(rows: string): string {
  const columns = `id, run_id, action_id, tenant_id, message, options, approvers, asked_at, expires_at, default_option, answered,
    closed_at`;
  return `insert into engine.prompt (${columns}) select ${columns} from ${rows} as x(id uuid, run_id uuid, action_id text,
    tenant_id uuid, message text, options jsonb, approvers jsonb, asked_at timestamptz, expires_at timestamptz,
    default_option text, answered jsonb, closed_at timestamptz)`;
}

function closePrompts(rows: string): string {
  return `update engine.prompt p set answered = x.answered, closed_at = x.closed_at
    from ${rows} as x(id uuid, answered jsonb, closed_at timestamptz) where p.id = x.id`;
}

function closedPromptRecords({ changes }: RunModel, now: Date): object[] {
  return [...changes.closedPrompts].map(([id, answered]) => ({ id, answered, closed_at: now }));
}

function updateRuns(rows: string): string {
  return `update engine.run r set status = x.status, outputs = x.outputs, error = x.error,
    cancel_requested_at = x.cancel_requested_at, cancel_requested_by = x.cancel_requested_by, updated_at = x.updated_at,
    started_at = x.started_at, finished_at = x.finished_at
    from ${rows} as x(id uuid, status text, outputs jsonb, error jsonb, cancel_requested_at timestamptz,
    cancel_requested_by text, updated_at timestamptz, started_at timestamptz, finished_at timestamptz) where r.id = x.id`;
}

function runChange(row: RunRow, now: Date): object {
  const { id, status, outputs, error, cancel_requested_at, cancel_requested_by, started_at, finished_at } = row;
  return {
    id,
    status,
    outputs,
    error,
    cancel_requested_at,
    cancel_requested_by,
    started_at,
    finished_at,
    updated_at: now,
  };
}

function deleteJobs(rows: string): string {
  return `delete from engine.job j using ${rows} as x(id uuid) where j.id = x.id`;
}

function deleteStepJobs(rows: string): string {
  return `delete from engine.job j using ${rows} as x(run_id uuid, step_id uuid)
    where j.run_id = x.run_id and j.step_id = x.step_id`;
}

function droppedJobRecords({ row, changes }: RunModel): object[] {
  return [...changes.droppedStepJobs].map((stepId) => ({ run_id: row.id, step_id: stepId }));
}

function deleteRunJobs(rows: string): string {
  return `delete from engine.job j using ${rows} as x(run_id uuid) where j.run_id = x.run_id`;
}

/** All steps of an ended run are settled and took their jobs along; only a deadline or a late start can be left. */
function leavesJobs({ row }: RunModel): boolean {
  return isRunStatusFinal(row.status) && (row.deadline_at !== null || row.started_at === null);
}

function rescheduleJobs(rows: string): string {
  return `update engine.job j set state = 'scheduled', available_at = x.at, lease_owner = null, lease_until = null,
      attempt = greatest(j.attempt - x.uncounted, 0)
    from ${rows} as x(id uuid, at timestamptz, uncounted int) where j.id = x.id`;
}

function insertJobs(rows: string): string {
  const columns = `id, tenant_id, kind, payload, run_id, step_id, priority, state, available_at, attempt, max_attempts, backoff_ms,
    lease_owner, lease_token, lease_until, created_at`;
  return `insert into engine.job (${columns}) select ${columns} from ${rows} as x(id uuid, tenant_id uuid, kind text,
    payload jsonb, run_id uuid, step_id uuid, priority smallint, state text, available_at timestamptz, attempt int, max_attempts int,
    backoff_ms int, lease_owner text, lease_token bigint, lease_until timestamptz, created_at timestamptz)`;
}

/** The claim does not count: nothing was begun. */
function holdJobs(rows: string): string {
  return `update engine.job j set state = 'held', attempt = greatest(j.attempt - 1, 0), lease_owner = null, lease_until = null
    from ${rows} as x(id uuid) where j.id = x.id`;
}

/** Nothing else is kept of them by their run, which they may not belong to. */
function refuseJobs(rows: string): string {
  return `update engine.job j set state = 'dead', last_error = x.error, run_id = null, lease_owner = null, lease_until = null
    from ${rows} as x(id uuid, error jsonb) where j.id = x.id`;
}

/** Steps whose worker vanished are not begun again when their run ends: nothing to wait for, nor to be alone for. */
function freeLostJobs(rows: string): string {
  return `update engine.job j set state = 'available' from ${rows} as x(run_id uuid)
    where j.run_id = x.run_id and j.kind = '${runJobKinds.step}' and j.lease_losses > 0
      and j.state in ('scheduled', 'suspect')`;
}

type JobRecord = { readonly state: 'leased' | 'scheduled' | 'available'; readonly [column: string]: unknown };

/** Of urgent kinds; they do not queue behind steps. */
export const URGENT_PRIORITY = MAX_PRIORITY + 1;

/** The planner owns retries of a run's jobs; their own limits stay unused. */
function jobRecord({ row }: RunModel, job: NewRunJob, now: Date): JobRecord {
  const due = job.availableAt <= now;
  return {
    id: job.id,
    tenant_id: row.tenant_id,
    kind: job.kind,
    payload: job.payload ?? null,
    run_id: job.runId ?? row.id,
    step_id: job.stepId,
    priority: isUrgentKind(job.kind) ? URGENT_PRIORITY : row.priority,
    state: job.lease ? 'leased' : due ? 'available' : 'scheduled',
    available_at: job.availableAt,
    attempt: job.lease ? 1 : 0,
    max_attempts: 0,
    backoff_ms: 0,
    lease_owner: job.lease?.owner ?? null,
    lease_token: job.lease ? 1 : 0,
    lease_until: job.lease?.until ?? null,
    created_at: now,
  };
}

function notify(rows: string): string {
  return `select pg_notify(x.channel, x.payload) from ${rows} as x(channel text, payload text)`;
}

function notices(models: readonly RunModel[], jobs: readonly JobRecord[]): object[] {
  const aborts = models
    .filter(({ changes }) => changes.abort)
    .map(({ row }) => ({ channel: abortChannel, payload: row.id }));
  const wakes = aborts.length > 0 || jobs.some(({ state }) => state === 'available');
  return wakes ? [{ channel: wakeChannel, payload: '' }, ...aborts] : aborts;
}
