import { type Contact, contactChannels, contactKinds } from '@airdeck/contracts/contacts/schema';
import { caseSeverities } from '@airdeck/contracts/statuses';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ContactFields,
  contactBodyOf,
  contactProblemsOf,
  emptyContact,
  fieldsOf,
  isSameContact,
} from '../../apps/dashboard/src/features/settings/contacts/contact-fields.ts';
import { contactMutations, contactQueries } from '../../apps/dashboard/src/queries/contacts.ts';
import { type JoinedProduct, joinProduct } from './joined-product.ts';

let product: JoinedProduct;

beforeAll(async () => {
  product = await joinProduct('Admin');
});
afterAll(() => product?.close());

async function read(id: string): Promise<Contact> {
  const { queryClient, tenantApi } = product;
  const list = await queryClient.fetchQuery({ ...contactQueries.list(tenantApi), staleTime: 0 });
  const contact = list.find((each) => each.id === id);
  if (contact === undefined) throw new Error('Not in the list.');
  return contact;
}

async function change({ id, updated_at }: Contact, fields: ContactFields): Promise<Contact> {
  const { queryClient, tenantApi } = product;
  const body = { ...contactBodyOf(fields), updated_at };
  const saving = contactMutations.update(tenantApi, queryClient);
  return await queryClient.getMutationCache().build(queryClient, saving).execute({ id, body });
}

async function kept(fields: ContactFields): Promise<void> {
  const { queryClient, tenantApi, intent } = product;
  expect(contactProblemsOf(fields)).toEqual({});
  const creating = contactMutations.create(tenantApi, queryClient, intent);
  const made = await queryClient.getMutationCache().build(queryClient, creating).execute(contactBodyOf(fields));
  const contact = await read(made.id);
  const opened = fieldsOf(contact);
  expect(isSameContact(opened, fields)).toBe(true);
  expect(contactProblemsOf(opened)).toEqual({});
  const again = await change(contact, opened);
  expect(fieldsOf(again)).toEqual(opened);
  const other = { ...opened, name: 'Changed', notes: 'Changed.', place: undefined, severities: [], channels: [] };
  expect(fieldsOf(await change(again, other))).toEqual(other);
}

describe.each(contactKinds)('a contact of kind %s', (kind) => {
  const begun = { ...emptyContact, kind, name: 'Ana Souza', email: 'ana@example.com' };

  test('with required fields only is kept', () => kept(begun));

  test('with everything is kept', () =>
    kept({
      ...begun,
      ...{ phone: ' +55 (11) 5555-0100 ', job_title: ' Head of security ', place: 1, notes: 'First line.\nSecond.' },
      ...{ severities: caseSeverities, channels: contactChannels },
    }));
});

test.each(contactChannels.flatMap((channel) => caseSeverities.map((severity) => [channel, severity] as const)))(
  'somebody told by %s of cases that are %s is kept',
  (channel, severity) =>
    kept({
      ...emptyContact,
      ...{ name: 'Ana Souza', email: 'ana@example.com', phone: '+55 11 5555 0100' },
      ...{ channels: [channel], severities: [severity] },
    }),
);

test('whoever moves up in the escalation has the place the list shows', async () => {
  const { queryClient, tenantApi, intent } = product;
  const creating = contactMutations.create(tenantApi, queryClient, intent);
  for (const name of ['One', 'Two', 'Three']) {
    const fields = { ...emptyContact, name, email: 'ana@example.com', kind: 'escalation' as const, place: 999 };
    await queryClient.getMutationCache().build(queryClient, creating).execute(contactBodyOf(fields));
  }
  const options = { ...contactQueries.list(tenantApi), staleTime: 0 };
  const before = (await queryClient.fetchQuery(options)).filter((each) => each.escalation_order !== null);
  const last = before.at(-1);
  if (last === undefined) throw new Error('Nobody is in the escalation.');
  const after = [last, ...before.slice(0, -1)].map((each, index) => ({ ...each, escalation_order: index + 1 }));
  const moving = contactMutations.move(tenantApi.api, queryClient);
  const move = { tenantId: tenantApi.tenantId, contact: last, place: 1, after };
  await queryClient.getMutationCache().build(queryClient, moving).execute(move);
  const now = (await queryClient.fetchQuery(options)).filter((each) => each.escalation_order !== null);
  expect(now.map(({ name, escalation_order }) => [name, escalation_order])).toEqual(
    after.map(({ name, escalation_order }) => [name, escalation_order]),
  );
});
