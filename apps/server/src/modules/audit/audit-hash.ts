import { createHash } from 'node:crypto';
import type { AuditRecordTable } from './audit-tables.ts';

/** What the first record of every chain links to. */
export const GENESIS = '0'.repeat(64);

/** Everything of a record but the hashes themselves. */
export type HashedRecord = Omit<AuditRecordTable, 'previous_hash' | 'hash'>;

/** SHA-256 over the previous hash and the record, hex. The order of the fields is part of the format. */
export function auditHash(previousHash: string, record: HashedRecord): string {
  const fields = [
    previousHash,
    record.tenant_id,
    record.sequence,
    record.at.toISOString(),
    record.actor_kind,
    record.actor_id,
    record.actor_name,
    record.action,
    record.target_kind,
    record.target_id,
    record.outcome,
    record.code,
    record.data,
    record.request_id,
  ];
  return createHash('sha256').update(canonicalJson(fields)).digest('hex');
}

/** JSON with sorted keys: the store keeps objects, not the order in which their keys were written. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value ?? null);
}
