/**
 * Refusals that need no error: their answers are prepared, and only the request id is put in. Anybody can cause as many
 * of them as they like, so one may cost little more than reading the request. They are the answers `sendError` gives.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';
import type { RefusedAtOnce } from './authorization.ts';
import { errorBody, errorHeaders } from './error-answers.ts';

/**
 * Answers, without anything else of the request being looked at. An error has to be one of a few that are kept: its answer is
 * prepared when it is first given.
 */
export type Refuse = (refused: RefusedAtOnce | AppError, request: FastifyRequest, reply: FastifyReply) => void;

type Prepared = { status: number; headers: readonly string[]; before: string; after: string; bytes: number };

const ID = '\u0000';

/** `everywhere` are the headers of every answer. */
export function createRefuse(everywhere: Readonly<Record<string, string>>): Refuse {
  const atOnce: Readonly<Record<RefusedAtOnce, AppError>> = {
    TOKEN_MISSING: new AppError('TOKEN_MISSING'),
    TOKEN_INVALID: new AppError('TOKEN_INVALID'),
  };
  const answers = new WeakMap<AppError, Prepared>();
  return (refused, request, reply) => {
    const error = typeof refused === 'string' ? atOnce[refused] : refused;
    let answer = answers.get(error);
    if (answer === undefined) {
      answer = prepare(error, everywhere);
      answers.set(error, answer);
    }
    const { status, headers, before, after, bytes } = answer;
    const { id } = request;
    request.log.debug({ code: error.code }, 'request refused');
    void reply.hijack();
    reply.raw
      .writeHead(status, [...headers, 'x-request-id', id, 'content-length', String(bytes + Buffer.byteLength(id))])
      .end(`${before}${id}${after}`);
  };
}

function prepare(error: AppError, everywhere: Readonly<Record<string, string>>): Prepared {
  const [before = '', after = ''] = JSON.stringify(errorBody(error, ID)).split(JSON.stringify(ID).slice(1, -1));
  return {
    status: error.status,
    headers: Object.entries({ ...everywhere, ...errorHeaders(error) }).flat(),
    before,
    after,
    bytes: Buffer.byteLength(before) + Buffer.byteLength(after),
  };
}
