import type { StoredEvent } from '@airdeck/contracts/events/event';
import type { Tx } from '../../storage/schema.ts';

/** What answers alerts of a log management by itself. */
export interface AlertAnswers {
  /**
   * Starts what rules have set up for the alerts among these events, in the system transaction that makes them durable: an
   * alert that comes again, in whatever delivery, starts nothing a second time.
   */
  onArrived(tx: Tx, events: readonly StoredEvent[]): Promise<void>;
}
