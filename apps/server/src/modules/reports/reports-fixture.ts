import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SearchCriteria } from '@airdeck/contracts/search/schema';
import type { EnqueueJobInput, JobContext } from '@airdeck/engine/interfaces';
import { v7 } from 'uuid';
import type { EventsQuery } from '../../storage/events-store.ts';
import { createTestDatabase, quietLog } from '../../storage/test-database.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { createAuditService } from '../audit/audit-service.ts';
import { createFolderFiles } from '../files/folder-files.ts';
import type { NewMail, WrittenMail } from '../mail/mail-port.ts';
import { unknownReader, wordsFor } from '../mail/mail-words.ts';
import { selectEvents } from '../search/event-selection.ts';
import { clippedRange } from '../search/search-range.ts';
import { EXPORT_JOB } from './export-job.ts';
import { createReportsModule, DUE_REPORTS_JOB } from './reports-module.ts';
import type { ConditionOf, SearchPlan } from './reports-port.ts';
import { findReport, listReports, type ReportRow } from './reports-repository.ts';
import { createReportsService } from './reports-service.ts';
import { createSchedulesService } from './schedules-service.ts';

export const everything: SearchCriteria = { integrations: [], query: '', filters: [] };
export const person = {
  actor: { kind: 'user', id: null, name: 'Bo' },
  requestId: null,
  username: 'bo@example.com',
} as const;
/** Whoever orders something, without an Idempotency-Key. */
export const orderer = () => ({ ...person, request: { id: v7(), hash: null }, requireLeft: () => undefined });

/** Reports on real stores, with jobs that tests run by hand: so that they can be stopped in the middle. */
export async function createReportsFixture() {
  const stores = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'airdeck-reports-'));
  const files = createFolderFiles(join(folder, 'reports'));
  const clock = { now: new Date('2026-11-21T12:00:00.000Z') };
  const now = () => clock.now;
  const jobs: EnqueueJobInput[] = [];
  const mails: (WrittenMail & Pick<NewMail, 'to' | 'key' | 'sender' | 'tenant'>)[] = [];
  const plan = { enabled: true, searchLengthDays: 90 };
  /** Runs before each question to the event store; throws what the store would. */
  const hooks = { beforeQuery: async (_query: EventsQuery): Promise<void> => undefined };
  const events = {
    query: async <T>(query: EventsQuery): Promise<T[]> => {
      await hooks.beforeQuery(query);
      return await stores.events.query<T>(query);
    },
  };
  const conditionOf: ConditionOf = ({ time_range, ...criteria }, options) => {
    const at = options.now.getTime();
    const { condition, params } = selectEvents(criteria, { now: at });
    const { searchLengthDays, reachFrom = options.now } = options;
    const { from, until, clipped } = clippedRange(time_range, { now: reachFrom.getTime(), searchLengthDays });
    return { sql: condition, params, range: { start: new Date(from), end: new Date(until) }, cutByPlan: clipped };
  };
  const planOf: SearchPlan = async () => plan;
  const deps = {
    ...{ db: stores.database, audit: createAuditService({ now }), events, files, conditionOf, planOf, ids: v7, now },
    random: () => 0.5,
    enqueue: async (_tx: unknown, job: EnqueueJobInput) => void jobs.push(job),
    mail: {
      queue: async (_tx: unknown, { write, ...mail }: NewMail) =>
        void mails.push({ ...mail, ...write(wordsFor(unknownReader)) }),
    },
    tenantName: async () => 'Example Ltd',
    productName: 'AIRdeck',
    ownAddress: () => 'https://airdeck.example',
    secret: 'a secret of the installation',
    log: quietLog,
  };
  const module = createReportsModule(deps);
  const reports = createReportsService(deps);
  const schedules = createSchedulesService({ ...deps, reports, onEnd: async () => undefined });

  async function run(
    kind: string,
    handler = module.jobHandlers[kind],
    context: Partial<JobContext> = {},
  ): Promise<void> {
    if (handler === undefined) throw new Error(`no job ${kind}`);
    const signal = new AbortController().signal;
    const job = {
      jobId: v7(),
      tenantId: v7(),
      kind,
      payload: null,
      attempt: 1,
      signal,
      completeIn: async () => undefined,
    };
    await handler.run({ ...job, ...context });
  }

  return {
    ...{ stores, db: stores.database, clock, jobs, mails, plan, hooks, module, reports, schedules },
    async newTenant(): Promise<string> {
      const id = v7();
      const sku_info = JSON.stringify({ sku_name: 'test', is_search_enabled: true });
      await stores.database.system((tx) =>
        tx.insertInto('tenant').values({ id, name: 'Example Ltd', managed_by: null, sku_info }).execute(),
      );
      return id;
    },
    async newContact(tenant: string, name: string): Promise<string> {
      const id = v7();
      await stores.database.system((tx) =>
        tx
          .insertInto('contact')
          .values({
            ...{ id, tenant_id: tenant, name, email: `${name.toLowerCase()}@example.com`, phone: '', job_title: '' },
            ...{ kind: 'technical', escalation_order: null, notify: '{"case_severities":[],"channels":[]}', notes: '' },
            ...{ created_at: clock.now, updated_at: clock.now },
          })
          .execute(),
      );
      return id;
    },
    /** A report of the day before, not made yet. */
    async order(tenant: string, search: Partial<SearchCriteria> = {}): Promise<string> {
      const scope = trustedTenantScope(tenant);
      const time_range = { start: '2026-11-20T00:00:00Z', end: '2026-11-21T00:00:00Z' };
      const body = { ...everything, ...search, time_range, name: 'Yesterday', format: 'ndjson' } as const;
      return (await stores.database.tenant(tenant, (tx) => reports.export(tx, scope, body, orderer()))).id;
    },
    make: (tenant: string, report: string, context: Partial<JobContext> = {}) =>
      run(EXPORT_JOB, undefined, { tenantId: tenant, payload: { report_id: report }, ...context }),
    lose: (tenant: string, report: string) =>
      module.jobHandlers[EXPORT_JOB]?.onLost?.({ jobId: v7(), tenantId: tenant, payload: { report_id: report } }),
    runDue: () => run(DUE_REPORTS_JOB.kind, module.dueJob),
    async reportOf(tenant: string, id: string): Promise<ReportRow> {
      const row = await stores.database.tenant(tenant, (tx) => findReport(tx, trustedTenantScope(tenant), id));
      if (row === undefined) throw new Error('no such report');
      return row;
    },
    reportsOf: (tenant: string) =>
      stores.database.tenant(tenant, (tx) =>
        listReports(tx, trustedTenantScope(tenant), { limit: 100, before: undefined }),
      ),
    filesNow: () => readdir(join(folder, 'reports')).catch(() => [] as string[]),
    folder: join(folder, 'reports'),
    files,
    async close() {
      await stores.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type ReportsFixture = Awaited<ReturnType<typeof createReportsFixture>>;
