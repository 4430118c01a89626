import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../sso/issuer-fixture.ts';
import { callConfirmed, listUsers, usersOf } from '../users/users-fixture.ts';
import type { Join } from './social-fixture.ts';
import { byGroup, createSsoWorkplaces, inVeryMany, type SsoWorkplaces } from './sso-workplaces-fixture.ts';
import { createBrowser } from './test-browser.ts';

let sso: SsoWorkplaces;
let issuers: SsoWorkplaces['issuers'];
let server: SsoWorkplaces['server'];
let social: SsoWorkplaces['social'];
let workplace: SsoWorkplaces['workplace'];
let rolesOf: SsoWorkplaces['rolesOf'];
let invite: SsoWorkplaces['invite'];
let auditOf: SsoWorkplaces['auditOf'];
let sql: SsoWorkplaces['sql'];

beforeAll(async () => {
  sso = await createSsoWorkplaces();
  ({ issuers, server, social, workplace, rolesOf, invite, auditOf, sql } = sso);
});
afterAll(() => sso?.close());

describe('joining by signing in', () => {
  it('makes a member of whoever has a verified address of the domain, once', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const person = place.employee();
    const first = await rolesOf(place, person);
    expect(first).toMatchObject({ step: 'signed_in', roles: { [place.tenant]: 'ReadOnly' } });
    expect(await rolesOf(place, person)).toMatchObject({ roles: { [place.tenant]: 'ReadOnly' } });
    expect(await auditOf(place.tenant, 'user.create')).toHaveLength(2);
    expect((await auditOf(place.tenant, 'membership.set')).at(-1)).toMatchObject({
      actor_name: 'Single sign-on "Issuer one"',
      data: { role: 'ReadOnly' },
    });
  });

  it.each([
    ['pt-BR,pt;q=0.9,en;q=0.5', 'pt-BR'],
    ['en-CA', 'en-CA'],
    ['de', 'en-US'],
  ])('of a browser that asks for %s makes an account that reads %s', async (languages, locale) => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const browser = createBrowser(server, { languages });
    const done = await social.signIn({ connection: place.connection.id, person: place.employee() }, browser);
    expect((await social.me(done.browser)).user.locale).toBe(locale);
  });

  it('makes one member of twenty first sign-ins at once', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const person = place.employee();
    const browsers = [];
    for (let n = 0; n < 20; n++) {
      const browser = social.browser();
      await social.callback(browser, await issuers.authorize(await social.start(browser, place.connection.id), person));
      browsers.push(browser);
    }
    const results = await Promise.all(browsers.map((browser) => social.result(browser)));
    expect(results.map(({ step }) => step)).toEqual(Array(20).fill('signed_in'));
    const { rows } = await sql('select user_id from membership where tenant_id = $1', [place.tenant]);
    expect(rows).toHaveLength(2);
  });

  it('gives the highest mapped role', async () => {
    const place = await workplace(byGroup);
    const person = place.employee({ groups: ['soc', 'leads', 'other'] });
    expect(await rolesOf(place, person)).toMatchObject({ roles: { [place.tenant]: 'SystemManager' } });
  });

  it.each<[string, Join, Partial<Person>, string]>([
    ['joining is off', { enabled: false, default_role: 'Admin' }, {}, 'UNKNOWN'],
    [
      'the address is not verified',
      { enabled: true, default_role: 'ReadOnly' },
      { email_verified: false },
      'EMAIL_UNVERIFIED',
    ],
    [
      'there is no address',
      { ...byGroup },
      { groups: ['soc'], email: 'no address', email_verified: true },
      'EMAIL_UNVERIFIED',
    ],
    [
      'the domain is another',
      { enabled: true, default_role: 'ReadOnly' },
      { email: 'eve@t1.example.evil.example' },
      'NOT_A_MEMBER',
    ],
    ['no group is mapped', byGroup, { groups: ['SOC', 'soc '] }, 'NOT_A_MEMBER'],
    [
      'only a group speaks for it, and the address is of a domain the tenant has not proved',
      byGroup,
      { email: 'victim@elsewhere.example', groups: ['owners'] },
      'NOT_A_MEMBER',
    ],
  ])('does not happen when %s', async (_name, join, given, reason) => {
    const place = await workplace(join);
    const done = await social.signIn({ connection: place.connection.id, person: place.employee(given) });
    expect(done).toMatchObject({ step: 'no_account', reason });
    expect(await done.browser.token()).toBeNull();
    expect((await auditOf(place.tenant, 'session.sign_in')).at(-1)).toMatchObject({
      outcome: 'refused',
      data: { reason },
    });
  });

  it('says so when groups decide and the issuer does not name them', async () => {
    const place = await workplace(byGroup);
    const person = inVeryMany(place.employee());
    expect(await rolesOf(place, person)).toMatchObject({ step: 'failed', reason: 'GROUPS_MISSING' });
    expect((await auditOf(place.tenant, 'session.sign_in')).at(-1)).toMatchObject({
      outcome: 'refused',
      data: { reason: 'GROUPS_MISSING' },
    });
  });

  it('does not happen for a domain that is named but not proved, and leaves members as they are', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const person = place.employee();
    expect(await rolesOf(place, person)).toMatchObject({ step: 'signed_in' });
    await sql('update sso_domain set proved_at = null where tenant_id = $1', [place.tenant]);
    expect(await rolesOf(place, place.employee())).toMatchObject({ step: 'no_account', reason: 'NOT_A_MEMBER' });
    expect(await rolesOf(place, person)).toMatchObject({ roles: { [place.tenant]: 'ReadOnly' } });
  });

  it('never leads into an account that has the address already (same address, second issuer)', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const person = place.employee();
    await rolesOf(place, person);
    const second = await social.connect(place.admin, {
      tenant: place.tenant,
      name: 'two',
      domains: [place.domain],
      join: { enabled: true, default_role: 'Admin' },
    });
    // Even under the same subject: it is another issuer's.
    for (const email_verified of [true, false]) {
      const done = await social.signIn({ connection: second.id, person: { ...person, email_verified } });
      expect(done.step).toBe('no_account');
      expect(await done.browser.token()).toBeNull();
    }
    const local = await social.signIn({ connection: second.id, person: place.employee({ email: place.admin.email }) });
    expect(local.step).toBe('no_account');
  });

  it('withdraws the open invitation of that tenant to the address, and leaves those of others and to others', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const [person, colleague] = [place.employee(), place.employee()];
    const elsewhere = await workplace();
    // Later ones first: which is theirs is not decided by when it was sent.
    const theirs = await invite(elsewhere, String(person.email));
    await invite(place, String(colleague.email));
    const { rows: ticket } = await invite(place, String(person.email));
    const { browser } = await rolesOf(place, person);
    const { id } = (await social.me(browser)).user;
    expect(await auditOf(place.tenant, 'invitation.revoke')).toMatchObject([
      { actor_name: 'Single sign-on "Issuer one"', outcome: 'ok', data: { email: person.email } },
    ]);
    const accept = async (given: string) =>
      await server.inject({
        ...{ method: 'POST', url: '/signup/invite', payload: { ticket: given } },
        headers: { authorization: `Bearer ${await browser.token()}` },
      });
    // It would have made an Analyst of them.
    expect((await accept(ticket)).json()).toMatchObject({ code: 'TICKET_INVALID' });
    expect((await social.me(browser)).tenant_roles).toEqual({ [place.tenant]: 'ReadOnly' });

    const removal = usersOf(place.tenant).remove(String(person.email));
    expect((await callConfirmed(server, place.admin, removal)).status).toBe(204);
    const listed = await listUsers(server, place.admin, place.tenant);
    expect(listed.map(({ uname }) => uname)).toEqual(expect.arrayContaining([colleague.email]));
    expect(listed.map(({ uname }) => uname)).not.toContain(person.email);
    const { token } = await server.composition.identity.users.openSession(id);
    const again = { method: 'POST', url: '/signup/invite', headers: { authorization: `Bearer ${token}` } } as const;
    expect((await server.inject({ ...again, payload: { ticket } })).json()).toMatchObject({ code: 'TICKET_INVALID' });
    expect((await server.inject({ ...again, payload: { ticket: theirs.rows } })).statusCode).toBe(200);
  });

  it('and the ticket used at the same moment make one account together', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    for (let round = 0; round < 5; round++) {
      const person = place.employee();
      const { rows: ticket } = await invite(place, String(person.email));
      const other = { ...person, subject: `${person.subject}-other` };
      const ways = [
        { person, purpose: { for: 'sign_in' } },
        { person: other, purpose: { for: 'invitation', ticket } },
      ];
      const browsers = [];
      for (const way of ways) {
        const browser = social.browser();
        const url = await social.start(browser, place.connection.id, way.purpose);
        await social.callback(browser, await issuers.authorize(url, way.person));
        browsers.push(browser);
      }
      const results = await Promise.all(browsers.map((browser) => social.result(browser)));
      expect(results.filter(({ step }) => step === 'signed_in')).toHaveLength(1);
      expect(results.find(({ step }) => step !== 'signed_in')?.reason).toMatch(/^(EMAIL_TAKEN|TICKET_INVALID)$/);
    }
  });

  it('leaves an invitation as it is when nobody joins', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const person = place.employee();
    const { rows: ticket } = await invite(place, String(person.email));
    // An account was made with the ticket, and nobody has accepted yet.
    const begun = await social.browser().post('/auth/sign-up/ticket', {
      ...{ ticket, fullname: 'Robin', password: 'violet harbour 1987 kettle' },
    });
    expect(begun.statusCode).toBe(200);
    expect(await rolesOf(place, person)).toMatchObject({ step: 'no_account', reason: 'EMAIL_TAKEN' });
    expect((await social.browser().post('/auth/ticket', { ticket })).statusCode).toBe(200);
    expect(await auditOf(place.tenant, 'invitation.revoke')).toEqual([]);
  });

  it('leaves the address unproved, which only that tenant’s issuer vouched for', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const person = place.employee();
    await rolesOf(place, person);
    const { rows } = await sql('select "emailVerified" from identity."user" where "email" = $1', [person.email]);
    expect(rows).toEqual([{ emailVerified: false }]);
  });
});
