/**
 * Audit records as a file. Pages are read one after the other in short transactions and only as fast as the client takes
 * them: what waits in memory is one page. A client that goes away ends it, because its stream closes the generator.
 */
import type { AuditRecord } from '@airdeck/contracts/audit/schema';
import { csvHead, csvLine } from '@airdeck/domain/csv-text';
import type { Database } from '../../storage/database.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { type AuditFilter, findRecords } from './audit-reads.ts';
import { auditOnTheWire } from './audit-view.ts';

export type ExportFormat = 'csv' | 'ndjson';

const RECORDS_PER_PAGE = 500;

const columns = {
  sequence: (record) => record.sequence,
  at: (record) => record.at,
  actor_kind: (record) => record.actor.kind,
  actor_id: (record) => record.actor.id,
  actor_name: (record) => record.actor.name,
  action: (record) => record.action,
  target_kind: (record) => record.target.kind,
  target_id: (record) => record.target.id,
  outcome: (record) => record.outcome,
  code: (record) => record.code,
  data: (record) => JSON.stringify(record.data),
  request_id: (record) => record.request_id,
  hash: (record) => record.hash,
} as const satisfies Record<string, (record: AuditRecord) => string | number | null>;

const cellsOf = Object.values(columns);

const formats: Readonly<Record<ExportFormat, { type: string; head: string; line: (record: AuditRecord) => string }>> = {
  csv: {
    type: 'text/csv; charset=utf-8; header=present',
    head: csvHead(Object.keys(columns)),
    line: (record) => csvLine(cellsOf.map((read) => String(read(record) ?? ''))),
  },
  ndjson: { type: 'application/x-ndjson; charset=utf-8', head: '', line: (record) => `${JSON.stringify(record)}\n` },
};

export function exportType(format: ExportFormat): string {
  return formats[format].type;
}

/** Text of the file in pieces of one page, oldest record first, up to and including the sequence `until`. */
export async function* exportPages(
  db: Pick<Database, 'tenant'>,
  scope: TenantScope,
  request: { filter: AuditFilter; format: ExportFormat; until: number },
): AsyncGenerator<string> {
  const { head, line } = formats[request.format];
  if (head !== '') yield head;
  let after = 0;
  for (;;) {
    const page = { order: 'oldest', after, before: request.until + 1, limit: RECORDS_PER_PAGE } as const;
    const records = await db.tenant(scope.tenantId, (tx) => findRecords(tx, scope, request.filter, page));
    if (records.length > 0) yield records.map((record) => line(auditOnTheWire(record))).join('');
    if (records.length < RECORDS_PER_PAGE) return;
    after = records.at(-1)?.sequence ?? after;
  }
}
