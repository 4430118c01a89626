/**
 * Long answers of the API go out compressed to whoever takes that: lists and searches are an eighth as long, which is what a
 * phone waits for.
 *
 * Only where the caller has shown a token in a header. What a page of somebody else can have a browser ask for by its cookie
 * alone stays as it is: from the length of a compressed answer a secret in it could be guessed (BREACH).
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { DoneFuncWithErrOrRes, FastifyReply, FastifyRequest } from 'fastify';

/** Below it one or two packets carry the answer anyway. */
const WORTH_IT_LENGTH = 4_096;

/** In a thread of Node's own. The lowest levels: higher ones take several times as long for a sixth less. */
const packers = {
  br: (text: string | Buffer) => brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (text: string | Buffer) => gzipped(text, { level: 3 }),
};
const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

type Asked = Pick<FastifyRequest, 'headers'>;
type Answer = Pick<FastifyReply, 'getHeader' | 'hasHeader' | 'header' | 'removeHeader'>;

/** An `onSend` hook. Files and streams pass as they are, bytes but those of a JSON text too. */
export function compressAnswer(request: Asked, reply: Answer, payload: unknown, done: DoneFuncWithErrOrRes): void {
  if (
    !isText(payload, reply) ||
    payload.length < WORTH_IT_LENGTH ||
    request.headers.authorization === undefined ||
    reply.hasHeader('content-encoding')
  ) {
    done(null, payload);
    return;
  }
  const vary = reply.getHeader('vary');
  void reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`);
  const encoding = negotiate(request.headers['accept-encoding'] ?? '', ['br', 'gzip']);
  if (encoding === null) {
    done(null, payload);
    return;
  }
  packers[encoding](payload).then((packed) => {
    void reply.header('content-encoding', encoding);
    reply.removeHeader('content-length');
    done(null, packed);
  }, done);
}

function isText(payload: unknown, reply: Answer): payload is string | Buffer {
  if (typeof payload === 'string') return true;
  return Buffer.isBuffer(payload) && String(reply.getHeader('content-type')).startsWith('application/json');
}
