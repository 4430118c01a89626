import { LIST_ITERATION, type PromptOption } from './definition.ts';
import { engineFailureCodes, type Failure } from './errors.ts';
import type { Effect, Prompt, PromptAnswer, Run, RunOutline, Step, StepOutline } from './interfaces.ts';
import type { RunStatus, SkipReason, StepStatus } from './statuses.ts';

export type RunRow = {
  id: string;
  tenant_id: string;
  kind: string;
  name: string;
  definition_hash: string;
  status: RunStatus;
  inputs: unknown;
  outputs: unknown;
  error: Failure | null;
  trigger: unknown;
  subject: string | null;
  priority: number;
  dry_run: boolean;
  /** The step, and its run, that started this run and waits for it. */
  parent_run_id: string | null;
  parent_step_id: string | null;
  /** The run at the top, where this is not it. */
  root_run_id: string | null;
  /** Runs above this one. */
  depth: number;
  retry_of: string | null;
  /** The action it was begun from, to be repeated with everything behind it; null too for runs of before this was kept. */
  retry_from: string | null;
  /** What `RunTracing` keeps with the run. */
  trace: string | null;
  /** Of a run somebody asked for with a key: the id of that key. */
  started_with: string | null;
  cancel_requested_at: Date | null;
  cancel_requested_by: string | null;
  deadline_at: Date | null;
  created_at: Date;
  updated_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
};

export type StepRow = {
  id: string;
  run_id: string;
  tenant_id: string;
  action_id: string;
  iteration: number;
  kind: Step['kind'];
  name: string;
  status: StepStatus;
  skip_reason: SkipReason | null;
  attempt: number;
  /** Attempts that reported a failure; attempts that vanished with their worker are not among them. */
  failures: number;
  input: unknown;
  output: unknown;
  error: Failure | null;
  effect: Effect | null;
  idempotent: boolean;
  /** Of an item of a list: its turn has not come (it has no job then), or has. Null for every other step. */
  list_turn: 'queued' | 'taken' | null;
  child_run_id: string | null;
  reused: boolean;
  call_started_at: Date | null;
  available_at: Date | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
};

export type RunOutlineRow = Omit<RunRow, 'inputs' | 'outputs'>;
export type StepOutlineRow = Omit<StepRow, 'input' | 'output'>;

type StoredAnswer = Omit<PromptAnswer, 'at'> & { at: string };

export type PromptRow = {
  /** Also the id of its step. */
  id: string;
  run_id: string;
  action_id: string;
  tenant_id: string;
  message: string;
  options: readonly PromptOption[];
  approvers: unknown;
  asked_at: Date;
  expires_at: Date | null;
  default_option: string | null;
  answered: StoredAnswer | null;
  closed_at: Date | null;
};

const runColumnList: readonly (keyof RunRow)[] = [
  'id',
  'tenant_id',
  'kind',
  'name',
  'definition_hash',
  'status',
  'inputs',
  'outputs',
  'error',
  'trigger',
  'subject',
  'priority',
  'dry_run',
  'parent_run_id',
  'parent_step_id',
  'root_run_id',
  'depth',
  'retry_of',
  'retry_from',
  'trace',
  'started_with',
  'cancel_requested_at',
  'cancel_requested_by',
  'deadline_at',
  'created_at',
  'updated_at',
  'started_at',
  'finished_at',
];

const stepColumnList: readonly (keyof StepRow)[] = [
  'id',
  'run_id',
  'tenant_id',
  'action_id',
  'iteration',
  'kind',
  'name',
  'status',
  'skip_reason',
  'attempt',
  'failures',
  'input',
  'output',
  'error',
  'effect',
  'idempotent',
  'list_turn',
  'child_run_id',
  'reused',
  'call_started_at',
  'available_at',
  'created_at',
  'started_at',
  'finished_at',
];

const promptColumnList: readonly (keyof PromptRow)[] = [
  'id',
  'run_id',
  'action_id',
  'tenant_id',
  'message',
  'options',
  'approvers',
  'asked_at',
  'expires_at',
  'default_option',
  'answered',
  'closed_at',
];

export function runColumns(alias: string): string {
  return qualified(alias, runColumnList);
}

export function stepColumns(alias: string): string {
  return qualified(alias, stepColumnList);
}

export function runOutlineColumns(alias: string): string {
  return qualified(
    alias,
    runColumnList.filter((column) => column !== 'inputs' && column !== 'outputs'),
  );
}

export function stepOutlineColumns(alias: string): string {
  return qualified(
    alias,
    stepColumnList.filter((column) => column !== 'input' && column !== 'output'),
  );
}

/** Counts of the items of a step that stands for a list; null for every other. As a column named `items`. */
export function itemCounts(alias: string): string {
  return `case when ${alias}.iteration = ${LIST_ITERATION} then (
    select json_build_object('total', count(*), 'ended', count(i.finished_at),
      'failed', count(*) filter (where i.status = 'error'),
      'unknown', count(*) filter (where i.error->>'code' = '${engineFailureCodes.outcomeUnknown}'))
    from engine.step i where i.run_id = ${alias}.run_id and i.action_id = ${alias}.action_id and i.iteration >= 0) end as items`;
}

export function promptColumns(alias: string): string {
  return qualified(alias, promptColumnList);
}

function qualified(alias: string, columns: readonly string[]): string {
  return columns.map((column) => `${alias}.${column}`).join(', ');
}

export function runFromRow(row: RunRow): Run {
  return { ...runOutlineFromRow(row), inputs: row.inputs, outputs: row.outputs };
}

export function runOutlineFromRow(row: RunOutlineRow): RunOutline {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    kind: row.kind,
    name: row.name,
    status: row.status,
    error: row.error,
    trigger: row.trigger,
    subject: row.subject,
    priority: row.priority,
    dryRun: row.dry_run,
    parentRunId: row.parent_run_id,
    parentStepId: row.parent_step_id,
    retryOf: row.retry_of,
    cancelRequestedAt: row.cancel_requested_at,
    cancelledBy: row.cancel_requested_by,
    deadlineAt: row.deadline_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}

export function stepFromRow(row: StepRow & { items?: Step['items'] }): Step {
  return { ...stepOutlineFromRow(row), input: row.input, output: row.output };
}

export function stepOutlineFromRow(row: StepOutlineRow & { items?: Step['items'] }): StepOutline {
  return {
    id: row.id,
    runId: row.run_id,
    tenantId: row.tenant_id,
    actionId: row.action_id,
    iteration: row.iteration,
    kind: row.kind,
    name: row.name,
    status: row.status,
    skipReason: row.skip_reason,
    attempt: row.attempt,
    error: row.error,
    effect: row.effect,
    items: row.items ?? null,
    childRunId: row.child_run_id,
    reused: row.reused,
    callStartedAt: row.call_started_at,
    availableAt: row.available_at,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}

export function promptFromRow(row: PromptRow): Prompt {
  return {
    id: row.id,
    runId: row.run_id,
    stepId: row.id,
    actionId: row.action_id,
    tenantId: row.tenant_id,
    message: row.message,
    options: row.options,
    approvers: row.approvers,
    askedAt: row.asked_at,
    expiresAt: row.expires_at,
    defaultOption: row.default_option,
    answered: row.answered && { ...row.answered, at: new Date(row.answered.at) },
    closedAt: row.closed_at,
  };
}
