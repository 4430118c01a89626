import type { Tx } from '../../storage/schema.ts';

export type Change = {
  readonly tenant: string;
  readonly kind: 'case' | 'run' | 'notification' | 'connector' | 'onboarding';
  readonly id: string;
  readonly status?: string;
};

/** Hears every change once it has committed, in whichever process. */
export interface ChangeFeed {
  /**
   * `deaf` is called the moment changes cannot be heard any more, `hears` when they can again: some may have been missed.
   * Resolves when listening, with what ends that.
   */
  listen(listener: { changed(change: Change): void; hears(): void; deaf(): void }): Promise<() => Promise<void>>;
}

/** Says that something changed, so that open screens refresh at once. */
export interface Changes {
  /** Goes out when the transaction commits and never when it rolls back; equal ones of a transaction go out once. */
  announce(tx: Tx, change: Change): Promise<void>;
  announceAll(tx: Tx, changes: readonly Change[]): Promise<void>;
}

/** For work that is done apart from any screen: tells nobody and hears nothing. */
export const silentFeed: ChangeFeed = { listen: async () => async () => undefined };
