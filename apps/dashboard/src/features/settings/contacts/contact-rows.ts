import type { Contact } from '@airdeck/contracts/contacts/schema';
import { plainLetters } from '../../../lib/plain-letters.ts';

export type ContactRow = Contact & {
  tenantName: string;
  /** How many places the escalation of the tenant has. */
  places: number;
};

export type TenantContacts = { tenantId: string; tenantName: string; contacts: readonly Contact[] };

/** Contacts of one or more tenants in one list: escalation order, then name; with several tenants, theirs side by side. */
export function contactRows(tenants: readonly TenantContacts[], q: string | undefined): ContactRow[] {
  return tenants
    .flatMap(({ tenantName, contacts }) => {
      const places = placesOf(contacts);
      return contacts.filter((contact) => matches(contact, q)).map((contact) => ({ ...contact, tenantName, places }));
    })
    .toSorted(
      (a, b) =>
        (a.escalation_order ?? Number.POSITIVE_INFINITY) - (b.escalation_order ?? Number.POSITIVE_INFINITY) ||
        a.name.localeCompare(b.name) ||
        a.tenantName.localeCompare(b.tenantName),
    );
}

export function placesOf(contacts: readonly Contact[]): number {
  return contacts.filter(({ escalation_order }) => escalation_order !== null).length;
}

/** Every word is somewhere in the contact, whatever the case or the accents. */
function matches(contact: Contact, q: string | undefined): boolean {
  const { name, email, phone, job_title, kind, notes } = contact;
  const text = plainLetters([name, email, phone, phone.replace(/\D/g, ''), job_title, kind, notes].join('\n'));
  return plainLetters(q ?? '')
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** What the server makes of a move: the others close up behind and make room. Places beyond the ends are the ends. */
export function movedTo(contacts: readonly Contact[], id: string, wanted: number): Contact[] {
  const order = contacts
    .filter(({ escalation_order }) => escalation_order !== null)
    .toSorted((a, b) => (a.escalation_order ?? 0) - (b.escalation_order ?? 0));
  const moved = order.find((contact) => contact.id === id);
  if (moved === undefined) return [...contacts];
  const others = order.filter((contact) => contact !== moved);
  const place = Math.min(Math.max(wanted, 1), order.length);
  const next = others.toSpliced(place - 1, 0, moved);
  return contacts.map((contact) => {
    const at = next.indexOf(contact);
    return at === -1 || contact.escalation_order === at + 1 ? contact : { ...contact, escalation_order: at + 1 };
  });
}
