import type { FastifyReply } from 'fastify';
import type { VendorFailures } from './disturbances.ts';

export const INVALID_TOKEN = 'Invalid token provided';

export const oktaFailures: VendorFailures = {
  unauthorized: { status: 401, body: errorBody('E0000011', INVALID_TOKEN) },
  forbidden: {
    status: 403,
    body: errorBody('E0000006', 'You do not have permission to perform the requested action'),
  },
  get rate_limited() {
    return {
      status: 429,
      headers: {
        'x-rate-limit-limit': '600',
        'x-rate-limit-remaining': '0',
        'x-rate-limit-reset': String(Math.ceil(Date.now() / 1000) + 60),
      },
      body: errorBody('E0000047', 'API call exceeded rate limit due to too many requests.'),
    };
  },
  error_in_200: { status: 200, body: errorBody('E0000009', 'Internal Server Error') },
};

export function oktaError(reply: FastifyReply, status: number, code: string, summary: string): FastifyReply {
  return reply.code(status).send(errorBody(code, summary));
}

function errorBody(errorCode: string, errorSummary: string) {
  return { errorCode, errorSummary, errorLink: errorCode, errorId: 'oaeSandbox0000000000', errorCauses: [] };
}
