import type { AuditAction } from '@airdeck/contracts/audit/actions';
import type { Contact, ContactChange, ContactInput } from '@airdeck/contracts/contacts/schema';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { AppError } from '../../http/app-error.ts';
import type { KeyedCreation } from '../../http/keyed-creation.ts';
import { overtaken } from '../../http/overtaken.ts';
import { laterThan } from '../../later-than.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { ChangedBy } from '../tenants/tenants-port.ts';
import {
  type ContactFields,
  type ContactRow,
  countContacts,
  deleteContact,
  findContact,
  insertContact,
  listContacts,
  lockContacts,
  shiftPlaces,
  updateContact,
} from './contacts-repository.ts';

/** The last place the contract can name; a longer list could not be sent back. */
const LAST_PLACE = 999;

/**
 * Places of the escalation run 1, 2, 3 … without a gap. Whoever takes a place that is taken moves the others down; a
 * place beyond the end is the end; whoever leaves closes the gap. All of it in the caller's transaction.
 */
export type ContactsService = {
  list(tx: Tx, scope: TenantScope, q: string | undefined): Promise<Contact[]>;
  /**
   * The same request again, by its key, finds what it made. Throws IDEMPOTENCY_KEY_REUSED, and CONFLICT when there is no
   * room for another one.
   */
  create(tx: Tx, scope: TenantScope, input: ContactInput, by: ChangedBy & { request: KeyedCreation }): Promise<Contact>;
  /** Replaces everything. Throws NOT_FOUND, and CONFLICT when it says it was made from an older state of the contact. */
  update(tx: Tx, scope: TenantScope, change: { id: string; input: ContactChange }, by: ChangedBy): Promise<Contact>;
  /** Throws NOT_FOUND. */
  delete(tx: Tx, scope: TenantScope, id: string, by: ChangedBy): Promise<void>;
};

type Dependencies = { now: () => Date; audit: Pick<AuditLog, 'record'> };

export function createContactsService({ now, audit }: Dependencies): ContactsService {
  const record = (tx: Tx, action: AuditAction, row: ContactRow, by: ChangedBy) =>
    audit.record(tx, {
      tenant: row.tenant_id,
      actor: by.actor,
      action,
      target: { kind: 'contact', id: row.id },
      outcome: 'ok',
      data: { name: row.name, kind: row.kind, escalation_order: row.escalation_order },
      request_id: by.requestId,
    });

  return {
    async list(tx, scope, q) {
      const search = q === '' ? undefined : q;
      return (await listContacts(tx, scope, { q: search, limit: serverLimits.contactsMax })).map(onWire);
    },

    async create(tx, scope, input, by) {
      const { id, hash } = by.request;
      await lockContacts(tx, scope);
      const known = hash === null ? undefined : await findContact(tx, scope, id);
      if (known !== undefined && known.request_hash !== hash) throw new AppError('IDEMPOTENCY_KEY_REUSED');
      if (known !== undefined) return onWire(known);
      const { all } = await countContacts(tx, scope);
      if (all >= serverLimits.contactsMax) {
        throw new AppError('CONFLICT', refusal('CONTACTS_TOO_MANY', { maximum: serverLimits.contactsMax }));
      }
      const place = await makeRoom(tx, scope, input.escalation_order);
      const made = { id, at: now(), request_hash: hash };
      const row = await insertContact(tx, scope, { ...fieldsOf(input), escalation_order: place, ...made });
      await record(tx, 'contact.create', row, by);
      return onWire(row);
    },

    async update(tx, scope, { id, input }, by) {
      await lockContacts(tx, scope);
      const before = await find(tx, scope, id);
      if (input.updated_at !== undefined && before.updated_at.getTime() !== Date.parse(input.updated_at)) {
        throw overtaken('body.updated_at', {
          message: 'Somebody else changed this contact in the meantime. Load it again and look before you save.',
        });
      }
      if (before.escalation_order !== null) {
        await updateContact(tx, scope, { id, set: { escalation_order: null } });
        await shiftPlaces(tx, scope, { from: before.escalation_order, by: -1 });
      }
      const place = await makeRoom(tx, scope, input.escalation_order);
      const set = { ...fieldsOf(input), escalation_order: place, updated_at: laterThan(before.updated_at, now()) };
      const row = await updateContact(tx, scope, { id, set });
      await record(tx, 'contact.update', row, by);
      return onWire(row);
    },

    async delete(tx, scope, id, by) {
      await lockContacts(tx, scope);
      const row = await find(tx, scope, id);
      await deleteContact(tx, scope, id);
      if (row.escalation_order !== null) await shiftPlaces(tx, scope, { from: row.escalation_order, by: -1 });
      await record(tx, 'contact.delete', row, by);
    },
  };
}

/** Returns the place that is free now. */
async function makeRoom(tx: Tx, scope: TenantScope, wanted: number | null): Promise<number | null> {
  if (wanted === null) return null;
  const { escalation } = await countContacts(tx, scope);
  if (escalation >= LAST_PLACE) {
    throw new AppError('CONFLICT', refusal('ESCALATION_FULL', { maximum: LAST_PLACE }));
  }
  const place = Math.min(wanted, escalation + 1);
  await shiftPlaces(tx, scope, { from: place, by: 1 });
  return place;
}

async function find(tx: Tx, scope: TenantScope, id: string): Promise<ContactRow> {
  const row = await findContact(tx, scope, id);
  if (row === undefined) throw new AppError('NOT_FOUND', { message: 'This contact does not exist.' });
  return row;
}

function fieldsOf(input: ContactInput): Omit<ContactFields, 'escalation_order'> {
  const { name, email, phone, job_title: jobTitle, kind, notify, notes } = input;
  const { case_severities: severities, channels } = notify;
  return {
    name,
    email,
    phone,
    job_title: jobTitle,
    kind,
    notify: JSON.stringify({ case_severities: [...new Set(severities)], channels: [...new Set(channels)] }),
    notes,
  };
}

function onWire(row: ContactRow): Contact {
  const { tenant_id: tenant, created_at: created, updated_at: updated, request_hash: _request, ...rest } = row;
  return { ...rest, tenant, created_at: created.toISOString(), updated_at: updated.toISOString() };
}
