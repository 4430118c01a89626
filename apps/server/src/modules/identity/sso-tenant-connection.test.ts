import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSsoWorkplaces, type SsoWorkplaces, type Workplace } from './sso-workplaces-fixture.ts';

let sso: SsoWorkplaces;
let issuers: SsoWorkplaces['issuers'];
let server: SsoWorkplaces['server'];
let social: SsoWorkplaces['social'];
let workplace: SsoWorkplaces['workplace'];
let rolesOf: SsoWorkplaces['rolesOf'];
let invite: SsoWorkplaces['invite'];
let sql: SsoWorkplaces['sql'];

beforeAll(async () => {
  sso = await createSsoWorkplaces();
  ({ issuers, server, social, workplace, rolesOf, invite, sql } = sso);
});
afterAll(() => sso?.close());

function putConnection({ tenant, admin, connection }: Workplace, change: object) {
  const { id, kind, label, issuer, client_id, domains, join, enabled } = connection;
  return server.inject({
    method: 'PUT',
    url: `/api/tenants/${tenant}/settings/sso/${id}`,
    headers: admin.headers,
    payload: { kind, label, issuer, client_id, domains, join, enabled, ...change },
  });
}

async function confirmedDelete({ tenant, admin, connection }: Workplace) {
  const request = {
    method: 'DELETE',
    url: `/api/tenants/${tenant}/settings/sso/${connection.id}`,
    headers: admin.headers,
  } as const;
  expect((await server.inject(request)).statusCode).toBe(449);
  return await server.inject({ ...request, headers: { ...admin.headers, 'x-air-confirm': 'true' } });
}

