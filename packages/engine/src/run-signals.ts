/** Everything that can happen to a run from outside, one function each. Callers then `advance` the run. */
import { engineFailureCodes, type Failure, failure, runFault } from './errors.ts';
import type { PromptAnswer } from './interfaces.ts';
import { beginListOf } from './list-changes.ts';
import { backoffMs } from './retry.ts';
import type { RunRow, StepRow } from './rows.ts';
import { markRunStarted } from './run-machine.ts';
import { findStepById, isEnding, type MachineDeps, type RunModel, runFacts, stepFacts } from './run-model.ts';
import { isRunStatusFinal, isStepSettled, type SkipReason } from './statuses.ts';
import { closePrompt, dropJob, moveStep, settleStep } from './step-changes.ts';

/** What one attempt of a step came to, as the worker saw it. */
export type AttemptResult =
  /** `sizeBytes`: of the output as JSON text. */
  | { readonly type: 'succeeded'; readonly output: unknown; readonly sizeBytes?: number }
  | {
      readonly type: 'failed';
      readonly error: Failure;
      readonly outcomeUnknown: boolean;
      readonly retryAfterMs?: number;
      /** Nothing was tried. */
      readonly isPostponed?: boolean;
    }
  | { readonly type: 'timed_out'; readonly error: Failure }
  /** The worker was told to stop the attempt because the run is ending. */
  | { readonly type: 'aborted' };

/** What becomes of the job that carried the signal. */
export type JobFate =
  | { readonly type: 'keep' }
  | { readonly type: 'delete' }
  /** `isPostponed`: the claim does not count. */
  | { readonly type: 'retry'; readonly at: Date; readonly isPostponed?: boolean }
  | { readonly type: 'hold' }
  /** It is put away for good: it is not the engine's. */
  | { readonly type: 'refuse'; readonly error: Failure };

const keepJob: JobFate = { type: 'keep' };
const deleteJob: JobFate = { type: 'delete' };

const DEFAULT_BACKOFF_S = 2;
/** A receiver may ask for more time than we would take by ourselves; a run is not kept for longer by anyone's word. */
const LONGEST_ASKED_WAIT_MS = 24 * 3_600_000;
/** In a row, before it counts as an attempt: a run must come to an end though what it waits for never comes. */
const MAX_POSTPONED = 6;

/** A worker holding the step's job wants to begin it. `claims` counts how often the job was claimed, this time included. */
export function beginStep(model: RunModel, stepId: string, claims: number, deps: MachineDeps, now: Date): JobFate {
  const step = findStepById(model, stepId);
  if (!step || isStepSettled(step.status) || step.status === 'waiting') return deleteJob;
  if (step.status === 'running' && !survivesLostWorker(model, step, claims, deps, now)) return deleteJob;
  if (isEnding(model)) {
    settleStep(model, step, { signal: 'skip', reason: endingReason(model) }, now);
    return deleteJob;
  }
  markRunStarted(model, now);
  beginListOf(model, step, now);
  moveStep(model, step, 'begin');
  step.attempt += 1;
  step.started_at ??= now;
  step.available_at = null;
  step.call_started_at = null;
  model.changes.events.push({
    ...runFacts(model),
    ...stepFacts(step),
    type: 'step.started',
    at: now,
    input: step.input,
  });
  return keepJob;
}

/**
 * The step waits until its tenant's hold ends. Undefined where beginning would call nothing, so that what has to be settled
 * is settled all the same.
 */
export function holdStep(model: RunModel, stepId: string): JobFate | undefined {
  const step = findStepById(model, stepId);
  if (!step || isEnding(model)) return undefined;
  if (step.status === 'pending') return { type: 'hold' };
  if (step.status !== 'running' || (mustNotRepeat(step) && step.call_started_at)) return undefined;
  // Its worker vanished; as a step that has not begun it can be cancelled while it waits.
  moveStep(model, step, 'retry');
  return { type: 'hold' };
}

/** The worker before this one vanished in mid-step. False: the step has been settled instead. */
function survivesLostWorker(model: RunModel, step: StepRow, claims: number, deps: MachineDeps, now: Date): boolean {
  if (mustNotRepeat(step) && step.call_started_at) {
    settleStep(model, step, { signal: 'fail', error: outcomeUnknown('Its worker stopped in mid-call.') }, now);
    return false;
  }
  const losses = claims - 1 - step.failures;
  if (losses > deps.maxLeaseLosses) {
    const error = failure(engineFailureCodes.workerLost, `Its worker stopped ${losses} times while running it.`);
    settleStep(model, step, { signal: 'fail', error }, now);
    return false;
  }
  moveStep(model, step, 'retry');
  return true;
}

