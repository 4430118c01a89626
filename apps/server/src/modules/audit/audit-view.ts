import type { AuditRecord } from '@airdeck/contracts/audit/schema';
import type { AuditRecordTable } from './audit-tables.ts';

export function auditOnTheWire(row: AuditRecordTable): AuditRecord {
  return {
    sequence: row.sequence,
    at: row.at.toISOString(),
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    action: row.action,
    target: { kind: row.target_kind, id: row.target_id },
    outcome: row.outcome === 'refused' ? 'refused' : 'ok',
    code: row.code,
    data: row.data,
    request_id: row.request_id,
    hash: row.hash,
  };
}
