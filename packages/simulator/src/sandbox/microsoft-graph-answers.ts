import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VendorFailures } from './disturbances.ts';
import type { GraphRecord } from './microsoft-graph-data.ts';
import { type ListRules, listRecords } from './microsoft-graph-query.ts';

export function graphError(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  return reply.code(status).send(errorBody(code, message));
}

/** A list with its `@odata.nextLink`, or the refusal of the query. */
export function sendList(
  { records, rules, url }: { records: readonly GraphRecord[]; rules: ListRules; url: string },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const found = listRecords(records, request, rules);
  if (typeof found === 'string') return graphError(reply, 400, 'BadRequest', found);
  const next = new URL(request.url, url);
  if (found.next !== undefined) next.searchParams.set('$skiptoken', found.next);
  return reply.send({
    '@odata.context': `${url}/v1.0/$metadata`,
    ...(found.next === undefined ? {} : { '@odata.nextLink': next.href }),
    value: found.value,
  });
}

export const graphFailures: VendorFailures = {
  unauthorized: {
    status: 401,
    body: errorBody('InvalidAuthenticationToken', 'Lifetime validation failed, the token is expired.'),
  },
  forbidden: {
    status: 403,
    body: errorBody('Authorization_RequestDenied', 'Insufficient privileges to complete the operation.'),
  },
  rate_limited: {
    status: 429,
    headers: { 'retry-after': '17' },
    body: errorBody('TooManyRequests', 'Too many requests.'),
  },
  unavailable: {
    status: 503,
    headers: { 'retry-after': '5' },
    body: errorBody('serviceNotAvailable', 'The service is temporarily unavailable.'),
  },
  error_in_200: { status: 200, body: errorBody('generalException', 'An unspecified error has occurred.') },
};

function errorBody(code: string, message: string) {
  const id = '00000000-0000-4000-8000-000000000000';
  return {
    error: { code, message, innerError: { date: '2026-11-20T12:00:00', 'request-id': id, 'client-request-id': id } },
  };
}
