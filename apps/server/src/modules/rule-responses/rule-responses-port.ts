import type { StoredEvent } from '@airdeck/contracts/events/event';
import type { JsonObject } from '@airdeck/contracts/fields';
import { outcomeTexts } from '@airdeck/contracts/outcome-texts';
import type { ClockTrigger, ResponseOutcome } from '@airdeck/contracts/rule-responses/schema';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { RunTrigger } from '../activity/run-trigger.ts';

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

/** What answers the clock of a case; in the transaction that tells of it, so once. */
export interface ClockResponses {
  onCaseTime(tx: Tx, opened: OpenedCase, trigger: ClockTrigger): Promise<void>;
}

/** What answers a case that a policy just opened. Runs start in the transaction that opens the case, or not at all. */
export interface RuleResponses {
  onCaseOpened(tx: Tx, opened: OpenedCase): Promise<void>;
}

/** What became of a response that was asked to start. */
export type ResponseResult = { outcome: ResponseOutcome; runId: string | null; problem: string | null };

/** A response with what it reads and how its run is known. */
export type ResponseStart = {
  response: {
    response_type: 'action' | 'playbook';
    definition_id: string;
    inputs: JsonObject;
    conditions: string | null;
  };
  /** What its expressions read. */
  context: JsonObject;
  trigger: RunTrigger;
  /** At most one run per key. */
  dedupKey: string;
  /** Asked when everything else lets it start. */
  mayStart: () => Promise<boolean>;
};

/** Starts what answers something by itself, in the caller's transaction. What cannot start is told, not thrown. */
export type StartResponse = (tx: Tx, scope: TenantScope, start: ResponseStart) => Promise<ResponseResult>;

/** What a response comes to while the tenant's automation is switched off. */
export const switchedOff: ResponseResult = {
  outcome: 'failed',
  runId: null,
  problem: outcomeTexts.AUTOMATION_OFF,
};
