import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AuditVerdictOnWire } from '@airdeck/contracts/audit/schema';
import { AppError } from '../../http/app-error.ts';
import type { Handlers, TenantContext } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { auditActor } from './audit-actor.ts';
import { type ExportFormat, exportPages, exportType } from './audit-export.ts';
import type { AuditLog, AuditVerdict } from './audit-log.ts';
import { type AuditFilter, findRecords } from './audit-reads.ts';
import { findChainEnd } from './audit-repository.ts';
import { verifyChain } from './audit-verify.ts';
import { auditOnTheWire } from './audit-view.ts';

/** Of all tenants together: each keeps the processor busy. */
const VERIFICATIONS_MAX = 4;
/** A client that takes longer than this has stopped reading. */
const EXPORT_MAX_MS = 15 * 60_000;

export type AuditRoutesDependencies = {
  db: Pick<Database, 'tenant'>;
  audit: Pick<AuditLog, 'record'>;
  now: () => Date;
  log: { warn(fields: object, message: string): void };
};

export type AuditHandlers = Handlers<'audit.list' | 'audit.verify' | 'audit.export'>;

export function createAuditRoutes(deps: AuditRoutesDependencies): AuditHandlers {
  const { db } = deps;
  const walking = { verify: createWalks(VERIFICATIONS_MAX), export: createWalks() };

  return {
    'audit.list': async ({ query }, { scope }) => {
      const { cursor, limit, ...filter } = query;
      const page = { order: 'newest', before: sequenceOf(cursor), limit: limit + 1 } as const;
      const rows = await db.tenant(scope.tenantId, (tx) => findRecords(tx, scope, filter, page));
      const records = rows.slice(0, limit).map(auditOnTheWire);
      return { records, cursor: rows.length > limit ? String(records.at(-1)?.sequence) : null };
    },
    'audit.verify': async (_request, { scope, signal }) => {
      const done = walking.verify.begin(scope);
      try {
        return verdictOnTheWire(await verifyChain((work) => db.tenant(scope.tenantId, work), scope, signal));
      } finally {
        done();
      }
    },
    'audit.export': async ({ query: { format, ...filter } }, context) => {
      const done = walking.export.begin(context.scope);
      try {
        await startExport(deps, { format, filter, done }, context);
      } catch (error) {
        done();
        throw error;
      }
      return undefined;
    },
  };
}

/** Newest first pages end below the sequence that the cursor names. Throws VALIDATION_FAILED. */
function sequenceOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(cursor)) return Number(cursor);
  const message = 'Not a cursor of this list.';
  throw new AppError('VALIDATION_FAILED', { message, details: [{ path: 'query.cursor', message }] });
}

/** One walk of a tenant's chain at a time in this process; throws RATE_LIMITED. Call what it returns when the walk is over. */
function createWalks(atMost = Number.POSITIVE_INFINITY) {
  const underWay = new Set<string>();
  return {
    begin({ tenantId }: TenantScope): () => void {
      if (underWay.has(tenantId) || underWay.size >= atMost) {
        throw new AppError('RATE_LIMITED', {
          retryAfterS: 5,
          message: 'This is already under way. Try again shortly.',
        });
      }
      underWay.add(tenantId);
      return () => void underWay.delete(tenantId);
    },
  };
}

function verdictOnTheWire(verdict: AuditVerdict): AuditVerdictOnWire {
  const { records } = verdict;
  return verdict.intact
    ? { intact: true, records, head: verdict.head, broken: null }
    : { intact: false, records, head: null, broken: verdict.broken };
}

type Export = { format: ExportFormat; filter: AuditFilter; done: () => void };

/** The record of the export comes first and is part of it: what leaves is never without one. */
async function startExport(
  { db, audit, now, log }: AuditRoutesDependencies,
  { format, filter, done }: Export,
  { scope, caller, requestId, raw }: TenantContext,
): Promise<void> {
  const until = await db.tenant(scope.tenantId, async (tx) => {
    await audit.record(tx, {
      tenant: scope.tenantId,
      actor: auditActor(caller),
      action: 'audit.export',
      target: { kind: 'tenant', id: scope.tenantId },
      outcome: 'ok',
      data: { format, ...filter },
      request_id: requestId,
    });
    return (await findChainEnd(tx, scope)).sequence;
  });
  const day = now().toISOString().slice(0, 10);
  raw.reply.hijack();
  raw.reply.raw.writeHead(200, {
    ...(raw.reply.getHeaders() as Record<string, string>),
    'content-type': exportType(format),
    'content-disposition': `attachment; filename="audit-${scope.tenantId}-${day}.${format}"`,
    'cache-control': 'no-store',
  });
  const pages = Readable.from(exportPages(db, scope, { filter, format, until }), { objectMode: false });
  // Ends with the client, whole or cut off; an answer that stops short is no complete file to any client.
  pipeline(pages, raw.reply.raw, { signal: AbortSignal.timeout(EXPORT_MAX_MS) }).then(done, (error: unknown) => {
    done();
    log.warn(
      { tenant: scope.tenantId, error: error instanceof Error ? error.message : 'unknown' },
      'audit export stopped',
    );
  });
}
