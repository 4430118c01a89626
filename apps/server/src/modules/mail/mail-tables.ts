import type { Generated } from 'kysely';

export type MailTable = {
  id: string;
  recipient: string;
  subject: string;
  body: string;
  dedupe_key: string | null;
  created_at: Generated<Date>;
  attempts: Generated<number>;
  /** When it is tried next; null once it was sent or given up. */
  due_at: Date | null;
  sent_at: Date | null;
  failure: string | null;
};

export type MailTables = { mail: MailTable };
