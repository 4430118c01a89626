import type { FastifyReply } from 'fastify';
import type { VendorFailures } from './disturbances.ts';

type Parts = {
  readonly resources?: readonly unknown[];
  readonly errors?: readonly FalconError[];
  readonly pagination?: Readonly<Record<string, unknown>>;
};

export type FalconError = { readonly code: number; readonly message: string; readonly id?: string };

/** The envelope every answer of Falcon comes in, good or bad. */
export function envelope({ resources = [], errors = [], pagination }: Parts): Record<string, unknown> {
  return {
    meta: {
      query_time: 0.01,
      ...(pagination === undefined ? {} : { pagination }),
      powered_by: 'sandbox',
      trace_id: '00000000-0000-4000-8000-000000000000',
    },
    resources,
    errors,
  };
}

export function falconError(reply: FastifyReply, code: number, message: string): FastifyReply {
  return reply.code(code).send(envelope({ errors: [{ code, message }] }));
}

export const falconFailures: VendorFailures = {
  unauthorized: failure(401, 'access denied, invalid bearer token'),
  forbidden: failure(403, 'access denied, authorization failed'),
  get rate_limited() {
    return {
      ...failure(429, 'API rate limit exceeded.'),
      headers: {
        'x-ratelimit-limit': '6000',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-retryafter': String(Math.ceil(Date.now() / 1000) + 30),
      },
    };
  },
  error_in_200: { ...failure(500, 'Internal Server Error: Please provide trace-id to support'), status: 200 },
};

function failure(code: number, message: string) {
  return { status: code, body: envelope({ errors: [{ code, message }] }) };
}
