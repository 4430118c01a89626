import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { type AuthCalls, type AuthRouteId, authRoutes } from '../modules/identity/auth-routes.ts';
import { AUTH_PATH } from '../modules/identity/sign-in-provider.ts';
import { AppError } from './app-error.ts';
import { validationFailed } from './error-answers.ts';
import { type OwnOrigin, requireOwnHost, requireOwnOrigin } from './own-origin.ts';

export type AuthLimits = { callsPerMinute: number };

/** Mounts the sign-in calls; each is limited per client address on top of the exact lock-out per account. */
export async function mountAuthEndpoints(
  app: FastifyInstance,
  options: { calls: AuthCalls; own: OwnOrigin; limits: AuthLimits },
): Promise<void> {
  const plugin: FastifyPluginAsync = async (scope) => {
    await scope.register(rateLimit, {
      max: options.limits.callsPerMinute,
      timeWindow: 60_000,
      errorResponseBuilder: (_request, { ttl }) => new AppError('RATE_LIMITED', { retryAfterS: Math.ceil(ttl / 1000) }),
    });
    for (const id of Object.keys(authRoutes) as AuthRouteId[]) {
      const [method = 'GET', path = ''] = id.split(' ');
      scope.route({
        method,
        url: `${AUTH_PATH}${path}`,
        exposeHeadRoute: false,
        onRequest: async (request) => {
          requireOwnHost(request, options.own);
          requireOwnOrigin(request);
        },
        handler: (request, reply) => answer(options.calls, id, request, reply),
      });
    }
  };
  await app.register(plugin);
}

async function answer(calls: AuthCalls, id: AuthRouteId, request: FastifyRequest, reply: FastifyReply) {
  const parsed = authRoutes[id].safeParse(request.body ?? undefined);
  if (!parsed.success) throw validationFailed([{ part: 'body', error: parsed.error }]);
  const { status, setCookies, body } = await calls({
    id,
    body: parsed.data,
    cookie: request.headers.cookie,
    userAgent: request.headers['user-agent'],
    clientAddress: request.ip,
    requestId: request.id,
  });
  for (const cookie of setCookies) void reply.header('set-cookie', cookie);
  void reply.code(status).header('cache-control', 'no-store').type('application/json; charset=utf-8');
  const failed = {
    message: String(body.message ?? 'Not possible.'),
    code: body.code ?? 'TOKEN_INVALID',
    request_id: request.id,
  };
  return reply.send(JSON.stringify(status >= 400 ? failed : body));
}
