import type { ConfirmBody, ErrorCode, ErrorDetailBody } from '@airdeck/contracts/error-codes';

/** Categories of spec §8. */
export type ErrorCategory = 'abort' | 'timeout' | 'network' | 'auth' | 'client' | 'server' | 'unknown';

/** How loud a failure is for error reporting (spec §8). */
export type ErrorSeverity = 'info' | 'low' | 'warning' | 'error';

/** What is wrong with one part of the request; of a query also where in its text, and how to put it right. */
export type ErrorDetail = Readonly<ErrorDetailBody>;

/** A question of the server, in the reader's language. */
export type Confirmation = Omit<ConfirmBody, 'told'>;

type Fields = {
  category: ErrorCategory;
  /** Code of the contract, or one of the client's own: `ABORTED`, `TIMED_OUT`, `UNREACHABLE`, `UNEXPECTED_ANSWER`. */
  code: string;
  message: string;
  /** HTTP status; undefined when there was no answer. */
  status?: number | undefined;
  /** Path as in the route table, so that it carries no ids. */
  endpoint: string;
  method: string;
  /** Decoded body of the answer, as far as there was one. */
  data?: unknown;
  requestId?: string | undefined;
  details?: readonly ErrorDetail[];
  confirmation?: Confirmation | undefined;
  /** Seconds the server asked to wait. */
  retryAfterS?: number | undefined;
  cause?: unknown;
};

/** The one shape every failed call has. It never carries the token, the query or the request body. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly category: ErrorCategory;
  readonly code: string;
  readonly status: number | undefined;
  readonly endpoint: string;
  readonly method: string;
  readonly data: unknown;
  readonly requestId: string | undefined;
  readonly details: readonly ErrorDetail[];
  readonly confirmation: Confirmation | undefined;
  readonly retryAfterS: number | undefined;

  constructor(fields: Fields) {
    super(fields.message, { cause: fields.cause });
    this.category = fields.category;
    this.code = fields.code;
    this.status = fields.status;
    this.endpoint = fields.endpoint;
    this.method = fields.method;
    this.data = fields.data;
    this.requestId = fields.requestId;
    this.details = fields.details ?? [];
    this.confirmation = fields.confirmation;
    this.retryAfterS = fields.retryAfterS;
  }

  /** Whether the same call may succeed later: no answer from the network, a server failure, or too many requests. */
  get retryable(): boolean {
    return this.category === 'network' || this.category === 'server' || this.status === 429;
  }

  get severity(): ErrorSeverity {
    return this.status === 404 ? 'low' : severityByCategory[this.category];
  }
}

/** Whether the server asks to confirm first (449), which is shown as a question and never reported. */
export function asksToConfirm({ status }: { readonly status: number | undefined }): boolean {
  return status === 449;
}

/** Whether the server refused with this code. */
export function isRefusedWith(error: unknown, code: ErrorCode): error is ApiError {
  return error instanceof ApiError && error.code === code;
}

const severityByCategory: Readonly<Record<ErrorCategory, ErrorSeverity>> = {
  abort: 'info',
  timeout: 'warning',
  network: 'warning',
  client: 'warning',
  auth: 'warning',
  server: 'error',
  unknown: 'error',
};

/** Category of an HTTP status (spec §8): 401 and 403 auth, other 4xx client, 5xx server. */
export function categoryOf(status: number): ErrorCategory {
  if (status === 401 || status === 403) return 'auth';
  if (status >= 400 && status < 500) return 'client';
  return status >= 500 && status < 600 ? 'server' : 'unknown';
}