/** A step that changes something and would do it twice if called twice. */
export function mustNotRepeat(step: Pick<StepRow, 'effect' | 'idempotent'>): boolean {
  return step.effect !== 'reads' && !step.idempotent;
}

function outcomeUnknown(why: string): Failure {
  return failure(engineFailureCodes.outcomeUnknown, `The call may or may not have taken effect. ${why}`);
}

/** The worker reports what the attempt came to. */
export function finishAttempt(
  model: RunModel,
  stepId: string,
  result: AttemptResult,
  deps: MachineDeps,
  now: Date,
): JobFate {
  const step = findStepById(model, stepId);
  if (step?.status !== 'running') return deleteJob;
  if (result.type === 'succeeded') {
    settleStep(model, step, { signal: 'succeed', output: result.output }, now);
    return deleteJob;
  }
  if (leavesOutcomeUnknown(step, result)) {
    const why = result.type === 'aborted' ? 'It was stopped in mid-call.' : result.error.message;
    settleStep(model, step, { signal: 'fail', error: outcomeUnknown(why) }, now);
    return deleteJob;
  }
  if (result.type === 'aborted') {
    settleStep(model, step, { signal: 'skip', reason: endingReason(model) }, now);
    return deleteJob;
  }
  const isPostponed = result.type === 'failed' && result.isPostponed === true;
  const postponed = isPostponed ? postponeAttempt(model, step, result, deps, now) : undefined;
  return postponed ?? failAttempt(model, step, result, deps, now);
}

type FailedAttempt = Extract<AttemptResult, { type: 'failed' | 'timed_out' }>;

/** Undefined when it was put off often enough: then it is an attempt that failed. */
function postponeAttempt(
  model: RunModel,
  step: StepRow,
  result: FailedAttempt,
  deps: MachineDeps,
  now: Date,
): JobFate | undefined {
  if (isEnding(model)) {
    settleStep(model, step, { signal: 'skip', reason: endingReason(model) }, now);
    return deleteJob;
  }
  const postponed = (step.error?.postponed ?? 0) + 1;
  if (postponed > MAX_POSTPONED) return undefined;
  step.attempt -= 1;
  // What was put off together does not come back together. The author's pause is for what was tried.
  const spreadMs = backoffMs({ ...backoffLimits(deps), failures: 1, baseMs: DEFAULT_BACKOFF_S * 1000 });
  const at = new Date(now.getTime() + askedMs(result) + spreadMs);
  tryAgainLater(model, step, { error: { ...result.error, postponed }, at }, now);
  return { type: 'retry', at, isPostponed: true };
}

/** Before the mark nothing has gone out, whatever the executor made of it: what failed was a look before the change. */
function leavesOutcomeUnknown(step: StepRow, result: Exclude<AttemptResult, { type: 'succeeded' }>): boolean {
  if (!mustNotRepeat(step) || step.call_started_at === null) return false;
  return result.type !== 'failed' || result.outcomeUnknown;
}

function failAttempt(model: RunModel, step: StepRow, result: FailedAttempt, deps: MachineDeps, now: Date): JobFate {
  step.failures += 1;
  const node = model.compiled.byId.get(step.action_id);
  const policy = node?.kind === 'action' ? node.retry : null;
  const canRetry = result.error.retryable && step.failures < (policy?.max_attempts ?? 1) && !isEnding(model);
  if (!canRetry) {
    settleStep(model, step, { signal: 'fail', error: result.error }, now);
    return deleteJob;
  }
  const baseMs = (policy?.backoff_s ?? DEFAULT_BACKOFF_S) * 1000;
  const waitMs = backoffMs({ ...backoffLimits(deps), failures: step.failures, baseMs });
  const at = new Date(now.getTime() + Math.max(waitMs, askedMs(result)));
  tryAgainLater(model, step, { error: result.error, at }, now);
  return { type: 'retry', at };
}

function backoffLimits({ maxBackoffMs, random }: MachineDeps): { capMs: number; random: () => number } {
  return { capMs: maxBackoffMs, random };
}

function askedMs(result: FailedAttempt): number {
  return result.type === 'failed' ? Math.min(result.retryAfterMs ?? 0, LONGEST_ASKED_WAIT_MS) : 0;
}

function tryAgainLater(model: RunModel, step: StepRow, { error, at }: { error: Failure; at: Date }, now: Date): void {
  moveStep(model, step, 'retry');
  step.error = error;
  step.call_started_at = null;
  step.available_at = at;
  const facts = { ...runFacts(model), ...stepFacts(step), at: now };
  model.changes.events.push({ ...facts, type: 'step.retrying', error, nextAttemptAt: at });
}

/** A delay is over. */
export function fireTimer(model: RunModel, stepId: string, now: Date): JobFate {
  const step = findStepById(model, stepId);
  if (step?.status === 'waiting') settleStep(model, step, { signal: 'succeed', output: null }, now);
  return deleteJob;
}

