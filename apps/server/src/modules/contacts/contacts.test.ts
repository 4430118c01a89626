import type { Contact } from '@airdeck/contracts/contacts/schema';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';

let server: TestServer;
let tenant: string;
let admin: Actor;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server?.close());
beforeEach(async () => {
  tenant = await server.createTenant();
  admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
});

const url = (id = '') => `/api/tenants/${tenant}/contacts${id && `/${id}`}`;
const person = (name: string, more: object = {}) => ({ name, email: 'person@example.com', kind: 'technical', ...more });

function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object, who = admin) {
  return server.inject({ method, url: path, headers: who.headers, ...(payload && { payload }) });
}

async function add(name: string, place: number | null = null): Promise<Contact> {
  const answer = await call('POST', url(), person(name, { escalation_order: place }));
  expect(answer.statusCode).toBe(201);
  return answer.json();
}

/** As somebody does it who sees the contact as given. */
function change(seen: Contact, parts: object) {
  return call('PUT', url(seen.id), person(seen.name, { updated_at: seen.updated_at, ...parts }));
}

async function order(): Promise<string[]> {
  const contacts = (await call('GET', url())).json<Contact[]>();
  return contacts.map(({ name, escalation_order: place }) => `${name} ${place ?? '-'}`);
}

describe('contacts', () => {
  it('come in escalation order first and by name after that', async () => {
    await add('Zoe');
    await add('adam');
    await add('Second', 1);
    await add('First', 1);
    expect(await order()).toEqual(['First 1', 'Second 2', 'adam -', 'Zoe -']);
  });

  it('keep places without a gap when somebody moves, leaves the escalation or is deleted', async () => {
    const [a, b, c] = [await add('A', 1), await add('B', 2), await add('C', 900)];
    expect(await order()).toEqual(['A 1', 'B 2', 'C 3']);
    await change(c, { escalation_order: 1 });
    expect(await order()).toEqual(['C 1', 'A 2', 'B 3']);
    await change(a, { escalation_order: null });
    expect(await order()).toEqual(['C 1', 'B 2', 'A -']);
    expect((await call('DELETE', url(c.id))).statusCode).toBe(204);
    expect(await order()).toEqual(['B 1', 'A -']);
    expect((await call('DELETE', url(c.id))).json()).toMatchObject({ code: 'NOT_FOUND' });
    expect(b.escalation_order).toBe(2);
  });

  it('hold unique places when twenty people take the first one at once', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => add(`P${index}`, 1)));
    const places = (await call('GET', url())).json<Contact[]>().map((contact) => contact.escalation_order);
    expect(places).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  it('changed by somebody else in the meantime are not written over, and the refusal says so', async () => {
    const seen = await add('Ann', 1);
    const first = await change(seen, { name: 'Ann Lee', phone: '+1 555 0100' });
    expect(first.statusCode).toBe(200);
    const second = await change(seen, { notes: 'Away in May' });
    expect(second.statusCode).toBe(409);
    expect(second.json()).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('Somebody else changed'),
      details: [{ path: 'body.updated_at', reason: 'FIELD_DIFFERENT_NOW' }],
    });
    const [kept] = (await call('GET', url())).json<Contact[]>();
    expect(kept).toMatchObject({ name: 'Ann Lee', phone: '+1 555 0100', notes: '' });
    expect((await change(first.json(), { notes: 'Away in May' })).json()).toMatchObject({ notes: 'Away in May' });
  });

  it('take no change made from what is no time', async () => {
    const { id } = await add('Ann');
    for (const updated_at of [null, '', 'now', 0]) {
      const answer = await call('PUT', url(id), person('Blind', { updated_at }));
      expect(answer.json()).toMatchObject({ code: 'VALIDATION_FAILED' });
    }
    expect(await order()).toEqual(['Ann -']);
  });

  it('are the last one’s who writes without saying what it was made from', async () => {
    const seen = await add('Ann', 1);
    await change(seen, { name: 'Ann Lee' });
    const answer = await call('PUT', url(seen.id), person('Ann Ng'));
    expect(answer.statusCode).toBe(200);
    expect(await order()).toEqual(['Ann Ng -']);
  });

  it('can be sent back as they were read, and stay what and whose they are', async () => {
    const seen = await add('Ann', 1);
    const { updated_at: _time, ...same } = (
      await call('PUT', url(seen.id), { ...seen, notes: 'Read' })
    ).json<Contact>();
    const { updated_at: _before, ...rest } = seen;
    expect(same).toEqual({ ...rest, notes: 'Read' });
    const again = await call('PUT', url(seen.id), { ...rest, created_at: '2020-01-01T00:00:00.000Z' });
    expect(again.json()).toMatchObject({ id: seen.id, tenant, created_at: seen.created_at });
  });

  it('are not written over by a contact of another tenant, or by another one, sent to their address', async () => {
    const seen = await add('Ann', 1);
    const other = await server.createTenant();
    const both = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin', [other]: 'Admin' } });
    const theirs = (await call('POST', `/api/tenants/${other}/contacts`, person('Theirs'), both)).json<Contact>();
    const { updated_at: _seen, ...foreign } = theirs;
    const { updated_at: _time, ...own } = seen;
    const sent = (body: object) => call('PUT', url(seen.id), body, both);
    expect((await sent(foreign)).json()).toMatchObject({ code: 'TENANT_MISMATCH' });
    expect((await sent({ ...own, id: theirs.id })).json()).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'body.id' }],
    });
    expect((await call('GET', url())).json()).toEqual([seen]);
  });

  it('let one of twenty through who change the same one at once', async () => {
    const seen = await add('Ann');
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => change(seen, { name: `Ann ${index}` })));
    const written = answers.filter(({ statusCode }) => statusCode === 200);
    expect(written).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(19);
    expect(await order()).toEqual([`${written[0]?.json<Contact>().name} -`]);
  });

  it('are found by any part of what is written about them, taken literally', async () => {
    await call('POST', url(), person('Ann', { job_title: '100% on call' }));
    await add('Bob');
    const found = async (q: string) =>
      (await call('GET', `${url()}?q=${encodeURIComponent(q)}`)).json<Contact[]>().map((contact) => contact.name);
    expect(await found('100%')).toEqual(['Ann']);
    expect(await found('ANN')).toEqual(['Ann']);
    expect(await found('%')).toEqual(['Ann']);
    expect(await found('b_b')).toEqual([]);
    expect(await found("' or 1=1--")).toEqual([]);
    expect(await found('a\0b\\')).toEqual([]);
  });

  it('of another tenant are not found, and nothing of it changes', async () => {
    const contact = await add('Mine', 1);
    const other = await server.createTenant();
    const stranger = await server.createActor({ home: other, roles: { [other]: 'Admin' } });
    const foreign = `/api/tenants/${other}/contacts/${contact.id}`;
    const unknown = `/api/tenants/${other}/contacts/${v7()}`;
    for (const method of ['PUT', 'DELETE'] as const) {
      const body = method === 'PUT' ? person('Taken', { updated_at: contact.updated_at }) : undefined;
      const { request_id: _one, ...answer } = (await call(method, foreign, body, stranger)).json();
      const { request_id: _two, ...same } = (await call(method, unknown, body, stranger)).json();
      expect(answer).toEqual(same);
      expect(answer).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect((await call('GET', `/api/tenants/${other}/contacts`, undefined, stranger)).json()).toEqual([]);
    expect(await order()).toEqual(['Mine 1']);
  });

  it('take no field the caller may not set, and no parameter that would widen the list', async () => {
    const other = await server.createTenant();
    for (const extra of [
      { tenant: other },
      { id: v7() },
      { created_at: new Date().toISOString() },
      { role: 'Admin' },
    ]) {
      expect((await call('POST', url(), person('X', extra))).json()).toMatchObject({ code: 'VALIDATION_FAILED' });
    }
    for (const query of [`tenant=${other}`, 'scope=all', 'show_all=true', 'user=*']) {
      expect((await call('GET', `${url()}?${query}`)).statusCode).toBe(400);
    }
    expect(await order()).toEqual([]);
  });

  it.each([
    'a@b@example.com',
    'x\r\nbcc: y@example.com',
    '"quoted part"@example.com',
    `${'x'.repeat(10_000)}@example.com`,
    'аdmin@example.com',
  ])('refuse the address %s', async (email) => {
    expect((await call('POST', url(), person('X', { email }))).json()).toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('keep what a database cannot hold in a form it can', async () => {
    const answer = await call('POST', url(), person('a\0b', { notes: 'half \ud800 pair' }));
    expect(answer.json()).toMatchObject({ name: 'a\ufffdb', notes: 'half \ufffd pair' });
  });

  it('are at most as many as the limit says, also when the last place is wanted by many', async () => {
    const rows = Array.from({ length: serverLimits.contactsMax - 1 }, (_, index) => ({
      ...{ id: v7(), tenant_id: tenant, name: `C${index}`, email: 'c@example.com', phone: '', job_title: '' },
      ...{
        kind: 'billing' as const,
        escalation_order: null,
        notes: '',
        created_at: new Date(),
        updated_at: new Date(),
      },
      notify: '{"case_severities":[],"channels":[]}',
    }));
    await server.stores.database.tenant(tenant, (tx) => tx.insertInto('contact').values(rows).execute());
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('POST', url(), person('Last'))));
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, 409, 409, 409, 409]);
    expect((await call('GET', url())).json<Contact[]>()).toHaveLength(serverLimits.contactsMax);
  });

  it('leave one audit record per change', async () => {
    const contact = await add('A', 1);
    const { id } = contact;
    await change(contact, { name: 'A2' });
    // Overtaken: nothing was changed, so nothing is recorded.
    await change(contact, { name: 'A3' });
    await call('DELETE', url(id));
    await call('DELETE', url(id));
    const records = await server.stores.database.tenant(tenant, (tx) =>
      tx.selectFrom('audit_record').select('action').where('target_id', '=', id).orderBy('sequence').execute(),
    );
    expect(records.map((record) => record.action)).toEqual(['contact.create', 'contact.update', 'contact.delete']);
  });
});
