import { type ErrorBody, type ErrorCode, errorCodes } from '@airdeck/contracts/error-codes';
import type { TextValues } from '@airdeck/contracts/filled-text';

type Options = {
  /** What the person reads; the code's own sentence when left out. Never a secret, token or full address. */
  message?: string;
  /** Of a message with something filled in, which one it is: `refusal(…)`. */
  reason?: string | undefined;
  values?: TextValues | undefined;
  details?: ErrorBody['details'];
  confirm?: ErrorBody['confirm'];
  /** Seconds, for 429 and 503. */
  retryAfterS?: number;
  /** Of a body that none of our pages sends, such as one with fields that do not exist. */
  tampered?: boolean;
  /** Whoever throws it has recorded the attempt, in words of their own. */
  recorded?: boolean;
  /** Of a store that was asked to write and said nothing: how long ago, in milliseconds. It may still do it. */
  underWayMs?: number | undefined;
  /** Of a code that speaks of somebody else's service: it was us all the same. Counts against our promises; not in the answer. */
  isOurs?: boolean;
  /** For the log only. */
  cause?: unknown;
};

/** The one error that services throw on purpose; the error plugin turns it into an answer by looking its code up. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly reason: string | undefined;
  readonly values: TextValues | undefined;
  readonly details: ErrorBody['details'];
  readonly confirm: ErrorBody['confirm'];
  readonly retryAfterS: number | undefined;
  readonly tampered: boolean;
  readonly recorded: boolean;
  readonly underWayMs: number | undefined;
  readonly isOurs: boolean;

  constructor(code: ErrorCode, options: Options = {}) {
    const { stackTraceLimit } = Error;
    // Taking a stack costs as much as the rest of a refusal. Anybody can cause these, and nobody reads where they began.
    if (errorCodes[code].status === 401) Error.stackTraceLimit = 0;
    super(options.message ?? errorCodes[code].message, { cause: options.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.reason = options.reason;
    this.values = options.values;
    this.details = options.details;
    this.confirm = options.confirm;
    this.retryAfterS = options.retryAfterS;
    this.tampered = options.tampered ?? false;
    this.recorded = options.recorded ?? false;
    this.underWayMs = options.underWayMs;
    this.isOurs = options.isOurs ?? false;
  }

  get status(): number {
    return errorCodes[this.code].status;
  }
}
