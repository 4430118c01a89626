import type { StoredEvent } from '@airdeck/contracts/events/event';
import type { Tx } from '../../storage/schema.ts';

/** One event that fits one policy, with the group it counts for. */
export type PolicyMatch = {
  tenant: string;
  policyId: string;
  /** Canonical text of the group values: equal groups have equal keys. */
  groupKey: string;
  /** By field name of the policy's `group_by`. */
  groupValues: Record<string, string>;
  /** Of a sequence: the steps the event fits, from 0. */
  steps?: readonly number[];
  event: StoredEvent;
};

/** What the ingest path asks of detection. */
export interface Detection {
  /** Which enabled policies of their tenants the events fit. Works on cached policies; gives way to other work. */
  match(events: readonly StoredEvent[]): Promise<PolicyMatch[]>;
  /**
   * Records matches and opens or extends cases, inside the caller's system transaction. Idempotent per policy and event
   * id: the same batch applied again changes nothing. Safe under parallel transactions.
   */
  apply(tx: Tx, matches: readonly PolicyMatch[]): Promise<void>;
}
