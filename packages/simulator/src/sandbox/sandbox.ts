/**
 * The local sandbox: vendors' APIs as they are published, on one local HTTP server, so that every call of the demo, of a
 * test or of a training session really happens. `GET /sandbox/state` shows what arrived, `POST /sandbox/reset` forgets it,
 * `POST /sandbox/disturb` makes the next calls of a vendor fail. Below `/openid` it is an issuer to sign in with, below
 * `/hooks` a place for webhooks to go.
 */
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import Fastify from 'fastify';
import { z } from 'zod';
import { createAbuseipdbApi } from './abuseipdb-api.ts';
import { createAwsApi } from './aws-api.ts';
import { createCrowdstrikeApi } from './crowdstrike-api.ts';
import type { Disturbance, Disturbances } from './disturbances.ts';
import { createDisturbances, disturbanceSchema } from './disturbances.ts';
import { createFortigateApi } from './fortigate-api.ts';
import { createGithubApi } from './github-api.ts';
import { createGraylogApi } from './graylog-api.ts';
import { createHookReceiver } from './hook-receiver.ts';
import { createJiraApi } from './jira-api.ts';
import { createMicrosoftGraphApi } from './microsoft-graph-api.ts';
import { createOktaApi } from './okta-api.ts';
import { registerOpenidIssuer } from './openid-issuer.ts';
import { createPagerdutyApi } from './pagerduty-api.ts';
import { createPanosApi } from './panos-api.ts';
import type { CallLog, SandboxState } from './sandbox-state.ts';
import { createCallLog, withoutCredentials } from './sandbox-state.ts';
import { createServicenowApi } from './servicenow-api.ts';
import { createSlackApi } from './slack-api.ts';
import type { VendorApi } from './vendor-api.ts';
import { createVirustotalApi } from './virustotal-api.ts';

/** Every vendor of the sandbox by its id. */
const vendorApis = {
  abuseipdb: createAbuseipdbApi,
  aws: createAwsApi,
  crowdstrike: createCrowdstrikeApi,
  fortigate: createFortigateApi,
  graylog: createGraylogApi,
  microsoft_graph: createMicrosoftGraphApi,
  okta: createOktaApi,
  github: createGithubApi,
  jira: createJiraApi,
  pagerduty: createPagerdutyApi,
  panos: createPanosApi,
  servicenow: createServicenowApi,
  slack: createSlackApi,
  virustotal: createVirustotalApi,
} as const satisfies Record<string, () => VendorApi>;

export type SandboxVendor = keyof typeof vendorApis;
export const sandboxVendors = Object.keys(vendorApis) as SandboxVendor[];

export type SandboxOptions = {
  /** Default loopback. */
  readonly host?: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Credentials that are known beforehand; every other vendor gets an unguessable one. */
  readonly keys?: Readonly<Partial<Record<SandboxVendor, string>>>;
  readonly now?: () => Date;
};

export type Sandbox = {
  /** `http://127.0.0.1:4600`; a vendor's API begins at `${url}/${vendor}`. */
  readonly url: string;
  readonly port: number;
  /** The credential of each vendor. */
  readonly keys: Readonly<Record<SandboxVendor, string>>;
  state(): SandboxState;
  reset(): void;
  disturb(disturbance: Disturbance): void;
  close(): Promise<void>;
};

/** Whatever of the sandbox a request may touch. */
type Inside = {
  readonly vendors: readonly VendorApi[];
  readonly calls: CallLog;
  readonly hooks: ReturnType<typeof createHookReceiver>;
  readonly disturbances: Disturbances;
  readonly keys: Readonly<Record<string, string>>;
  readonly now: () => Date;
};

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const host = options.host ?? '127.0.0.1';
  const keys = keysOf(options.keys ?? {});
  const inside: Inside = {
    vendors: Object.values(vendorApis).map((create) => create()),
    calls: createCallLog(),
    hooks: createHookReceiver(),
    disturbances: createDisturbances(),
    keys,
    now: options.now ?? (() => new Date()),
  };
  const app = Fastify({ logger: false, forceCloseConnections: true, bodyLimit: 1_048_576 });
  const url = () => {
    const { port } = app.server.address() as AddressInfo;
    return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  };

  readForms(app);
  registerControl(app, inside);
  inside.hooks.register(app);
  for (const vendor of inside.vendors) await registerVendor(app, vendor, { inside, url });
  await app.register(
    (scope, _options, done) => {
      registerOpenidIssuer(scope, { now: inside.now, url: () => `${url()}/openid` });
      done();
    },
    { prefix: '/openid' },
  );
  await app.listen({ host, port: options.port });

  return {
    url: url(),
    port: (app.server.address() as AddressInfo).port,
    keys,
    state: () => stateOf(inside),
    reset: () => reset(inside),
    disturb: (disturbance) => inside.disturbances.add(disturbance),
    close: () => app.close(),
  };
}

