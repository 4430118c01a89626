import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { registerAlerts } from './crowdstrike-alerts.ts';
import { envelope, falconError, falconFailures } from './crowdstrike-answers.ts';
import { createFalconMemory, type FalconDeps, type FalconMemory, hexId } from './crowdstrike-data.ts';
import { registerHosts } from './crowdstrike-hosts.ts';
import { registerIndicators } from './crowdstrike-indicators.ts';
import { listOf, objectOf, textOf } from './request-values.ts';
import type { VendorApi } from './vendor-api.ts';

const TOKEN_LIFE_S = 1799;
const API_CALLS_PER_MINUTE = '6000';

/** The parts of CrowdStrike Falcon's API a response uses: alerts, hosts and their containment, indicators. */
export function createCrowdstrikeApi(): VendorApi {
  let memory: FalconMemory | undefined;
  return {
    id: 'crowdstrike',
    failures: falconFailures,
    state: () => ({
      hosts: [...(memory?.hosts.values() ?? [])].map(({ device_id, hostname, status }) => ({
        device_id,
        hostname,
        status,
      })),
      alerts: [...(memory?.alerts.values() ?? [])],
      indicators: [...(memory?.indicators.values() ?? [])],
    }),
    reset() {
      memory = undefined;
    },

    register(app, { key, now }) {
      const deps: FalconDeps = {
        current: () => {
          memory ??= createFalconMemory(now());
          return memory;
        },
        now,
      };
      registerTraining(app, deps);
      registerToken(app, { ...deps, key });
      app.register((scope, _options, done) => {
        scope.addHook('onRequest', async (request, reply) => {
          reply.headers({ 'x-ratelimit-limit': API_CALLS_PER_MINUTE, 'x-ratelimit-remaining': '5999' });
          const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
          if ((deps.current().tokens.get(token) ?? 0) > now().getTime()) return;
          await falconError(reply, 401, 'access denied, invalid bearer token');
        });
        registerAlerts(scope, deps);
        registerHosts(scope, deps);
        registerIndicators(scope, deps);
        done();
      });
    },
  };
}

function registerToken(app: FastifyInstance, { current, now, key }: FalconDeps & { key: string }): void {
  app.post<{ Body: unknown }>('/oauth2/token', async (request, reply) => {
    const form = objectOf(request.body);
    if (textOf(form.client_id) === '' || form.client_secret !== key) {
      return falconError(reply, 403, 'access denied, invalid client');
    }
    const token = randomBytes(24).toString('base64url');
    current().tokens.set(token, now().getTime() + TOKEN_LIFE_S * 1000);
    return reply.code(201).send({ access_token: token, token_type: 'bearer', expires_in: TOKEN_LIFE_S });
  });
}

/** Not the vendor's: lets a test or a trainer make tokens end early, alerts happen and hosts appear. */
function registerTraining(app: FastifyInstance, { current }: FalconDeps): void {
  app.post('/sandbox/expire-tokens', async () => {
    current().tokens.clear();
    return envelope({});
  });
  app.post<{ Body: unknown }>('/sandbox/hosts', async (request) => {
    for (const host of listOf(request.body).map(objectOf)) {
      const hostname = textOf(host.hostname);
      const device_id = hexId(`${hostname} ${current().hosts.size}`);
      const local_ip = textOf(host.local_ip);
      current().hosts.set(device_id, { device_id, hostname, local_ip, platform_name: 'Windows', status: 'normal' });
    }
    return envelope({});
  });
  app.post<{ Body: unknown }>('/sandbox/alerts', async (request) => {
    for (const alert of Array.isArray(request.body) ? request.body : []) {
      const { composite_id: id, ...fields } = objectOf(alert);
      const known = current().alerts.get(textOf(id));
      current().alerts.set(textOf(id), { ...known, composite_id: id, ...fields });
    }
    return envelope({});
  });
}
