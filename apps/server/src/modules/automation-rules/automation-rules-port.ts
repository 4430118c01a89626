import type { StoredEvent } from '@airdeck/contracts/events/event';
import type { Tx } from '../../storage/schema.ts';

/** What answers alerts of a log management by itself. */
export interface AlertAnswers {
  /**
   * Locks the rules that answer alerts among these events, in the system transaction that makes them durable: before
   * anything in it holds the audit chain of a tenant, for which others wait who have such a lock. What it gives back starts
   * what the rules have set up, in the same transaction; an alert that comes again, in whatever delivery, starts nothing a
   * second time.
   */
  onArrived(tx: Tx, events: readonly StoredEvent[]): Promise<() => Promise<void>>;
}
