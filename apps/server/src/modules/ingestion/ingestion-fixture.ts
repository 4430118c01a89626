import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import type { IngestAnswer, SourceKind } from '@airdeck/contracts/sources/schema';
import Fastify, { type FastifyInstance } from 'fastify';
import { v7 } from 'uuid';
import { AppError } from '../../http/app-error.ts';
import { createTestDatabase, quietLog } from '../../storage/test-database.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { createAuditService } from '../audit/audit-service.ts';
import { createCasesModule } from '../cases/cases-module.ts';
import { createDetectionModule } from '../detection/detection-module.ts';
import type { Detection } from '../detection/detection-port.ts';
import { createEventMatching } from '../detection/event-matching.ts';
import { groupSuppressions } from '../detection/group-suppression.ts';
import { createPolicyLoader } from '../detection/policy-loader.ts';
import { createKeyedAnswers } from '../keyed-answers/keyed-answers.ts';
import { silentNotices } from '../notifications/notifications-port.ts';
import { aroundPolicies } from '../policies/policies-fixture.ts';
import { createPoliciesModule } from '../policies/policies-module.ts';
import { createSourcesModule } from '../sources/sources-module.ts';
import { silentFeed } from '../stream/changes.ts';
import { assignableAmong, membersAmong } from '../tenants/member-names.ts';
import { createEventWork } from './event-work.ts';
import { createEventWriter } from './event-writer.ts';
import { createIngestionModule, type IngestionDependencies } from './ingestion-module.ts';

/** What a test puts in place of the real one. */
type Changed = Partial<Omit<IngestionDependencies, 'work' | 'detection'>> & {
  eventsStore?: Parameters<typeof createEventWriter>[0]['store'];
  detection?: Detection;
};

export type Sender = { tenantId: string; id: string; token: string };