/** A person answered. The caller has checked that the prompt is open and has the option. */
export function answerStep(model: RunModel, stepId: string, answer: PromptAnswer, now: Date): void {
  const step = findStepById(model, stepId);
  if (step?.status !== 'waiting') throw new Error('Only a waiting step can be answered.');
  closePrompt(model, step, answer, now);
  dropJob(model, step);
  settleStep(model, step, { signal: 'succeed', output: answerOutput(answer) }, now);
}

function answerOutput(answer: PromptAnswer): unknown {
  return { option: answer.option, username: answer.username, comment: answer.comment, at: answer.at.toISOString() };
}

/** Nobody answered in time: the default option is taken; without one the step fails. */
export function expirePrompt(model: RunModel, stepId: string, now: Date): JobFate {
  const step = findStepById(model, stepId);
  if (step?.status !== 'waiting') return deleteJob;
  const node = model.compiled.byId.get(step.action_id);
  const option = node?.kind === 'prompt' ? node.default_option : null;
  if (option == null) {
    closePrompt(model, step, 'expired', now);
    const error = failure(engineFailureCodes.promptExpired, 'Nobody answered in time.');
    settleStep(model, step, { signal: 'fail', error }, now);
  } else {
    const answer = { option, username: null, comment: null, at: now };
    closePrompt(model, step, answer, now);
    settleStep(model, step, { signal: 'succeed', output: answerOutput(answer) }, now);
  }
  return deleteJob;
}

/** How a started run ended, or that it never came to be. */
export type ChildEnd = Pick<RunRow, 'id' | 'tenant_id' | 'parent_step_id' | 'status' | 'outputs' | 'error'>;

/** The run a step started and waited for has ended. */
export function endChild(model: RunModel, stepId: string, child: ChildEnd, now: Date): JobFate {
  const step = findStepById(model, stepId);
  if (step?.status !== 'running' || step.child_run_id !== child.id) return deleteJob;
  if (child.status === 'success') {
    settleStep(model, step, { signal: 'succeed', output: child.outputs }, now);
  } else if (child.status === 'cancelled' && isEnding(model)) {
    settleStep(model, step, { signal: 'skip', reason: endingReason(model) }, now);
  } else {
    settleStep(model, step, { signal: 'fail', error: failureOfChild(child) }, now);
  }
  return deleteJob;
}

function failureOfChild({ id, error }: ChildEnd): Failure {
  const { code, message } = error ?? failure(engineFailureCodes.playbookCancelled, 'The run it started was cancelled.');
  return { ...failure(code, message), details: { run_id: id } };
}

/** False when there is nothing to cancel any more. `passedOn`: by the run that started this one. */
export function requestCancel(model: RunModel, by: string, now: Date, passedOn = false): boolean {
  const { row, changes } = model;
  if (isRunStatusFinal(row.status) || row.cancel_requested_at) return false;
  row.cancel_requested_at = now;
  row.cancel_requested_by = by;
  changes.run = true;
  changes.abort = true;
  changes.ending = true;
  changes.events.push({ ...runFacts(model), type: 'run.cancel_requested', at: now, by, passedOn });
  return true;
}

/** The run's time is over. */
export function timeOutRun(model: RunModel): JobFate {
  doom(model, failure(engineFailureCodes.runTimedOut, 'The run took longer than its timeout.'));
  return deleteJob;
}

/** The run cannot be carried on, whatever the reason; its job must not be tried for ever. */
export function faultRun(model: RunModel, stepId: string | null, now: Date): JobFate {
  const step = stepId === null ? undefined : findStepById(model, stepId);
  if (step?.child_run_id && !isStepSettled(step.status)) model.changes.unwantedChildren.add(step.child_run_id);
  if (step && !isStepSettled(step.status)) {
    const isUnknown = mustNotRepeat(step) && step.call_started_at !== null;
    const error = isUnknown ? outcomeUnknown('The run could not be carried on.') : runFault;
    if (step.kind === 'prompt') closePrompt(model, step, 'closed', now);
    settleStep(model, step, { signal: 'fail', error }, now);
  }
  doom(model, runFault);
  return deleteJob;
}

/** What the run would go on with is not what it was started with: it ends with what has begun. */
export function endAltered(model: RunModel): void {
  doom(model, failure(engineFailureCodes.runFault, 'Its definition was altered after it had been started.'));
}

function doom(model: RunModel, error: Failure): void {
  if (isRunStatusFinal(model.row.status)) return;
  model.row.error ??= error;
  model.changes.run = true;
  model.changes.abort = true;
  model.changes.ending = true;
}

function endingReason({ row }: RunModel): SkipReason {
  return row.error === null && row.cancel_requested_at !== null ? 'run_cancelled' : 'run_failed';
}
