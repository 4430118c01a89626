/** One attempt of a step: builds the context, runs the executor against the clock, and turns what came back into a result. */
import type { CallMarker } from './call-mark.ts';
import { type ActionNode, traitsOf } from './definition.ts';
import { EngineError, engineFailureCodes, failure, messageOf, StepFailure } from './errors.ts';
import type { EngineLog, RunTracing, StepContext, StepExecutor } from './interfaces.ts';
import { toJsonValue } from './json-value.ts';
import type { BegunStep } from './run-commit.ts';
import { idempotencyKey } from './run-model.ts';
import { type AttemptResult, mustNotRepeat } from './run-signals.ts';
import { settledInTime } from './settle-in-time.ts';

export type ExecuteDeps = {
  readonly executeStep: StepExecutor;
  readonly tracing: Pick<RunTracing, 'attempt'>;
  readonly markCall: CallMarker;
  readonly stepTimeoutMs: number;
  readonly abortGraceMs: number;
  readonly maxOutputBytes: number;
  readonly log: Pick<EngineLog, 'warn'>;
};

/** `stop` is aborted when the run is cancelled, the lease is lost or the worker stops. */
export async function executeAttempt(begun: BegunStep, stop: AbortSignal, deps: ExecuteDeps): Promise<AttemptResult> {
  const { step, model } = begun;
  const node = model.compiled.byId.get(step.action_id);
  if (!node) return failed(engineFailureCodes.runFault, `The definition has no action "${step.action_id}".`);
  const timeoutMs = timeoutOf(begun, node, deps);
  const call = createCall(begun, node, stop, timeoutMs, deps);
  const of = { context: model.row.trace, step: call.context };
  return await deps.tracing.attempt(of, () => carriedOut(begun, call, stop, deps));
}

async function carriedOut(
  { step, model }: BegunStep,
  call: ReturnType<typeof createCall>,
  stop: AbortSignal,
  deps: ExecuteDeps,
): Promise<AttemptResult> {
  try {
    const output = await settledInTime(deps.executeStep(call.context), call.signal, deps.abortGraceMs);
    return storable(output, deps.maxOutputBytes);
  } catch (error) {
    if (call.timedOut()) {
      const late = failure(engineFailureCodes.stepTimedOut, `No result within ${call.timeoutMs / 1000} s.`, true);
      return { type: 'timed_out', error: late };
    }
    if (stop.aborted) return { type: 'aborted' };
    if (error instanceof StepFailure) return stated(error);
    const { tenant_id: tenantId } = model.row;
    const where = { tenantId, runId: step.run_id, actionId: step.action_id, error: messageOf(error) };
    deps.log.warn(where, 'an action failed in a way it does not state');
    return unstated(call.marked() && mustNotRepeat(step));
  } finally {
    call.close();
  }
}

function timeoutOf({ model, step }: BegunStep, node: ActionNode, deps: ExecuteDeps): number {
  const seconds = node.kind === 'action' ? node.timeout_s : null;
  return seconds == null ? (traitsOf(model.compiled, step.name).timeoutMs ?? deps.stepTimeoutMs) : seconds * 1000;
}

function createCall(begun: BegunStep, node: ActionNode, stop: AbortSignal, timeoutMs: number, deps: ExecuteDeps) {
  const { step, model, lease } = begun;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new DOMException('The attempt timed out.', 'TimeoutError')), timeoutMs);
  const signal = AbortSignal.any([stop, timeout.signal]);
  const state = { open: true, marked: false };

  async function markCallStarted(): Promise<void> {
    refuseWhenOver();
    if (model.row.dry_run && step.effect !== 'reads') {
      throw new StepFailure('DRY_RUN', 'A dry run calls only actions that read.');
    }
    if (!mustNotRepeat(step) || state.marked) return;
    await deps.markCall({ stepId: step.id, lease }, signal);
    state.marked = true;
    refuseWhenOver();
  }

  function refuseWhenOver(): void {
    if (!state.open || signal.aborted)
      throw new EngineError('LEASE_LOST', 'The attempt is over; nothing may be called.');
  }

  const context: StepContext = {
    tenantId: model.row.tenant_id,
    runId: step.run_id,
    stepId: step.id,
    actionId: step.action_id,
    iteration: step.iteration,
    name: step.name,
    node,
    input: step.input,
    attempt: step.attempt,
    idempotencyKey: idempotencyKey(step),
    effect: step.effect ?? 'destroys',
    idempotent: step.idempotent,
    dryRun: model.row.dry_run,
    trigger: model.row.trigger,
    subject: model.row.subject,
    signal,
    markCallStarted,
  };
  return {
    context,
    timeoutMs,
    signal,
    marked: () => state.marked,
    timedOut: () => timeout.signal.aborted && !stop.aborted,
    close() {
      state.open = false;
      clearTimeout(timer);
    },
  };
}

function storable(output: unknown, maxBytes: number): AttemptResult {
  const check = toJsonValue(output, maxBytes);
  if (check.ok) return { type: 'succeeded', output: check.value, sizeBytes: check.sizeBytes };
  const { outputTooLarge, outputNotJson } = engineFailureCodes;
  return failed(
    check.reason === 'too_large' ? outputTooLarge : outputNotJson,
    `The action was carried out, but its output cannot be stored: ${check.message}.`,
  );
}

function failed(code: string, message: string): AttemptResult {
  return { type: 'failed', error: failure(code, message), outcomeUnknown: false };
}

/**
 * An executor that throws anything but a `StepFailure` after the call mark has not said what became of the call. What it
 * threw was not written for people: a driver's words, with addresses and statements.
 */
function unstated(callMayHaveHappened: boolean): AttemptResult {
  const unexpected = failure(engineFailureCodes.stepFailed, 'The action failed unexpectedly.', true);
  return { type: 'failed', error: unexpected, outcomeUnknown: callMayHaveHappened };
}

function stated(error: StepFailure): AttemptResult {
  const result: AttemptResult = {
    type: 'failed',
    error: failure(error.code, error.message, error.retryable),
    outcomeUnknown: error.outcomeUnknown,
    ...(error.isPostponed ? { isPostponed: true } : {}),
  };
  return error.retryAfterMs === undefined ? result : { ...result, retryAfterMs: error.retryAfterMs };
}
