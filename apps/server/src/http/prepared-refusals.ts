/**
 * Refusals that need no error: their answers are prepared, and only the request id is put in. Anybody can cause as many
 * of them as they like, so one may cost little more than reading the request. They are the answers `sendError` gives.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';
import type { RefusedAtOnce } from './authorization.ts';
import { errorBody, errorHeaders } from './error-answers.ts';

/** Answers, without anything else of the request being looked at. */
export type Refuse = (code: RefusedAtOnce, request: FastifyRequest, reply: FastifyReply) => void;

type Prepared = { status: number; headers: readonly string[]; before: string; after: string; bytes: number };

const ID = '\u0000';

/** `everywhere` are the headers of every answer. */
export function createRefuse(everywhere: Readonly<Record<string, string>>): Refuse {
  const answers: Readonly<Record<RefusedAtOnce, Prepared>> = {
    TOKEN_MISSING: prepare('TOKEN_MISSING', everywhere),
    TOKEN_INVALID: prepare('TOKEN_INVALID', everywhere),
  };
  return (code, request, reply) => {
    const { status, headers, before, after, bytes } = answers[code];
    const { id } = request;
    request.log.debug({ code }, 'request refused');
    void reply.hijack();
    reply.raw
      .writeHead(status, [...headers, 'x-request-id', id, 'content-length', String(bytes + Buffer.byteLength(id))])
      .end(`${before}${id}${after}`);
  };
}

function prepare(code: RefusedAtOnce, everywhere: Readonly<Record<string, string>>): Prepared {
  const error = new AppError(code);
  const [before = '', after = ''] = JSON.stringify(errorBody(error, ID)).split(JSON.stringify(ID).slice(1, -1));
  return {
    status: error.status,
    headers: Object.entries({ ...everywhere, ...errorHeaders(error) }).flat(),
    before,
    after,
    bytes: Buffer.byteLength(before) + Buffer.byteLength(after),
  };
}