describe('a connection of a tenant', () => {
  it('is offered to addresses of its domain', async () => {
    const place = await workplace();
    const of = (email: string) => social.browser().get(`/auth/connections?email=${email}`);
    const button = { id: place.connection.id, kind: 'oidc', label: 'Issuer one' };
    expect((await of(`ana@${place.domain.toUpperCase()}`)).json()).toEqual({ connections: [button] });
    expect((await of(`ana@sub.${place.domain}`)).json()).toEqual({ connections: [] });
    await putConnection(place, { enabled: false });
    expect((await of(`ana@${place.domain}`)).json()).toEqual({ connections: [] });
  });

  it('is offered to members to link, whatever the domain of their address, and linked', async () => {
    const place = await workplace();
    const home = await workplace();
    const contractor = await server.createActor({
      home: home.tenant,
      roles: { [place.tenant]: 'Analyst', [home.tenant]: 'Analyst' },
    });
    const browser = social.browser();
    await browser.signIn(contractor);
    const offered = async (at = browser) =>
      (await at.get('/auth/connections')).json<{ connections: { id: string }[] }>().connections.map(({ id }) => id);
    expect(await offered()).toEqual([home.connection.id, place.connection.id]);
    const purpose = { for: 'link', redirect: '/settings/profile' };
    const person = place.employee();
    expect(await social.signIn({ connection: place.connection.id, person, purpose }, browser)).toMatchObject({
      step: 'signed_in',
    });
    const through = await social.signIn({ connection: place.connection.id, person });
    expect((await social.me(through.browser)).user.id).toBe(contractor.id);
    // An address is asked about by whoever wants to sign in with it.
    const asked = await browser.get(`/auth/connections?email=${contractor.email}`);
    expect(asked.json()).toEqual({ connections: [] });

    await putConnection(place, { enabled: false });
    expect(await offered()).toEqual([home.connection.id]);
    await sql('delete from membership where tenant_id = $1 and user_id = $2', [home.tenant, contractor.id]);
    expect(await offered()).toEqual([]);
  });

  it('is not offered to visitors, members of other tenants and people of the provider', async () => {
    const place = await workplace();
    const stranger = (await workplace()).admin;
    const ofProvider = await server.createActor({ home: await server.createTenant() });
    const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
    const { tenant } = place;
    await server.stores.database.system((tx) =>
      server.composition.tenants.addMembership(
        tx,
        { tenant, user: ofProvider.id, role: 'Analyst', source: 'provider' },
        by,
      ),
    );
    for (const actor of [undefined, stranger, ofProvider]) {
      const browser = social.browser();
      if (actor !== undefined) await browser.signIn(actor);
      const { connections } = (await browser.get('/auth/connections')).json<{ connections: { id: string }[] }>();
      expect(connections.map(({ id }) => id)).not.toContain(place.connection.id);
    }
  });

  it('lets nobody in once it is disabled, nor whoever was on the way', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const person = place.employee();
    await rolesOf(place, person);
    const browser = social.browser();
    await social.callback(browser, await issuers.authorize(await social.start(browser, place.connection.id), person));
    await putConnection(place, { enabled: false });
    expect(await social.result(browser)).toMatchObject({ step: 'failed', reason: 'CONNECTION_GONE' });
    const start = await social.browser().post('/auth/external/start', {
      connection: place.connection.id,
      purpose: { for: 'sign_in' },
    });
    expect(start.json()).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('ends the sessions that began with it when it is removed, and only those', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const { browser } = await social.signIn({ connection: place.connection.id, person: place.employee() });
    const admin = social.browser();
    await admin.signIn(place.admin);
    expect(await browser.token()).not.toBeNull();
    expect((await confirmedDelete(place)).statusCode).toBe(204);
    expect(await browser.token()).toBeNull();
    expect(await admin.token()).not.toBeNull();
  });

  it('opens nothing for somebody who is no member any more', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const person = place.employee();
    await rolesOf(place, person);
    await sql('delete from membership where tenant_id = $1 and user_id <> $2', [place.tenant, place.admin.id]);
    expect(await rolesOf(place, person)).toMatchObject({ step: 'no_account', reason: 'NOT_A_MEMBER' });
    const purpose = { for: 'invitation', ticket: 'made up' };
    const done = await social.signIn({ connection: place.connection.id, person, purpose });
    expect(done).toMatchObject({ step: 'no_account', reason: 'NOT_A_MEMBER' });
    // Nor with the ticket of somebody else, whatever address the issuer of the tenant says is theirs.
    const colleague = place.employee();
    const theirs = { for: 'invitation', ticket: (await invite(place, String(colleague.email))).rows };
    for (const { email } of [person, colleague]) {
      const said = { connection: place.connection.id, person: { ...person, ...(email && { email }) }, purpose: theirs };
      expect(await social.signIn(said)).toMatchObject({ step: 'no_account', reason: 'NOT_A_MEMBER' });
    }
    const { rows } = await invite(place, String(person.email));
    const invited = { for: 'invitation', ticket: rows };
    expect((await social.signIn({ connection: place.connection.id, person, purpose: invited })).step).toBe('signed_in');
  });

  it('does not vouch for people of other tenants', async () => {
    const place = await workplace({ enabled: true, default_role: 'Admin' });
    const other = await workplace();
    const browser = social.browser();
    await browser.signIn(other.admin);
    const done = await social.signIn(
      { connection: place.connection.id, person: place.employee(), purpose: { for: 'link' } },
      browser,
    );
    expect(done).toMatchObject({ step: 'failed', reason: 'NOT_A_MEMBER' });
  });

  it('brings an invited person in, for the invited and verified address only', async () => {
    const place = await workplace();
    const person = place.employee();
    const { rows } = await invite(place, String(person.email));
    const purpose = { for: 'invitation', ticket: rows };
    const wrong = await social.signIn({ connection: place.connection.id, person: place.employee(), purpose });
    expect(wrong).toMatchObject({ step: 'failed', reason: 'TICKET_FOR_ANOTHER' });
    const unverified = { ...person, email_verified: false };
    expect(await social.signIn({ connection: place.connection.id, person: unverified, purpose })).toMatchObject({
      step: 'failed',
      reason: 'EMAIL_UNVERIFIED',
    });
    const foreign = await workplace();
    expect(await social.signIn({ connection: foreign.connection.id, person, purpose })).toMatchObject({
      reason: 'CONNECTION_OF_ANOTHER_TENANT',
    });
    const done = await social.signIn({ connection: place.connection.id, person, purpose });
    expect(done).toMatchObject({ step: 'signed_in', purpose });
    const accepted = await server.inject({
      method: 'POST',
      url: '/signup/invite',
      headers: { authorization: `Bearer ${await done.browser.token()}` },
      payload: { ticket: rows },
    });
    expect(accepted.statusCode).toBe(200);
    expect((await social.me(done.browser)).tenant_roles).toEqual({ [place.tenant]: 'Analyst' });
  });
});

describe('an issuer that does not answer', () => {
  it('is a plain failure, at the start and on the way back', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const browser = social.browser();
    const back = await issuers.authorize(await social.start(browser, place.connection.id), place.employee());
    const fresh = await workplace();
    await issuers.stop();
    try {
      await social.callback(browser, back);
      expect(await social.result(browser)).toMatchObject({ step: 'failed', reason: 'ISSUER_UNREACHABLE' });
      const start = await social.browser().post('/auth/external/start', {
        connection: fresh.connection.id,
        purpose: { for: 'sign_in' },
      });
      expect(start.statusCode).toBe(502);
      expect(start.json()).toMatchObject({ code: 'EXTERNAL_FAILED' });
    } finally {
      await issuers.start();
    }
  });
});
