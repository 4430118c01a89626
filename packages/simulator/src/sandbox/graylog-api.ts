import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { apiError, graylogFailures } from './graylog-answers.ts';
import { createGraylogMemory, type GraylogDeps, type GraylogMemory } from './graylog-data.ts';
import { registerDefinitions } from './graylog-definitions.ts';
import { registerEvents } from './graylog-events.ts';
import { registerMessages } from './graylog-messages.ts';
import { publicNotification, registerNotifications } from './graylog-notifications.ts';
import { registerTraining } from './graylog-training.ts';
import type { VendorApi } from './vendor-api.ts';

const NODE_ID = '5ca1ab1e-0000-4000-8000-000000000001';
const CLUSTER_ID = 'b2e2c7f0-6a53-4b1a-9d4a-3f1f0a8a77aa';
const HOST = 'gl-1.example.net';

/** Graylog's REST API as an integration meets it: events, definitions, notifications, streams, search. */
export function createGraylogApi(): VendorApi {
  let memory: GraylogMemory | undefined;
  return {
    id: 'graylog',
    failures: graylogFailures,
    state: () => ({
      version: memory?.version ?? null,
      definitions: [...(memory?.definitions.values() ?? [])],
      notifications: [...(memory?.notifications.values() ?? [])].map(publicNotification),
    }),
    reset() {
      memory = undefined;
    },

    register(app, { key, now }) {
      const deps: GraylogDeps = {
        current: () => {
          memory ??= createGraylogMemory(now());
          return memory;
        },
        now,
      };
      registerTraining(app, deps);
      app.get('/', async () => ({
        cluster_id: CLUSTER_ID,
        node_id: NODE_ID,
        version: deps.current().version,
        tagline: 'A stand-in to train with',
      }));
      app.get('/system/lbstatus', async (_request, reply) => reply.type('text/plain').send('ALIVE'));
      app.register((scope, _options, done) => {
        scope.addHook('onRequest', async (request, reply) => {
          await checkCredentials(request, reply, key);
        });
        registerSystem(scope, deps);
        registerDefinitions(scope, deps);
        registerNotifications(scope, deps);
        registerEvents(scope, deps);
        registerMessages(scope, deps);
        done();
      });
    },
  };
}

/** Token as user with the word `token` as password; a refusal has no JSON. What is not a read needs one more header. */
async function checkCredentials(request: FastifyRequest, reply: FastifyReply, key: string): Promise<void> {
  const basic = /^Basic (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  const [user, ...password] = Buffer.from(basic ?? '', 'base64')
    .toString('utf8')
    .split(':');
  if (basic !== undefined && password.length === 0) {
    await apiError(reply, 400, 'Invalid credentials in Authorization header');
  } else if (user !== key || password.join(':') !== 'token') {
    await reply.code(401).header('www-authenticate', 'Basic realm="Graylog Server"').type('text/plain').send('');
  } else if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method) && !request.headers['x-requested-by']) {
    await apiError(
      reply,
      400,
      'CSRF protection header is missing. Please add a "X-Requested-By" header to your request.',
    );
  }
}

function registerSystem(app: FastifyInstance, { current, now }: GraylogDeps): void {
  app.get('/system', async () => ({
    facility: 'graylog-server',
    codename: 'Sandbox',
    node_id: NODE_ID,
    cluster_id: CLUSTER_ID,
    version: current().version,
    started_at: '2026-11-01T07:30:11.204Z',
    is_processing: true,
    hostname: HOST,
    lifecycle: 'running',
    lb_status: 'alive',
    timezone: 'Etc/UTC',
    operating_system: 'Linux 6.1.0',
    is_leader: true,
  }));
  app.get('/system/cluster/nodes', async () => ({
    nodes: [
      {
        cluster_id: CLUSTER_ID,
        node_id: NODE_ID,
        is_master: true,
        is_leader: true,
        transport_address: `http://${HOST}:9000/api/`,
        last_seen: now().toISOString(),
        short_node_id: NODE_ID.slice(0, 8),
        hostname: HOST,
      },
    ],
    total: 1,
  }));
  app.get('/system/journal', async () => ({
    enabled: true,
    append_events_per_second: 23,
    read_events_per_second: 21,
    uncommitted_journal_entries: 142,
    journal_size: 15_689_208,
    journal_size_limit: 5_368_709_120,
    number_of_segments: 2,
    oldest_segment: '2026-11-20T07:13:32.657Z',
    journal_config: { directory: 'file:///var/lib/graylog-server/journal/' },
  }));
  app.get('/system/throughput', async () => ({ throughput: 21 }));
  app.get('/streams', async () => ({ total: current().streams.length, streams: current().streams }));
}
