export type AuditRecordTable = {
  tenant_id: string;
  /** 1, 2, 3 … without a gap; the order of a chain, whatever the clocks said. */
  sequence: number;
  at: Date;
  actor_kind: string;
  actor_id: string | null;
  actor_name: string;
  action: string;
  target_kind: string;
  target_id: string | null;
  outcome: string;
  code: string | null;
  data: unknown;
  request_id: string | null;
  previous_hash: string;
  hash: string;
};

/** Head of each chain: what the next record links to. */
export type AuditChainTable = { tenant_id: string; sequence: number; hash: string };

export type AuditTables = { audit_record: AuditRecordTable; audit_chain: AuditChainTable };