/** Sources, doors, detection and cases as the server wires them, on stores of their own and real sockets, for tests. */
export async function createIngestionFixture() {
  const stores = await createTestDatabase();
  const db = stores.database;
  const clock = { now: new Date('2026-11-21T12:00:00.000Z') };
  const now = () => clock.now;
  const audit = createAuditService({ now });
  const changes = { announce: () => Promise.resolve() };
  const keyedAnswers = createKeyedAnswers({ db, secret: 'for tests', now });
  const policies = createPoliciesModule({ db, now, ids: v7, audit, keyedAnswers, ...aroundPolicies(stores.events) });
  const cases = createCasesModule({
    ...{ db, now, ids: v7, audit, changes, feed: silentFeed, notices: silentNotices },
    ...{ groups: groupSuppressions, membersAmong, assignableAmong },
  });
  const load = createPolicyLoader({ db, policies: policies.service });
  const matching = createEventMatching({ load, now, log: quietLog });
  const detectionModule = createDetectionModule({
    keeper: matching,
    db,
    now,
    policies: policies.service,
    cases: cases.openings,
    responses: { onCaseOpened: () => Promise.resolve() },
    log: quietLog,
  });
  const detection = { ...detectionModule, match: matching.match };
  const addresses = () => ({ http: 'https://airdeck.example', syslogTcp: 'syslog+tcp://airdeck.example:5514' });
  /** Doors of single sources, as the operator would name them. */
  const syslogPorts = new Map<number, string>();
  const sources = createSourcesModule({
    ...{ db, now, ids: v7, randomBytes, audit, addresses },
    ...{ secret: v7(), ports: syslogPorts, usesOf: () => Promise.resolve({ ids: [], told: [] }) },
  });
  const closing: (() => Promise<unknown>)[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'airdeck-ingestion-'));
  let spools = 0;

  function startIngestion({ eventsStore = stores.events, detection: changedDetection, ...changed }: Changed = {}) {
    const present = changedDetection ?? detection;
    const writer = createEventWriter({ store: eventsStore, log: quietLog });
    const deps = {
      db,
      work: createEventWork({ writer, match: present.match }),
      detection: present,
      sources,
      ids: v7,
      now,
      log: quietLog,
      isOnlyWriter: true,
    };
    const module = createIngestionModule({ ...deps, ...changed });
    closing.push(() => module.stop());
    return module;
  }

  return {
    db,
    clock,
    stores,
    detection,
    sources,
    cases,
    startIngestion,
    syslogPorts,
    /** A folder for waiting lines, of its own or of that name. */
    spool: (name = `spool-${spools++}`, maxBytes = 64 * 1_048_576) => ({ folder: join(folder, name), maxBytes }),
    async newSource(
      kind: SourceKind = 'ndjson',
      options: { syslogDefault?: boolean; tenantId?: string } = {},
    ): Promise<Sender> {
      const { tenantId = await newTenant() } = options;
      const by = { actor: { kind: 'system', id: null, name: 'test' } as const, requestId: null };
      const { id, token } = await db.tenant(tenantId, (tx) =>
        sources.service.createSource(tx, trustedTenantScope(tenantId), { name: 'Example', kind, ...options }, by),
      );
      return { tenantId, id, token };
    },
    createPolicy: (tenantId: string, rule: PolicyRule) =>
      db.tenant(tenantId, (tx) =>
        policies.service.create(
          tx,
          trustedTenantScope(tenantId),
          { rule },
          { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null },
        ),
      ),
    casesOf: async (tenantId: string) => {
      const query = { limit: 100, page: 1, sort: 'time_opened' } as const;
      return (await db.tenant(tenantId, (tx) => cases.service.list(tx, trustedTenantScope(tenantId), query))).cases;
    },
    /** The HTTP door on a real socket. */
    async serve(ingestion = startIngestion()): Promise<Door> {
      const app = httpServer(ingestion.handlers['sources.ingest']);
      await app.listen({ port: 0, host: '127.0.0.1' });
      closing.unshift(() => app.close());
      const { port } = app.server.address() as AddressInfo;
      return { port, send: (sender, body, headers) => send(port, { sender, body, headers }) };
    },
    /** What a search would find, oldest first. */
    eventsOf: (tenant: string) =>
      stores.events.query<{
        id: string;
        raw: string;
        integration: string;
        src_ip: string;
        fields: unknown;
        source: string;
      }>({
        tenant,
        sql: 'select id, raw, integration, src_ip, fields, source from events where tenant = {tenant:UUID} order by time, id',
      }),
    async close() {
      for (const close of closing) await close();
      await detection.stop();
      await stores.close();
      await rm(folder, { recursive: true, force: true });
    },
  };

  async function newTenant(): Promise<string> {
    const id = v7();
    const sku_info = JSON.stringify({
      sku_name: 'test',
      is_mdr_enabled: false,
      is_search_enabled: true,
      retention_length_days: 30,
      search_length_days: 30,
    });
    await db.system((tx) =>
      tx.insertInto('tenant').values({ id, name: 'Example Ltd', managed_by: null, sku_info }).execute(),
    );
    return id;
  }
}

export type IngestionFixture = Awaited<ReturnType<typeof createIngestionFixture>>;

export type Reply = { status: number; retryAfter: string | null; body: Partial<IngestAnswer> & { code?: string } };

export type Door = {
  port: number;
  send(sender: Sender, body: string | Buffer, headers?: Record<string, string>): Promise<Reply>;
};

type Handler = ReturnType<typeof createIngestionModule>['handlers']['sources.ingest'];

function httpServer(handler: Handler): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  app.post('/api/:tenant/event/ingest/:source_id', async (request, reply) => {
    const params = request.params as { tenant: string; source_id: string };
    const context = { requestId: 'test', signal: new AbortController().signal, raw: { request, reply } };
    try {
      return await reply.code(202).send(await handler({ params, query: {}, body: undefined }, context));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.retryAfterS !== undefined) void reply.header('retry-after', error.retryAfterS);
      return reply.code(error.status).send({ code: error.code });
    }
  });
  return app;
}

async function send(
  port: number,
  call: { sender: Sender; body: string | Buffer; headers: Record<string, string> | undefined },
): Promise<Reply> {
  const { sender, body, headers = {} } = call;
  const response = await fetch(`http://127.0.0.1:${port}/api/${sender.tenantId}/event/ingest/${sender.id}`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${sender.token}`, 'content-type': 'application/x-ndjson', ...headers },
  });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: (await response.json()) as Reply['body'],
  };
}

export type Gate = { passed: Promise<void>; open: () => void };

/** What a test lets go on when it has seen enough. */
export function newGate(): Gate {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
