/**
 * The local sandbox: vendors' APIs as they are published, on one local HTTP server, so that every call of the demo, of a
 * test or of a training session really happens. `GET /sandbox/state` shows what arrived, `POST /sandbox/reset` forgets it,
 * `POST /sandbox/disturb` makes the next calls of a vendor fail.
 */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import Fastify from 'fastify';
import { abuseipdbApi } from './abuseipdb-api.ts';
import type { Disturbance, Disturbances } from './disturbances.ts';
import { createDisturbances, disturbanceKinds } from './disturbances.ts';
import { fortigateApi } from './fortigate-api.ts';
import type { SandboxMemory, SandboxState } from './sandbox-state.ts';
import { createMemory, recordCall, resetMemory, stateOf } from './sandbox-state.ts';
import type { SandboxVendor, VendorApi } from './vendor-api.ts';

const vendorApis = [abuseipdbApi, fortigateApi] as const satisfies readonly VendorApi[];

export type SandboxOptions = {
  /** Default loopback. */
  readonly host?: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Credential of each vendor; unguessable ones are the caller's business. */
  readonly keys: Readonly<Record<SandboxVendor, string>>;
  readonly now?: () => Date;
};

export type Sandbox = {
  /** `http://127.0.0.1:4600`; a vendor's API begins at `${url}/${vendor}`. */
  readonly url: string;
  readonly port: number;
  state(): SandboxState;
  reset(): void;
  disturb(disturbance: Disturbance): void;
  close(): Promise<void>;
};

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const host = options.host ?? '127.0.0.1';
  const memory = createMemory();
  const disturbances = createDisturbances();
  const now = options.now ?? (() => new Date());
  const app = Fastify({ logger: false, forceCloseConnections: true, bodyLimit: 1_048_576 });

  registerControl(app, memory, disturbances);
  for (const vendor of vendorApis) {
    await app.register(
      (scope, _options, done) => {
        watchCalls(scope, vendor, { memory, disturbances, now });
        vendor.register(scope, { memory, key: options.keys[vendor.id], now });
        done();
      },
      { prefix: `/${vendor.id}` },
    );
  }
  await app.listen({ host, port: options.port });

  const { port } = app.server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    state: () => stateOf(memory),
    reset: () => reset(memory, disturbances),
    disturb: (disturbance) => disturbances.add(disturbance),
    close: () => app.close(),
  };
}

function reset(memory: SandboxMemory, disturbances: Disturbances): void {
  resetMemory(memory);
  disturbances.clear();
}

function registerControl(app: FastifyInstance, memory: SandboxMemory, disturbances: Disturbances): void {
  app.get('/sandbox/state', async () => stateOf(memory));
  app.post('/sandbox/reset', async () => {
    reset(memory, disturbances);
    return stateOf(memory);
  });
  app.post<{ Body: Disturbance }>(
    '/sandbox/disturb',
    {
      schema: {
        body: {
          type: 'object',
          required: ['vendor', 'kind'],
          additionalProperties: false,
          properties: {
            vendor: { enum: vendorApis.map((vendor) => vendor.id) },
            kind: { enum: [...disturbanceKinds] },
            times: { type: 'integer', minimum: 1, maximum: 1000 },
            delay_ms: { type: 'integer', minimum: 0, maximum: 120_000 },
          },
        },
      },
    },
    async (request) => {
      disturbances.add(request.body);
      return { added: request.body };
    },
  );
}

type Watch = { memory: SandboxMemory; disturbances: Disturbances; now: () => Date };

function watchCalls(scope: FastifyInstance, vendor: VendorApi, { memory, disturbances, now }: Watch): void {
  scope.addHook('preHandler', async (_request, reply) => {
    if (await disturbances.apply(vendor.id, vendor.failures, reply)) return reply;
    return undefined;
  });
  // Before the answer leaves: whoever got it finds the call in the state.
  scope.addHook('onSend', async (request, reply, payload) => {
    recordCall(memory, {
      at: now().toISOString(),
      vendor: vendor.id,
      method: request.method,
      path: request.url.slice(vendor.id.length + 1),
      body: request.body ?? null,
      status: reply.statusCode,
    });
    return payload;
  });
}
