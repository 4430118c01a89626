import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { AuthCallCounter } from '../modules/identity/auth-call-counter.ts';
import { type AuthCalls, authNavigations, authRoutes } from '../modules/identity/auth-routes.ts';
import { AUTH_PATH } from '../modules/identity/sign-in-provider.ts';
import { AppError } from './app-error.ts';
import { addressName } from './call-quotas.ts';
import { validationFailed } from './error-answers.ts';
import { type OwnOrigin, requireNavigation, requireOwnHost, requireOwnOrigin } from './own-origin.ts';
import { inOurWords } from './value-problems.ts';

export type AuthLimits = {
  /** Of one client address. */
  callsPerMinute: number;
  /** The same for new access tokens, which every open page asks for and nobody can guess anything by. */
  refreshesPerMinute: number;
};

const REFRESH = 'GET /token';

/** Mounts the sign-in calls; those of a client address are limited on top of the exact lock-out per account. */
export async function mountAuthEndpoints(
  app: FastifyInstance,
  options: { calls: AuthCalls; counter: Pick<AuthCallCounter, 'count'>; own: OwnOrigin; limits: AuthLimits },
): Promise<void> {
  const plugin: FastifyPluginAsync = async (scope) => {
    await scope.register(rateLimit, {
      max: options.limits.callsPerMinute,
      keyGenerator: ({ ip }) => addressName(ip),
      store: storeOf(options.counter),
      errorResponseBuilder: (_request, { ttl }) => new AppError('RATE_LIMITED', { retryAfterS: Math.ceil(ttl / 1000) }),
    });
    for (const [id, schema] of Object.entries(authRoutes)) {
      const [method = 'GET', path = ''] = id.split(' ');
      scope.route({
        method,
        url: `${AUTH_PATH}${path}`,
        exposeHeadRoute: false,
        config: {
          ofStrangers: true,
          // One name for all: they are counted, and a `routeId` would be taken for one of the route table.
          countedAs: 'auth',
          ...(id === REFRESH && {
            rateLimit: {
              max: options.limits.refreshesPerMinute,
              keyGenerator: (request: FastifyRequest) => `${REFRESH} ${addressName(request.ip)}`,
            },
          }),
        },
        onRequest: async (request) => {
          requireOwnHost(request, options.own);
          if (authNavigations.has(id)) requireNavigation(request);
          else requireOwnOrigin(request);
        },
        handler: (request, reply) => answer({ id, schema, calls: options.calls }, request, reply),
      });
    }
  };
  await app.register(plugin);
}

/** The counter as the plugin wants it. */
function storeOf(counter: Pick<AuthCallCounter, 'count'>) {
  return class Counted {
    incr(
      address: string,
      done: (error: Error | null, result?: { current: number; ttl: number }) => void,
      _: number,
      max: number,
    ) {
      counter.count(address, max).then(
        ({ calls, endsInMs }) => done(null, { current: calls, ttl: endsInMs }),
        (error: Error) => done(error),
      );
    }
    child() {
      return this;
    }
  };
}

type Row = { id: string; schema: z.ZodType; calls: AuthCalls };

async function answer({ id, schema, calls }: Row, request: FastifyRequest, reply: FastifyReply) {
  const part = request.method === 'GET' ? 'query' : 'body';
  const parsed = schema.safeParse(request[part] ?? undefined, inOurWords);
  if (!parsed.success) throw validationFailed([{ part, error: parsed.error }]);
  const { status, setCookies, body, redirect } = await calls({
    id,
    body: parsed.data,
    cookie: request.headers.cookie,
    userAgent: request.headers['user-agent'],
    languages: request.headers['accept-language'],
    clientAddress: request.ip,
    origin: `${request.protocol}://${request.host}`,
    requestId: request.id,
  });
  for (const cookie of setCookies) void reply.header('set-cookie', cookie);
  if (redirect !== undefined) return reply.header('cache-control', 'no-store').redirect(redirect, 303);
  void reply.code(status).header('cache-control', 'no-store').type('application/json; charset=utf-8');
  const failed = {
    message: String(body.message ?? 'Not possible.'),
    code: body.code ?? 'TOKEN_INVALID',
    request_id: request.id,
    ...(body.why === undefined ? {} : { why: body.why }),
  };
  return reply.send(JSON.stringify(status >= 400 ? failed : body));
}
