import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { registerAlerts } from './microsoft-graph-alerts.ts';
import { graphError, graphFailures } from './microsoft-graph-answers.ts';
import {
  addAlert,
  createGraphMemory,
  type GraphDeps,
  type GraphMemory,
  SANDBOX_TENANT,
} from './microsoft-graph-data.ts';
import { registerIdentity } from './microsoft-graph-identity.ts';
import { listOf, objectOf, textOf } from './request-values.ts';
import type { VendorApi } from './vendor-api.ts';

const TOKEN_LIFE_S = 3599;

/** Microsoft's sign-in for applications and the parts of Graph a response uses: alerts, users, sign-ins, risk. */
export function createMicrosoftGraphApi(): VendorApi {
  let memory: GraphMemory | undefined;
  return {
    id: 'microsoft_graph',
    failures: graphFailures,
    state: () => ({
      tenant_id: SANDBOX_TENANT,
      users: [...(memory?.users.values() ?? [])],
      alerts: [...(memory?.alerts.values() ?? [])],
      risky_users: [...(memory?.riskyUsers.values() ?? [])],
    }),
    reset() {
      memory = undefined;
    },

    register(app, { key, now, url }) {
      const deps: GraphDeps = {
        current: () => {
          memory ??= createGraphMemory(now());
          return memory;
        },
        now,
        url,
      };
      registerTraining(app, deps);
      registerToken(app, deps, key);
      app.register((scope, _options, done) => {
        scope.addHook('onRequest', async (request, reply) => {
          const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
          const known = deps.current().tokens.get(token);
          if (known === undefined || known.endsMs <= now().getTime()) {
            const words = 'Lifetime validation failed, the token is expired.';
            return graphError(reply, 401, 'InvalidAuthenticationToken', words);
          }
          if (!known.isChina || !request.url.includes('/security/')) return undefined;
          return graphError(reply, 400, 'BadRequest', "Resource not found for the segment 'alerts_v2'.");
        });
        registerAlerts(scope, deps);
        registerIdentity(scope, deps);
        done();
      });
    },
  };
}

function registerToken(app: FastifyInstance, { current, now }: GraphDeps, key: string): void {
  app.post<{ Params: { tenant: string }; Body: unknown }>('/:tenant/oauth2/v2.0/token', async (request, reply) => {
    const form = objectOf(request.body);
    const problem = tokenProblem(request.params.tenant, form, key);
    if (problem !== undefined) {
      const { status, error, code, words } = problem;
      return reply.code(status).send({
        error,
        error_description: `AADSTS${code}: ${words}`,
        error_codes: [code],
        timestamp: now().toISOString(),
        trace_id: '00000000-0000-4000-8000-000000000000',
        correlation_id: '00000000-0000-4000-8000-000000000000',
      });
    }
    const token = randomBytes(24).toString('base64url');
    const isChina = textOf(form.scope).startsWith('https://microsoftgraph.chinacloudapi.cn/');
    current().tokens.set(token, { endsMs: now().getTime() + TOKEN_LIFE_S * 1000, isChina });
    return { token_type: 'Bearer', expires_in: TOKEN_LIFE_S, ext_expires_in: TOKEN_LIFE_S, access_token: token };
  });
}

function tokenProblem(tenant: string, form: Record<string, unknown>, key: string) {
  if (tenant !== SANDBOX_TENANT) {
    return { status: 400, error: 'invalid_request', code: 90002, words: `Tenant '${tenant}' not found.` };
  }
  if (form.grant_type !== 'client_credentials' || !textOf(form.scope).endsWith('/.default')) {
    return { status: 400, error: 'invalid_scope', code: 70011, words: 'The provided scope is not valid.' };
  }
  if (textOf(form.client_id) === '' || form.client_secret !== key) {
    return { status: 401, error: 'invalid_client', code: 7000215, words: 'Invalid client secret provided.' };
  }
  return undefined;
}

/** Not the vendor's: lets a test or a trainer make tokens end early and alerts happen. */
function registerTraining(app: FastifyInstance, { current }: GraphDeps): void {
  app.post('/sandbox/expire-tokens', async () => {
    current().tokens.clear();
    return {};
  });
  app.post<{ Body: unknown }>('/sandbox/alerts', async (request) => {
    for (const alert of listOf(request.body))
      addAlert(current(), { ...objectOf(alert), id: textOf(objectOf(alert).id) });
    return {};
  });
}
