/**
 * Walks a chain from its beginning to where its head stood when the walk began. Records are only ever added, so pages may
 * be read in transactions of their own, and what is added meanwhile is no sign of anything.
 */
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { auditHash, GENESIS } from './audit-hash.ts';
import type { AuditBreak, AuditVerdict } from './audit-log.ts';
import { findChainEnd, listRecords } from './audit-repository.ts';

/** Hashing a page keeps the process busy for a few milliseconds. */
const RECORDS_PER_PAGE = 500;

/** `read` runs each piece of work in a transaction that sees the tenant. */
export async function verifyChain(
  read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  scope: TenantScope,
  signal?: AbortSignal,
): Promise<AuditVerdict> {
  const end = await read((tx) => findChainEnd(tx, scope));
  let sequence = 0;
  let hash = GENESIS;
  const broken = (at: number, reason: AuditBreak['reason']): AuditVerdict => ({
    intact: false,
    records: sequence,
    broken: { sequence: at, reason },
  });
  while (sequence < end.lastRecord) {
    // Nobody is left to read the verdict.
    if (signal?.aborted) throw new AppError('OVERLOADED');
    const limit = Math.min(RECORDS_PER_PAGE, end.lastRecord - sequence);
    const page = await read((tx) => listRecords(tx, scope, { after: sequence, limit }));
    if (page.length === 0) return broken(sequence + 1, 'missing');
    for (const record of page) {
      if (record.sequence !== sequence + 1) return broken(sequence + 1, 'missing');
      if (record.previous_hash !== hash) return broken(record.sequence, 'unlinked');
      if (record.hash !== auditHash(hash, record)) return broken(record.sequence, 'changed');
      sequence = record.sequence;
      hash = record.hash;
    }
    await setImmediate();
  }
  if (end.sequence !== sequence || end.hash !== hash) return broken(sequence + 1, 'head_mismatch');
  return { intact: true, records: sequence, head: hash };
}
