import type { Tx } from '../../storage/schema.ts';

export type Change = {
  readonly tenant: string;
  readonly kind: 'case' | 'run' | 'notification' | 'connector' | 'onboarding';
  readonly id: string;
  readonly status?: string;
};

/** Says that something changed, so that open screens refresh at once. */
export interface Changes {
  /** Goes out when the transaction commits and never when it rolls back; equal ones of a transaction go out once. */
  announce(tx: Tx, change: Change): Promise<void>;
  announceAll(tx: Tx, changes: readonly Change[]): Promise<void>;
}
