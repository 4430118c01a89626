import type { Contact, contactChannels, contactKinds } from '@airdeck/contracts/contacts/schema';
import type { CaseSeverity } from '@airdeck/contracts/statuses';
import { severityLooks } from '../../../components/status-table.ts';
import { t } from '../../../language/translate.ts';
import { isEmailAddress } from '../../../lib/email-address.ts';
import type { FieldWords } from '../../../lib/rebased-fields.ts';
import type { ContactBody } from '../../../queries/contacts.ts';

export type ContactKind = (typeof contactKinds)[number];
export type ContactChannel = (typeof contactChannels)[number];

/** The form as it stands. */
export type ContactFields = {
  name: string;
  email: string;
  phone: string;
  job_title: string;
  kind: ContactKind;
  /** Undefined outside the escalation. */
  place: number | undefined;
  severities: readonly CaseSeverity[];
  channels: readonly ContactChannel[];
  notes: string;
};

export type ContactProblems = { [K in keyof ContactFields]?: string };

export const kindWords: Readonly<Record<ContactKind, string>> = {
  primary: t('Primary'),
  technical: t('Technical'),
  billing: t('Billing'),
  escalation: t('Escalation'),
};

export const channelWords: Readonly<Record<ContactChannel, string>> = {
  email: t('E-mail'),
  sms: t('Text message'),
  webhook: t('Webhook'),
};

export const emptyContact: ContactFields = {
  name: '',
  email: '',
  phone: '',
  job_title: '',
  kind: 'technical',
  place: undefined,
  severities: [],
  channels: [],
  notes: '',
};

export function fieldsOf(contact: Contact): ContactFields {
  const { name, email, phone, job_title, kind, escalation_order, notify, notes } = contact;
  return {
    name,
    email,
    phone,
    job_title,
    kind,
    place: escalation_order ?? undefined,
    severities: notify.case_severities,
    channels: notify.channels,
    notes,
  };
}

export function contactWords(fields: ContactFields): FieldWords {
  const { place, severities, channels } = fields;
  return {
    [t('Name')]: fields.name,
    [t('E-mail address')]: fields.email,
    [t('Phone')]: fields.phone,
    [t('Job title')]: fields.job_title,
    [t('Kind')]: kindWords[fields.kind],
    [t('Place in the escalation')]: place === undefined ? t('Not in the escalation') : String(place),
    [t('Wants to know of cases')]: severities
      .map((each) => severityLooks[each].word)
      .toSorted()
      .join(', '),
    [t('By')]: channels
      .map((each) => channelWords[each])
      .toSorted()
      .join(', '),
    [t('Notes')]: fields.notes,
  };
}

export function contactBodyOf({ place, severities, channels, ...fields }: ContactFields): ContactBody {
  return {
    ...fields,
    name: fields.name.trim(),
    email: fields.email.trim(),
    escalation_order: place ?? null,
    notify: { case_severities: [...severities], channels: [...channels] },
  };
}

/** Whether saving would change anything; the order in which boxes were ticked says nothing. */
export function isSameContact(one: ContactFields, other: ContactFields): boolean {
  return canonical(one) === canonical(other);
}

function canonical(fields: ContactFields): string {
  const { name, email, phone, job_title, kind, place, severities, channels, notes } = fields;
  const lists = [severities.toSorted(), channels.toSorted()];
  return JSON.stringify([name.trim(), email.trim(), phone.trim(), job_title.trim(), kind, place ?? 0, lists, notes]);
}

/** What stands in the way of saving; the server judges again. */
export function contactProblemsOf({ name, email, phone, severities, channels }: ContactFields): ContactProblems {
  const problems: ContactProblems = {};
  if (name.trim() === '') problems.name = t('Enter a name.');
  if (email.trim() === '') problems.email = t('Enter an e-mail address.');
  else if (!isEmailAddress(email.trim())) problems.email = t('Enter a whole e-mail address, such as ana@example.com.');
  if (!/^\+?[0-9 ().-]*$/.test(phone.trim())) problems.phone = t('Digits, spaces and + ( ) - only.');
  else if (channels.includes('sms') && phone.trim() === '') problems.phone = t('Text messages need a phone number.');
  if (severities.length > 0 && channels.length === 0) problems.channels = t('Choose at least one way to tell them.');
  if (channels.length > 0 && severities.length === 0) problems.severities = t('Choose at least one severity.');
  return problems;
}

const fieldByPath: Readonly<Record<string, keyof ContactFields>> = {
  escalation_order: 'place',
  'notify.case_severities': 'severities',
  'notify.channels': 'channels',
};

/** Problems the server named, by field. */
export function refusedFields(details: readonly { path: string; message: string }[]): ContactProblems {
  const problems: ContactProblems = {};
  for (const { path, message } of details) {
    const name = path.replace(/^body\./, '');
    const field = Object.hasOwn(fieldByPath, name) ? fieldByPath[name] : name;
    if (field !== undefined && Object.hasOwn(emptyContact, field)) problems[field as keyof ContactFields] ??= message;
  }
  return problems;
}

/** Address of a link that writes to them; everything but the at-sign is encoded, or it could carry a subject and text. */
export function mailLink(email: string): string {
  return `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;
}

export function phoneLink(phone: string): string {
  return `tel:${phone.replace(/[^+\d]/g, '')}`;
}
