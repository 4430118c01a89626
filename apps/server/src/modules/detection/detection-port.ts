import type { StoredEvent } from '@airdeck/contracts/events/event';
import type { PolicySource } from '@airdeck/detection/policy-set';
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

/**
 * Enabled policies of a tenant and the version of them all, which every change raises. Without `rules` where the version is
 * still the one that is known.
 */
export type LoadPolicies = (
  tenant: string,
  knownVersion: number | undefined,
) => Promise<{ version: number; rules?: readonly PolicySource[] }>;

/** Of whoever keeps policies in memory. */
export type PolicyKeeper = {
  /** The policies of the tenant may have changed. */
  markStale(tenant: string): void;
  markAllStale(): void;
};
