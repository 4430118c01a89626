import type { FastifyReply } from 'fastify';
import type { VendorFailures } from './disturbances.ts';
import { type GraylogMemory, isAtLeast } from './graylog-data.ts';

export function apiError(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).send({ type: 'ApiError', message });
}

/** A body the server cannot map: an error of its own kind since 6.1. */
export function requestError(
  reply: FastifyReply,
  memory: GraylogMemory,
  { property, known }: { property: string; known: readonly string[] },
): FastifyReply {
  const message = `Unable to map property ${property}.\nKnown properties include: ${known.join(', ')}`;
  if (!isAtLeast(memory, 6, 1)) return apiError(reply, 400, message);
  return reply.code(400).send({
    type: 'RequestError',
    message,
    line: 1,
    column: 9,
    path: property,
    reference_path: `org.graylog.Request["${property}"]`,
  });
}

/** What failed validation comes with neither `type` nor `message`. */
export function validationError(reply: FastifyReply, field: string, words: string): FastifyReply {
  return reply.code(400).send({ failed: true, errors: { [field]: [words] }, error_context: {} });
}

/** The first property that is not among those a request may have. */
export function unknownProperty(body: Record<string, unknown>, known: readonly string[]): string | undefined {
  return Object.keys(body).find((property) => !known.includes(property));
}

export const graylogFailures: VendorFailures = {
  unauthorized: {
    status: 401,
    headers: { 'www-authenticate': 'Basic realm="Graylog Server"', 'content-type': 'text/plain' },
    body: '',
  },
  forbidden: { status: 403, body: { type: 'ApiError', message: 'Not authorized' } },
  rate_limited: { status: 429, headers: { 'content-type': 'text/plain', 'retry-after': '11' }, body: 'THROTTLED' },
  unavailable: { status: 503, headers: { 'content-type': 'text/plain' }, body: 'DEAD' },
  error_in_200: { status: 200, body: { type: 'ApiError', message: 'Something went wrong on another node' } },
};
