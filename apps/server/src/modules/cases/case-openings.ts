import type { StoredEvent } from '@airdeck/contracts/events/event';
import type { PolicyOrigin } from '@airdeck/contracts/policies/origin-schema';
import type { CaseSeverity } from '@airdeck/contracts/statuses';
import type { Tx } from '../../storage/schema.ts';

export type CaseGroup = { tenant: string; policyId: string; groupKey: string };

/** In place of a group: of the one case that collects what a policy finds while it opens too many. No group has this key. */
export const COLLECTED_GROUP = 'collected';

export type OpenCase = CaseGroup & { caseId: string; reference: string };

export type CaseOpening = CaseGroup & {
  groupValues: Record<string, string>;
  policyName: string;
  description: string;
  /** Of a policy that was written elsewhere. */
  policyOrigin: PolicyOrigin | undefined;
  severity: CaseSeverity;
  /** Event type the policy watches, or that of the first event: what cases are sorted by as category. */
  category: string;
  /** First matching event. */
  openedAt: Date;
  /** Says in plain words why the case opened. */
  text: string;
};

export type CaseAddition = { tenant: string; caseId: string; events: readonly StoredEvent[] };

/** What detection asks of cases, in system transactions. */
export interface CaseOpenings {
  /** Cases of the groups that are not closed, locked until the transaction ends, so that none is closed meanwhile. */
  findOpen(tx: Tx, groups: readonly CaseGroup[]): Promise<OpenCase[]>;
  /** Opens a case; undefined when the group has an open one by now (a person reopened it). */
  open(tx: Tx, opening: CaseOpening): Promise<OpenCase | undefined>;
  /**
   * Adds events the cases do not have yet; the cases are locked by `findOpen` or new. Events of an opening (`initial`)
   * get no story entry; later ones share one entry until something else happens to the case.
   */
  addEvents(tx: Tx, additions: readonly CaseAddition[], options: { initial: boolean }): Promise<void>;
}
