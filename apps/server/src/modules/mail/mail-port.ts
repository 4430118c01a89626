import type { Tx } from '../../storage/schema.ts';

export type NewMail = {
  /** One plain address. */
  readonly to: string;
  /** One line; what is more than that becomes a blank. */
  readonly subject: string;
  /** Plain text. Links on lines of their own, to our own address only. */
  readonly text: string;
  /** A second mail with the same key is the same mail and is dropped. */
  readonly key?: string;
};

export interface Mail {
  /**
   * Queues the mail in the caller's system transaction: it goes out when, and only if, that commits. Without a mail
   * server it stays in the outbox. Throws VALIDATION_FAILED for what is not one plain address.
   */
  queue(tx: Tx, mail: NewMail): Promise<void>;
}
