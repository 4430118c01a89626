/**
 * The doors and stores without the rest of the server, in a process of its own, for measuring ingestion alone:
 * `tsx ingest-stand.ts <empty folder>` prints one line of JSON with what `runIngestBench` needs, and `GET /count` on the
 * same address counts by query. Ends on SIGTERM.
 */
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { v7 } from 'uuid';
import { AppError } from '../src/http/app-error.ts';
import { createAuditService } from '../src/modules/audit/audit-service.ts';
import { createCasesModule } from '../src/modules/cases/cases-module.ts';
import { createDetectionModule } from '../src/modules/detection/detection-module.ts';
import { createIngestionModule } from '../src/modules/ingestion/ingestion-module.ts';
import { silentNotices } from '../src/modules/notifications/notifications-port.ts';
import { createPoliciesModule } from '../src/modules/policies/policies-module.ts';
import { starterPolicies } from '../src/modules/policies/starter-policies.ts';
import { createSourcesModule } from '../src/modules/sources/sources-module.ts';
import { silentFeed } from '../src/modules/stream/changes.ts';
import { openDatabase } from '../src/storage/database.ts';
import { startEmbeddedEvents } from '../src/storage/embedded-events.ts';
import { startEmbeddedPostgres } from '../src/storage/embedded-postgres.ts';
import { createEventsStore } from '../src/storage/events-store.ts';
import { migrationList } from '../src/storage/migration-list.ts';
import { migrate } from '../src/storage/migrations.ts';
import { trustedTenantScope } from '../src/tenant-scope.ts';

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) throw new Error('Name an empty folder.');
const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: console.error, error: console.error };
const now = () => new Date();

const postgres = await startEmbeddedPostgres({ dataDir, log });
const embedded = await startEmbeddedEvents({ dataDir, log });
await migrate({ url: postgres.url, migrations: migrationList, log });
const db = openDatabase({ url: postgres.url, log });
const events = createEventsStore({ ...embedded, log });
await events.prepare();

const audit = createAuditService({ now });
const changes = { announce: () => Promise.resolve() };
const policies = createPoliciesModule({ db, now, ids: v7, audit });
const cases = createCasesModule({ db, now, ids: v7, audit, changes, feed: silentFeed, notices: silentNotices });
const responses = { onCaseOpened: () => Promise.resolve() };
const detection = createDetectionModule({ db, now, policies: policies.service, cases: cases.openings, responses, log });
const addresses = () => ({ http: '', syslogTcp: undefined });
const sources = createSourcesModule({ db, now, ids: v7, randomBytes, audit, addresses });
const ingestion = createIngestionModule({
  db,
  eventsStore: events,
  detection,
  sources,
  ids: v7,
  now,
  log,
  isOnlyWriter: true,
});

const scope = trustedTenantScope(v7());
const source = await db.system(async (tx) => {
  const plan = { is_mdr_enabled: false, is_search_enabled: true, retention_length_days: 30, search_length_days: 30 };
  const sku_info = JSON.stringify({ sku_name: 'bench', ...plan });
  await tx.insertInto('tenant').values({ id: scope.tenantId, name: 'Bench', managed_by: null, sku_info }).execute();
  for (const rule of starterPolicies)
    await policies.service.create(
      tx,
      scope,
      { rule },
      { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null },
    );
  const by = { actor: { kind: 'system', id: null, name: 'bench' } as const, requestId: null };
  return await sources.service.createSource(tx, scope, { name: 'Bench', kind: 'ndjson' }, by);
});
await detection.start();

const app = Fastify({ forceCloseConnections: true });
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
app.post('/api/:tenant/event/ingest/:source_id', async (request, reply) => {
  const params = request.params as { tenant: string; source_id: string };
  const context = { requestId: '', signal: new AbortController().signal, raw: { request, reply } };
  try {
    return await reply
      .code(202)
      .send(await ingestion.handlers['sources.ingest']({ params, query: undefined, body: undefined }, context));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    console.error(error.code, error.cause);
    return await reply.code(error.status).send({ code: error.code });
  }
});
app.get('/count', async () => {
  const sql = 'select count() as count, uniqExact(id) as ids from events where tenant = {tenant:UUID}';
  const [row] = await events.query<{ count: number; ids: number }>({ tenant: scope.tenantId, sql });
  return row;
});
await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as AddressInfo;
const { id, token } = source;
process.stdout.write(
  `${JSON.stringify({ url: `http://127.0.0.1:${port}`, tenant: scope.tenantId, source: id, token })}\n`,
);

process.once('SIGTERM', () => void stop());

async function stop(): Promise<void> {
  await app.close();
  await ingestion.stop();
  await detection.stop();
  await Promise.all([db.close(), events.close()]);
  await Promise.all([postgres.stop(), embedded.stop()]);
}
