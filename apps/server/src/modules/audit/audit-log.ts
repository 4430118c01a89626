import type { AuditAction, AuditActorKind, AuditTarget } from '@airdeck/contracts/audit/actions';
import type { ErrorCode } from '@airdeck/contracts/error-codes';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

/** Who did it. `name` is what people read; `id` is null where there is no row to point at. */
export type AuditActor = {
  readonly kind: AuditActorKind;
  readonly id: string | null;
  readonly name: string;
};

export type AuditEntry = {
  /** The chain the record belongs to. */
  readonly tenant: string;
  readonly actor: AuditActor;
  /** `noun.verb`, stable: exports and alerts are written against it. */
  readonly action: AuditAction;
  readonly target: { readonly kind: AuditTarget; readonly id: string | null };
  readonly outcome: 'ok' | 'refused';
  /** Why it was refused. */
  readonly code?: ErrorCode;
  /** Small facts, never a secret; anything JSON can say. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly request_id: string | null;
};

/** The place where a chain stops holding together, as `verify` found it. */
export type AuditBreak = {
  readonly sequence: number;
  readonly reason: 'missing' | 'changed' | 'unlinked' | 'head_mismatch';
};

export type AuditVerdict =
  | { readonly intact: true; readonly records: number; readonly head: string }
  | { readonly intact: false; readonly records: number; readonly broken: AuditBreak };

/**
 * Append-only record of every mutation and refused attempt, one hash chain per tenant.
 * `record` writes inside the caller's transaction: no effect without its record, no record of what was rolled back.
 * It throws when it cannot write, and with it the effect fails (fail closed).
 * It locks the tenant's chain until the transaction ends: call it last, and for several tenants in ascending order.
 */
export interface AuditLog {
  record(tx: Tx, entry: AuditEntry): Promise<void>;
  /** Several at once, in their order, of any number of tenants: two statements per tenant instead of two per record. */
  recordAll(tx: Tx, entries: readonly AuditEntry[]): Promise<void>;
  /** Walks the whole chain of one tenant and recomputes every hash. */
  verify(tx: Tx, scope: TenantScope): Promise<AuditVerdict>;
}