function keysOf(given: Readonly<Partial<Record<SandboxVendor, string>>>): Record<SandboxVendor, string> {
  const entries = sandboxVendors.map((id) => [id, given[id] ?? `${id}-${randomBytes(16).toString('hex')}`]);
  return Object.fromEntries(entries) as Record<SandboxVendor, string>;
}

async function registerVendor(
  app: FastifyInstance,
  vendor: VendorApi,
  { inside, url }: { inside: Inside; url: () => string },
): Promise<void> {
  const key = inside.keys[vendor.id];
  if (key === undefined) throw new Error(`The sandbox lists "${vendor.id}" under another name.`);
  await app.register(
    (scope, _options, done) => {
      watchCalls(scope, vendor, { inside, key });
      vendor.register(scope, { key, now: inside.now, url: () => `${url()}/${vendor.id}` });
      done();
    },
    { prefix: `/${vendor.id}` },
  );
}

/** Beside JSON: forms become objects of texts, XML and plain words stay text. */
function readForms(app: FastifyInstance): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))));
  });
  app.addContentTypeParser(['application/xml', 'text/xml'], { parseAs: 'string' }, (_request, body, done) => {
    done(null, body);
  });
}

function stateOf({ calls, hooks, vendors }: Inside): SandboxState {
  const memories = vendors.flatMap((vendor): [string, unknown][] =>
    vendor.state === undefined ? [] : [[vendor.id, vendor.state()]],
  );
  const all = Object.fromEntries([...memories, ['hooks', hooks.state()]]);
  return { calls: calls.list(), ...all } as SandboxState;
}

function reset({ calls, hooks, vendors, disturbances }: Inside): void {
  calls.clear();
  hooks.reset();
  disturbances.clear();
  for (const vendor of vendors) vendor.reset?.();
}

function registerControl(app: FastifyInstance, inside: Inside): void {
  app.get('/sandbox/state', async () => stateOf(inside));
  app.post('/sandbox/reset', async () => {
    reset(inside);
    return stateOf(inside);
  });
  app.post('/sandbox/disturb', async (request, reply) => {
    const asked = disturbanceSchema.safeParse(request.body);
    if (!asked.success) return reply.code(400).send({ message: z.prettifyError(asked.error) });
    const isKnown = inside.vendors.some(({ id }) => id === asked.data.vendor);
    if (!isKnown) return reply.code(400).send({ message: `There is no vendor "${asked.data.vendor}".` });
    inside.disturbances.add(asked.data);
    return { added: asked.data };
  });
}

function watchCalls(scope: FastifyInstance, vendor: VendorApi, { inside, key }: { inside: Inside; key: string }): void {
  const { id, failures } = vendor;
  const pathOf = (url: string) => url.slice(id.length + 1);
  scope.addHook('preHandler', async (request, reply) => {
    const path = pathOf(request.url);
    if (await inside.disturbances.apply({ vendor: id, path, failures }, reply)) return reply;
    return undefined;
  });
  // Before the answer leaves: whoever got it finds the call in the state.
  scope.addHook('onSend', async (request, reply, payload) => {
    inside.calls.add({
      at: inside.now().toISOString(),
      vendor: id,
      method: request.method,
      path: String(withoutCredentials(pathOf(request.url), key)),
      body: withoutCredentials(request.body ?? null, key),
      status: reply.statusCode,
    });
    return payload;
  });
}
