/**
 * Makes the file of an executive report.
 *
 * pending → running → success | error. Every beginning raises the report's `attempt`, and only the newest may write. A file
 * gets a new id with every beginning and belongs to nobody until the row names it, in the statement that says `success`
 * and the transaction that queues its mails and tells who asked: so there is one file or none, and one mail each. That
 * transaction also takes away the report of before, which stays where making the new one fails. After a crash the job comes
 * back and begins from nothing; what the crash left is swept away.
 */
import { outcomeTexts } from '@airdeck/contracts/outcome-texts';
import type { JobContext, JobHandler, LostJob } from '@airdeck/engine/interfaces';
import { z } from 'zod';
import { createBoundedThread } from '../../bounded-thread.ts';
import { builtProgram } from '../../built-program.ts';
import type { PdfFile } from '../../pdf/pdf-pages.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import type { Files } from '../files/files-port.ts';
import { removeLeftover } from '../files/remove-leftover.ts';
import type { ExecutiveFacts } from './executive-facts.ts';
import { beginReport, deleteReplaced, endReport, type ReportRow } from './executive-reports-repository.ts';
import type { FactsOrder } from './gather-facts.ts';
import type { ReportOrder } from './pdf/report-document.ts';
import { expiryOf } from './report-expiry.ts';

const TIMEOUT_MS = 5 * 60_000;
/** Attempts the engine gives a job. */
const ATTEMPTS = 5;

const payloadSchema = z.object({ report_id: z.string() });

export type MakeDependencies = {
  db: Pick<Database, 'tenant' | 'system'>;
  files: Pick<Files, 'put' | 'remove'>;
  gather: (scope: TenantScope, order: FactsOrder) => Promise<ExecutiveFacts>;
  layOut: (order: ReportOrder) => Promise<PdfFile>;
  /** In the system transaction in which a report ends. */
  onEnd: (tx: Tx, scope: TenantScope, row: ReportRow) => Promise<void>;
  ids: () => string;
  now: () => Date;
  log: { warn(fields: object, message: string): void };
};

/** Lays pages out off the event loop, one after the other: a month of a tenant takes a second or two of computing. */
export function createLayOut(): MakeDependencies['layOut'] {
  const limits = { timeoutMs: 60_000, heapMb: 256, maxWaiting: 1_000 };
  return createBoundedThread<ReportOrder, PdfFile>(builtProgram('executive-report-worker'), limits);
}

export function createMakeJob(deps: MakeDependencies): JobHandler {
  return { timeoutMs: TIMEOUT_MS, run: (job) => make(deps, job), onLost: (job) => giveUp(deps, job) };
}

/** A beginning of its own, so that a worker that comes back after all writes nothing any more. */
async function giveUp(deps: MakeDependencies, job: LostJob): Promise<void> {
  const scope = trustedTenantScope(job.tenantId);
  const { report_id: id } = payloadSchema.parse(job.payload);
  const row = await deps.db.tenant(scope.tenantId, (tx) => beginReport(tx, scope, id, deps.now()));
  if (row !== undefined) await fail(deps, scope, row, outcomeTexts.EXECUTIVE_REPORT_LOST);
}

async function fail(deps: MakeDependencies, scope: TenantScope, row: ReportRow, failure: string): Promise<void> {
  const nothing = { file_id: null, size_bytes: 0, pages: 0, facts: null };
  await end(deps, scope, row, { status: 'error', failure, ...nothing });
}

async function make(deps: MakeDependencies, job: JobContext): Promise<void> {
  const scope = trustedTenantScope(job.tenantId);
  const { report_id: id } = payloadSchema.parse(job.payload);
  job.signal.throwIfAborted();
  const row = await deps.db.tenant(scope.tenantId, (tx) => beginReport(tx, scope, id, deps.now()));
  if (row === undefined) return;
  try {
    await write(deps, scope, row);
  } catch (error) {
    // The worker is stopping, or there is another attempt: the next one begins anew.
    if (job.signal.aborted || job.attempt < ATTEMPTS) throw error;
    deps.log.warn({ err: error, report: id }, 'executive report failed');
    await fail(deps, scope, row, outcomeTexts.EXECUTIVE_REPORT_FAILED);
  }
}

async function write(deps: MakeDependencies, scope: TenantScope, row: ReportRow): Promise<void> {
  const { month, locale, time_zone: timeZone, range_start: start, range_end: until } = row;
  const facts = await deps.gather(scope, { month, start, end: until, locale, timeZone });
  const { bytes, pages } = await laidOut(deps, facts, row);
  const fileId = deps.ids();
  const size = await deps.files.put(fileId, once(bytes));
  const done = { failure: null, file_id: fileId, size_bytes: size, pages, facts: JSON.stringify(facts) };
  const ended = await end(deps, scope, row, { status: 'success', ...done });
  if (!ended) await removeLeftover(deps, fileId);
}

/** A logo is a stranger's file: one that breaks the thread costs its place on the cover, not the report. */
async function laidOut({ layOut, log }: MakeDependencies, facts: ExecutiveFacts, row: ReportRow): Promise<PdfFile> {
  try {
    return await layOut({ facts, compress: true });
  } catch (error) {
    if (facts.tenant.logo === null) throw error;
    log.warn({ err: error, report: row.id }, 'executive report laid out without the logo');
    return await layOut({ facts: { ...facts, tenant: { ...facts.tenant, logo: null } }, compress: true });
  }
}

type Done = Omit<Parameters<typeof endReport>[3], 'at' | 'expiresAt'>;

/** False when the attempt was not wanted any more. */
async function end(deps: MakeDependencies, scope: TenantScope, row: ReportRow, done: Done): Promise<boolean> {
  const at = deps.now();
  const replaced = await deps.db.system(async (tx) => {
    const ended = await endReport(tx, scope, row, { ...done, at, expiresAt: expiryOf(at) });
    if (ended === undefined) return undefined;
    const files = ended.status === 'success' ? await deleteReplaced(tx, scope, ended) : [];
    await deps.onEnd(tx, scope, ended);
    return files;
  });
  // After the commit, so that no row names a file that is gone.
  for (const fileId of replaced ?? []) await removeLeftover(deps, fileId);
  return replaced !== undefined;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
