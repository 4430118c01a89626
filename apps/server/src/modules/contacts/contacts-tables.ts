import type { Contact } from '@airdeck/contracts/contacts/schema';
import type { ColumnType } from 'kysely';

export type ContactTable = {
  id: string;
  tenant_id: string;
  name: string;
  email: string;
  phone: string;
  job_title: string;
  kind: Contact['kind'];
  /** 1, 2, 3 … without a gap within the tenant; null outside the escalation. */
  escalation_order: number | null;
  notify: ColumnType<Contact['notify'], string, string>;
  notes: string;
  created_at: Date;
  updated_at: Date;
  /** Of the request that made it, where an Idempotency-Key made its id. */
  request_hash: string | null;
};

export type ContactsTables = { contact: ContactTable };
