import type { CaseActivityKind } from '@airdeck/contracts/cases/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { RunStatus } from '@airdeck/contracts/statuses';
import type { Tx } from '../../storage/schema.ts';

export type StoryEntry = {
  tenant: string;
  caseId: string;
  /** A user's name, or `system` for what nobody did by hand. */
  username: string;
  kind: CaseActivityKind;
  text: string;
  data: JsonObject;
};

/** State of one run that answers a case, as the case shows it. */
export type CaseResponseStatus = {
  tenant: string;
  caseId: string;
  responseName: string;
  responseType: 'action' | 'playbook';
  runId: string;
  status: RunStatus;
  /** Started by a person: shown, but no answer by automation. */
  byHand: boolean;
};

/** What other modules tell a case. Every call runs in the caller's transaction; a case that is gone is left alone. */
export interface CaseStory {
  add(tx: Tx, entry: StoryEntry): Promise<void>;
  /** Adds the run to the case's responses or updates its status; a finished status is never overwritten by an earlier one. */
  setResponseStatus(tx: Tx, response: CaseResponseStatus): Promise<void>;
  /** Notes the first time automation contained the threat; later calls keep the earliest time. */
  automatedResponseSucceeded(tx: Tx, response: { tenant: string; caseId: string; at: Date }): Promise<void>;
}
