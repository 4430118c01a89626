import type { StoredEvent } from '@airdeck/contracts/events/event';
import type { Tx } from '../../storage/schema.ts';

export type OpenedCase = {
  tenant: string;
  caseId: string;
  reference: string;
  policyId: string;
  policyName: string;
  severity: string;
  groupValues: Record<string, string>;
  /** First matching event. */
  event: StoredEvent;
};

/** What answers a case that a policy just opened. Runs start in the transaction that opens the case, or not at all. */
export interface RuleResponses {
  onCaseOpened(tx: Tx, opened: OpenedCase): Promise<void>;
}
