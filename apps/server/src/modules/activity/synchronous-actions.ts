/**
 * Actions whose output somebody waits for. One that only reads is called right away and leaves no run: screens ask for the
 * vendor's lists this way all day. One that changes something is a run like any other, so that it is audited and its outcome
 * is known after a crash; the call waits for its end and, when that takes too long, leaves it running in the activity list.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { SynchronousActionResult } from '@airdeck/contracts/actions/schema';
import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { StepFailure } from '@airdeck/engine/errors';
import { AppError } from '../../http/app-error.ts';
import type { TenantContext } from '../../http/handlers.ts';
import { actionRefusal, actionTooLate } from './action-refusals.ts';
import { type AskedAction, requireRunnable, type SingleActionDependencies } from './single-actions.ts';

const LIMIT_MS = serverLimits.synchronousActionMaxS * 1000;
/** Each holds a connection to the vendor and to the caller. */
const AT_ONCE_PER_TENANT = 20;
const LOOK_FIRST_MS = 20;
const LOOK_MOST_MS = 500;
const OUTPUT_MAX_CHARS = 4 * 1_048_576;

type Dependencies = SingleActionDependencies & {
  /** What the same request has started before. */
  started: (asked: AskedAction, context: TenantContext) => Promise<ActionActivity | undefined>;
  start: (asked: AskedAction, context: TenantContext) => Promise<ActionActivity>;
};

export function createSynchronousActions(deps: Dependencies) {
  const running = new Map<string, number>();

  async function counted<T>(tenant: string, work: () => Promise<T>): Promise<T> {
    const now = running.get(tenant) ?? 0;
    if (now >= AT_ONCE_PER_TENANT) throw new AppError('RATE_LIMITED', { retryAfterS: 1 });
    running.set(tenant, now + 1);
    try {
      return await work();
    } finally {
      const left = (running.get(tenant) ?? 1) - 1;
      if (left === 0) running.delete(tenant);
      else running.set(tenant, left);
    }
  }

  async function read(asked: AskedAction, { scope, signal }: TenantContext, timeoutMs: number): Promise<unknown> {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      return await deps.runner.run({
        scope,
        actionName: asked.actionName,
        connectorId: asked.connectorId,
        input: asked.input,
        idempotencyKey: deps.ids(),
        signal: AbortSignal.any([signal, timeout]),
        beforeCall: () => Promise.resolve(),
      });
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error;
      throw actionRefusal({ code: timeout.aborted ? 'TIMEOUT' : error.code, message: error.message, cause: error });
    }
  }

  async function settled(started: ActionActivity, { scope, signal }: TenantContext): Promise<ActionActivity> {
    const end = performance.now() + LIMIT_MS;
    const id = started.details.context.action_uuid;
    let seen = started;
    for (let pauseMs = LOOK_FIRST_MS; !isSettled(seen); pauseMs = Math.min(pauseMs * 1.5, LOOK_MOST_MS)) {
      if (performance.now() > end) throw actionTooLate(seen);
      await wait(pauseMs, undefined, { signal });
      seen = await deps.db.read(scope.tenantId, (tx) => deps.service.getAction(tx, scope, id));
    }
    return seen;
  }

  return {
    async run(asked: AskedAction, context: TenantContext): Promise<SynchronousActionResult> {
      const { scope } = context;
      const before = await deps.started(asked, context);
      const action = before ? undefined : await requireRunnable(deps, scope, asked);
      return await counted(scope.tenantId, async () => {
        if (action?.effect === 'reads') {
          const output = await read(asked, context, Math.min(LIMIT_MS, action.timeout_s * 1000));
          if (JSON.stringify(output).length > OUTPUT_MAX_CHARS) {
            throw actionRefusal({
              code: 'OUTPUT_TOO_LARGE',
              message: 'The vendor answered with more than can be shown.',
            });
          }
          return answer(asked, output, { datetime: deps.now().toISOString(), action_uuid: null });
        }
        const done = await settled(before ?? (await deps.start(asked, context)), context);
        const { error_info: error, action_output: output } = done.details;
        if (done.summary.status !== 'success') {
          throw actionRefusal(error ?? { code: 'CANCELLED', message: 'The action was cancelled.' });
        }
        return answer(asked, output, {
          datetime: done.summary.time_updated,
          action_uuid: done.details.context.action_uuid,
        });
      });
    },
  };
}

function answer(
  { actionName }: AskedAction,
  action_output: unknown,
  more: Pick<SynchronousActionResult, 'datetime' | 'action_uuid'>,
): SynchronousActionResult {
  return { action_name: actionName, action_output, ...more };
}

function isSettled({ summary: { status } }: ActionActivity): boolean {
  return status === 'success' || status === 'error' || status === 'cancelled';
}
