/**
 * The one place where an error becomes an answer: a lookup by code, never by message text. What we did not throw on
 * purpose answers with a generic sentence and the request id; what happened goes to the log under that id.
 */
import type { ErrorBody, ErrorCode } from '@airdeck/contracts/error-codes';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { transientKind } from '../storage/sql-state.ts';
import { AppError } from './app-error.ts';
import { createSummedFailures, type SummedFailures } from './summed-failures.ts';
import { isTampering, valueProblem } from './value-problems.ts';

const DETAILS_MAX = 50;
const RETRY_AFTER_S = 2;

/** Errors of the HTTP framework, of the event store and of the bucket for files, by their codes. */
const foreignCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'MEDIA_TYPE_UNSUPPORTED',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'BODY_NOT_DECODABLE',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'BODY_NOT_DECODABLE',
  FST_ERR_BAD_URL: 'ROUTE_NOT_FOUND',
  FST_ERR_MAX_PARAM_LENGTH: 'ROUTE_NOT_FOUND',
  EVENTS_UNAVAILABLE: 'STORE_UNAVAILABLE',
  FILES_UNAVAILABLE: 'STORE_UNAVAILABLE',
  EVENTS_QUERY_TOO_EXPENSIVE: 'OVERLOADED',
};

/** Records the refusals that are somebody's attempt at something; undefined for the others. */
export type NoteRefusal = (error: AppError, request: FastifyRequest) => Promise<void> | undefined;

type AnsweredError = Pick<AppError, 'code' | 'isOurs'>;

/** What each request was answered with, where its answer is an error. */
const answers = new WeakMap<FastifyRequest, AnsweredError>();

/** The record of a refusal comes before its answer. One that cannot be written is logged, and the refusal stands. */
export function installErrorAnswers(app: FastifyInstance, note?: NoteRefusal, now = () => new Date()): void {
  const failures = createSummedFailures({ now, log: app.log });
  app.addHook('onReady', async () => failures.start());
  app.addHook('onClose', async () => failures.stop());
  app.setErrorHandler((error, request, reply) => {
    const recorded = hasLeft(error, request, reply) ? undefined : recordOf(note, asAppError(error), request);
    if (recorded === undefined) return sendError(error, request, reply, failures);
    return recorded.then(() => sendError(error, request, reply, failures));
  });
}

/** Undefined for an answer that is no error, or is one of the prepared ones. */
export function answeredError(request: FastifyRequest): AnsweredError | undefined {
  return answers.get(request);
}

/** Resolves when it is recorded, or logged that it could not be; undefined where nothing has to be. */
export function recordOf(
  note: NoteRefusal | undefined,
  error: AppError,
  request: FastifyRequest,
): Promise<void> | undefined {
  return note?.(error, request)?.catch((failure: unknown) =>
    request.log.error({ err: failure, security: 'unrecorded' }, 'refusal not recorded'),
  );
}

/** With `failures`, what a store that is away refuses is summed up in the log. */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  failures?: Pick<SummedFailures, 'isToBeWritten'>,
): FastifyReply {
  const known = hasLeft(error, request, reply) ? clientLeft(error) : asAppError(error);
  answers.set(request, { code: known.code, isOurs: known.isOurs });
  if (failures?.isToBeWritten(known) === false) request.log.debug({ code: known.code }, 'request refused');
  else logError(request.log, known, error);
  return reply
    .code(known.status)
    .headers(errorHeaders(known))
    .send(JSON.stringify(errorBody(known, request.id)));
}

/** What an error's answer carries besides the headers of every answer. */
export function errorHeaders({ status, retryAfterS }: AppError): Record<string, string> {
  return {
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }),
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
  };
}

export function errorBody(error: AppError, requestId: string): ErrorBody {
  return {
    message: error.message,
    code: error.code,
    request_id: requestId,
    ...(error.reason === undefined ? {} : { reason: error.reason, values: error.values ?? {} }),
    ...(error.details === undefined ? {} : { details: error.details.slice(0, DETAILS_MAX) }),
    ...(error.confirm === undefined ? {} : { confirm: error.confirm }),
  };
}

export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return withRetryAfter(error);
  if (error instanceof z.ZodError) return new AppError('INTERNAL', { cause: error });
  switch (transientKind(error)) {
    case 'connection':
      return new AppError('STORE_UNAVAILABLE', { cause: error, retryAfterS: RETRY_AFTER_S });
    case 'serialization':
    case 'deadlock':
    case 'lock':
      return new AppError('OVERLOADED', { cause: error, retryAfterS: RETRY_AFTER_S });
    case undefined: {
      const code = error instanceof Error && 'code' in error ? foreignCodes[String(error.code)] : undefined;
      return withRetryAfter(new AppError(code ?? 'INTERNAL', { cause: error }));
    }
  }
}

/** Within its body, or while what it asked for waited for its turn. */
function hasLeft(error: unknown, request: FastifyRequest, { raw }: FastifyReply): boolean {
  const gaveUp = raw.destroyed && error instanceof DOMException && error.name === 'AbortError';
  return gaveUp || request.raw.errored === error;
}

/** Its connection broke with the same code as one to a store would. */
function clientLeft(cause: unknown): AppError {
  return new AppError('BODY_NOT_DECODABLE', { cause });
}

/** Problems of one part of a request that was parsed `inOurWords`, with the part in front of each path. */
export function validationFailed(problems: readonly { part: string; error: z.ZodError }[]): AppError {
  const details = problems.flatMap(({ part, error }) =>
    error.issues.map((issue) => ({ path: [part, ...issue.path.map(String)].join('.'), ...valueProblem(issue) })),
  );
  const tampered = problems.some(({ part, error }) => part === 'body' && error.issues.some(isTampering));
  return new AppError('VALIDATION_FAILED', { details, tampered });
}

function withRetryAfter(error: AppError): AppError {
  if (error.retryAfterS !== undefined || (error.status !== 503 && error.status !== 429)) return error;
  return new AppError(error.code, {
    message: error.message,
    reason: error.reason,
    values: error.values,
    details: error.details,
    confirm: error.confirm,
    isOurs: error.isOurs,
    retryAfterS: RETRY_AFTER_S,
    cause: error.cause,
  });
}

/** Ours to repair: with everything we know. Ours by intention or the caller's: one line without a stack. */
function logError(log: FastifyBaseLogger, known: AppError, error: unknown): void {
  if (known.code === 'INTERNAL') log.error({ err: error }, 'request failed');
  else if (known.status >= 500) log.warn({ code: known.code, err: known.cause }, 'request refused');
  else log.debug({ code: known.code }, 'request refused');
}
