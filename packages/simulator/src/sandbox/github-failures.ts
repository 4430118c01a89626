import type { FastifyReply } from 'fastify';
import type { VendorFailures } from './disturbances.ts';

const REST_DOCS = 'https://docs.github.com/rest';
const SECONDARY_DOCS = `${REST_DOCS}/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits`;

export const githubFailures: VendorFailures = {
  unauthorized: { status: 401, body: errorBody(401, 'Bad credentials') },
  // The window is told with every answer; here it has room left.
  get forbidden() {
    return {
      status: 403,
      headers: primaryLimitHeaders(4321, new Date()),
      body: errorBody(403, 'Resource not accessible by personal access token'),
    };
  },
  // The primary limit; the secondary one has a control of its own.
  get rate_limited() {
    return {
      status: 403,
      headers: primaryLimitHeaders(0, new Date()),
      body: errorBody(403, 'API rate limit exceeded for user ID 583231.', `${REST_DOCS}/overview/rate-limits`),
    };
  },
};

/** The window ends ten minutes from now. */
export function primaryLimitHeaders(remaining: number, now: Date): Record<string, string> {
  return {
    'x-ratelimit-limit': '5000',
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-used': String(5000 - remaining),
    'x-ratelimit-reset': String(Math.ceil(now.getTime() / 1000) + 600),
    'x-ratelimit-resource': 'core',
  };
}

/** As GitHub answers it when it names no time to wait. */
export function secondaryLimit(reply: FastifyReply): FastifyReply {
  reply.headers(primaryLimitHeaders(4321, new Date()));
  return reply.code(403).send(errorBody(403, 'You have exceeded a secondary rate limit.', SECONDARY_DOCS));
}

export function githubError(
  reply: FastifyReply,
  status: number,
  message: string,
  errors?: readonly Record<string, string>[],
): FastifyReply {
  return reply.code(status).send({ ...errorBody(status, message), ...(errors === undefined ? {} : { errors }) });
}

function errorBody(status: number, message: string, documentation = REST_DOCS) {
  return { message, documentation_url: documentation, status: String(status) };
}
