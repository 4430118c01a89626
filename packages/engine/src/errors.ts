/** Codes of errors thrown to callers of the engine. */
export type EngineErrorCode =
  | 'DEFINITION_INVALID'
  | 'INPUT_TOO_LARGE'
  | 'TOO_MANY_OPEN_RUNS'
  | 'RUN_NOT_FOUND'
  | 'RUN_NOT_FINISHED'
  | 'RUN_BEING_RETRIED'
  | 'ACTION_UNKNOWN'
  | 'PROMPT_NOT_FOUND'
  | 'PROMPT_ALREADY_ANSWERED'
  | 'PROMPT_OPTION_UNKNOWN'
  | 'PROMPT_EXPIRED'
  | 'PROMPT_CLOSED'
  | 'SCHEDULE_INVALID'
  | 'LEASE_LOST';

/** Codes the engine itself writes into a step's or run's error; executors add their own. */
export const engineFailureCodes = {
  outcomeUnknown: 'OUTCOME_UNKNOWN',
  stepTimedOut: 'STEP_TIMED_OUT',
  stepFailed: 'STEP_FAILED',
  workerLost: 'WORKER_LOST',
  expressionFailed: 'EXPRESSION_FAILED',
  inputTooLarge: 'INPUT_TOO_LARGE',
  outputTooLarge: 'OUTPUT_TOO_LARGE',
  outputNotJson: 'OUTPUT_NOT_JSON',
  /** `for_each` gave something else than a list. */
  forEachNotAList: 'FOR_EACH_NOT_A_LIST',
  /** `for_each` gave more than 1,000 items. */
  forEachTooLong: 'FOR_EACH_TOO_LONG',
  /** The started definition does not exist, or cannot be started by this run. */
  playbookUnknown: 'PLAYBOOK_UNKNOWN',
  /** It exists and has problems. */
  playbookInvalid: 'PLAYBOOK_INVALID',
  /** Runs started by runs started by runs, beyond the limit; also how a definition that starts itself ends. */
  playbookTooDeep: 'PLAYBOOK_TOO_DEEP',
  /** One run has started too many others, directly and through them. */
  playbookTooManyRuns: 'PLAYBOOK_TOO_MANY_RUNS',
  /** Somebody cancelled the started run by itself. */
  playbookCancelled: 'PLAYBOOK_CANCELLED',
  promptExpired: 'PROMPT_EXPIRED',
  runTimedOut: 'RUN_TIMED_OUT',
  runFault: 'RUN_FAULT',
  /** A row of a job says what no row of the engine's says; it is put away. */
  jobForged: 'JOB_FORGED',
} as const;

/** What a step or run stores about its failure. */
export type Failure = {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  /** On a run: the action that failed it. */
  readonly actionId?: string;
  /** `iteration` of the item that failed; `run_id` of the started run that failed. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** On a step that waits without having tried anything: how many times in a row by now. */
  readonly postponed?: number;
};

const MAX_MESSAGE_LENGTH = 2_000;

export function failure(code: string, message: string, retryable = false): Failure {
  return { code, message: message.slice(0, MAX_MESSAGE_LENGTH), retryable };
}

/** Of a run that must end although nothing is wrong with its definition; why is the log's to say, in words not for people. */
export const runFault: Failure = failure(
  engineFailureCodes.runFault,
  'What is stored of this run cannot be worked with.',
);

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Thrown to callers. Decide by `code`, never by the message; `details` depends on the code (the winning answer, problems). */
export class EngineError extends Error {
  readonly code: EngineErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: EngineErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
    this.details = details;
  }
}

/**
 * Thrown by a step executor or job handler to state how it failed.
 * `retryable` (default false) allows another attempt within the retry policy; of a step no earlier than `retryAfterMs`, jobs
 * keep to their own pace.
 * `outcomeUnknown` says the call may have taken effect: a step that must not be repeated then ends as OUTCOME_UNKNOWN, if
 * its call was marked.
 * `isPostponed` says that nothing was tried: the step comes back after `retryAfterMs` and uses up no attempt, six times in a
 * row. The next time counts as an attempt that failed.
 */
export class StepFailure extends Error {
  readonly code: string;
  readonly retryable: boolean;
  readonly outcomeUnknown: boolean;
  readonly retryAfterMs: number | undefined;
  readonly isPostponed: boolean;

  constructor(
    code: string,
    message: string,
    how: {
      retryable?: boolean;
      outcomeUnknown?: boolean;
      retryAfterMs?: number;
      isPostponed?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: how.cause });
    this.name = 'StepFailure';
    this.code = code;
    this.retryable = how.retryable ?? false;
    this.outcomeUnknown = how.outcomeUnknown ?? false;
    this.retryAfterMs = how.retryAfterMs;
    this.isPostponed = how.isPostponed ?? false;
  }
}

/** Thrown by a job handler that has not begun, for want of room: the job comes back later, and no attempt is counted. */
export class JobPostponed extends Error {
  readonly afterMs: number;

  constructor(afterMs: number) {
    super('There is no room for this job now.');
    this.name = 'JobPostponed';
    this.afterMs = afterMs;
  }
}
