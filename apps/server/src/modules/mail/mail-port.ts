import type { Tx } from '../../storage/schema.ts';
import type { MailReader, Words } from './mail-words.ts';

export type WrittenMail = {
  /** One line; what is more than that becomes a blank. */
  readonly subject: string;
  /** Plain text. Links on lines of their own, to our own address only. */
  readonly text: string;
};

export type NewMail = {
  /** One plain address. */
  readonly to: string;
  /**
   * What is known of somebody without an account, of which the first counts that is there; whoever has one reads their own
   * language, in their zone.
   */
  readonly reader?: MailReader;
  /** Who brought the mail about, by username. */
  readonly sender?: string;
  /** In whose name it is written: the language and zone of its first Admin. */
  readonly tenant?: string;
  readonly write: (words: Words) => WrittenMail;
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
