import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import type { ErrorCode } from '@airdeck/contracts/error-codes';
import { engineFailureCodes } from '@airdeck/engine/errors';
import { AppError } from '../../http/app-error.ts';

/** Codes of ours that have an answer of their own; everything else is answered as a failure, named in the details. */
const ownCodes: Readonly<Record<string, ErrorCode>> = {
  TIMEOUT: 'ACTION_TIMED_OUT',
  STEP_TIMED_OUT: 'ACTION_TIMED_OUT',
  CONNECTOR_UNAVAILABLE: 'CONNECTOR_UNAVAILABLE',
  STORE_UNAVAILABLE: 'STORE_UNAVAILABLE',
};

/** Failures no vendor had a part in, although people read of them as of any other. */
const ourFailures: ReadonlySet<string> = new Set([
  engineFailureCodes.stepFailed,
  engineFailureCodes.workerLost,
  engineFailureCodes.runFault,
  engineFailureCodes.outputTooLarge,
  engineFailureCodes.outputNotJson,
  // What a connector threw that nobody thought of.
  'CONNECTOR_FAILED',
]);

/** How an action that failed is answered to whoever waited for it. */
export function actionRefusal({ code, message, cause }: { code: string; message: string; cause?: unknown }): AppError {
  const own = Object.hasOwn(ownCodes, code) ? ownCodes[code] : undefined;
  const details = [{ path: 'code', message: code }];
  return new AppError(own ?? 'ACTION_FAILED', { message, details, cause, isOurs: ourFailures.has(code) });
}

/** One that did not end in time; where nothing of it was tried yet, and may be, no worker had room for it. */
export function actionTooLate({ summary, details }: ActionActivity): AppError {
  return new AppError('ACTION_TIMED_OUT', {
    message: 'The action did not end in time. It goes on; see the activity list for how it ends.',
    isOurs: summary.status === 'pending' && details.error_info === null && details.context.on_hold !== true,
  });
}
