import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../sso/issuer-fixture.ts';
import { byGroup, createSsoWorkplaces, inVeryMany, type SsoWorkplaces } from './sso-workplaces-fixture.ts';

let sso: SsoWorkplaces;
let server: SsoWorkplaces['server'];
let social: SsoWorkplaces['social'];
let workplace: SsoWorkplaces['workplace'];
let rolesOf: SsoWorkplaces['rolesOf'];
let invite: SsoWorkplaces['invite'];
let auditOf: SsoWorkplaces['auditOf'];
let sql: SsoWorkplaces['sql'];

beforeAll(async () => {
  sso = await createSsoWorkplaces();
  ({ server, social, workplace, rolesOf, invite, auditOf, sql } = sso);
});
afterAll(() => sso?.close());

describe('groups at later sign-ins', () => {
  it('raise, lower and end the membership', async () => {
    const place = await workplace(byGroup);
    const person = place.employee({ groups: ['soc'] });
    await rolesOf(place, person);
    expect(await rolesOf(place, { ...person, groups: ['owners'] })).toMatchObject({
      roles: { [place.tenant]: 'Admin' },
    });
    expect(await rolesOf(place, { ...person, groups: ['soc'] })).toMatchObject({
      roles: { [place.tenant]: 'Analyst' },
    });
    expect(await rolesOf(place, { ...person, groups: [] })).toMatchObject({
      step: 'no_account',
      reason: 'NOT_A_MEMBER',
    });
    expect(await auditOf(place.tenant, 'membership.remove')).toHaveLength(1);
    // Nor do they come back by themselves: somebody has to let them in.
    expect(await rolesOf(place, { ...person, groups: ['owners'] })).toMatchObject({ step: 'no_account' });
  });

  it('are followed also by somebody who comes with a colleague’s invitation', async () => {
    const place = await workplace(byGroup);
    const person = place.employee({ groups: ['soc'] });
    await rolesOf(place, person);
    const { rows: ticket } = await invite(place, String(place.employee().email));
    const purpose = { for: 'invitation', ticket };
    const without = { ...person, groups: [] };
    const done = await social.signIn({ connection: place.connection.id, person: without, purpose });
    expect(done).toMatchObject({ step: 'no_account', reason: 'NOT_A_MEMBER' });
    expect(await auditOf(place.tenant, 'membership.remove')).toHaveLength(1);
  });

  it.each<[string, (person: Person) => Person, string]>([
    ['groups that are more than fit', inVeryMany, 'GROUPS_MISSING'],
    ['groups in a shape nobody knows', (person) => ({ ...person, groups: [{ id: 'soc' }] }), 'GROUPS_MISSING'],
    ['the address', ({ email: _left, ...rest }) => rest, 'EMAIL_UNVERIFIED'],
    ['whether the address is theirs', ({ email_verified: _left, ...rest }) => rest, 'EMAIL_UNVERIFIED'],
    ['that the address is not theirs', (person) => ({ ...person, email_verified: false }), 'EMAIL_UNVERIFIED'],
  ])('are refused, and take nothing away, when the issuer leaves out or says %s', async (_name, change, reason) => {
    const place = await workplace(byGroup);
    const person = place.employee({ groups: ['soc'] });
    const { browser } = await rolesOf(place, person);
    const { tenant } = place;
    const role = { tenant_roles: { [tenant]: 'Analyst' } };
    expect(await rolesOf(place, change(person))).toMatchObject({ step: 'failed', reason });
    expect((await auditOf(tenant, 'session.sign_in')).at(-1)).toMatchObject({
      outcome: 'refused',
      data: { reason, email: change(person).email ?? null },
    });
    expect(await auditOf(tenant, 'membership.remove')).toEqual([]);
    expect(await social.me(browser)).toMatchObject(role);
    expect(await rolesOf(place, person)).toMatchObject({ step: 'signed_in', roles: role.tenant_roles });
  });

  it('that are not told let in whoever the rest of the rule gives the role they have', async () => {
    const place = await workplace({ ...byGroup, default_role: 'ReadOnly' });
    const person = place.employee();
    const untold = inVeryMany(person);
    expect(await rolesOf(place, untold)).toMatchObject({ roles: { [place.tenant]: 'ReadOnly' } });
    expect(await rolesOf(place, untold)).toMatchObject({ roles: { [place.tenant]: 'ReadOnly' } });
    expect(await rolesOf(place, { ...person, groups: ['soc'] })).toMatchObject({
      roles: { [place.tenant]: 'Analyst' },
    });
    expect(await rolesOf(place, untold)).toMatchObject({ step: 'failed', reason: 'GROUPS_MISSING' });
    expect(await rolesOf(place, { ...person, groups: [] })).toMatchObject({ roles: { [place.tenant]: 'ReadOnly' } });
  });

  it('take a membership also where an issuer says of nobody in none that there are none', async () => {
    const place = await workplace(byGroup);
    const person = place.employee({ groups: ['soc'] });
    await rolesOf(place, person);
    const { groups: _left, ...inNone } = person;
    expect(await rolesOf(place, inNone)).toMatchObject({ step: 'no_account', reason: 'NOT_A_MEMBER' });
    expect(await auditOf(place.tenant, 'membership.remove')).toHaveLength(1);
  });

  it('are not asked for where no group is mapped', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const person = place.employee();
    await rolesOf(place, person);
    expect(await rolesOf(place, person)).toMatchObject({ roles: { [place.tenant]: 'ReadOnly' } });
  });

  it('count however many there are', async () => {
    const place = await workplace(byGroup);
    const many = Array.from({ length: 600 }, (_, n) => `group-${n}`);
    const person = place.employee({ groups: [...many, 'soc'] });
    expect(await rolesOf(place, person)).toMatchObject({ roles: { [place.tenant]: 'Analyst' } });
    expect(await rolesOf(place, person)).toMatchObject({ roles: { [place.tenant]: 'Analyst' } });
  });

  it('end keys, assignments and every other session with the membership', async () => {
    const place = await workplace(byGroup);
    const person = place.employee({ groups: ['soc'] });
    const { browser } = await rolesOf(place, person);
    const { id, email } = (await social.me(browser)).user;
    const key = await server.createApiKey({ ...place.admin, id, email }, { tenant: place.tenant, role: 'Analyst' });
    const cases = `/api/tenants/${place.tenant}/case`;
    const payload = { alert_name: 'Guessing', assignee: email };
    const { headers } = place.admin;
    const made = (await server.inject({ method: 'POST', url: cases, headers, payload })).json<{ id: string }>();
    const assignee = async () =>
      (await server.inject({ url: `${cases}/${made.id}`, headers })).json<{ assignee: string | null }>().assignee;
    const withKey = async () =>
      (await server.inject({ url: cases, headers: { authorization: `Bearer ${key}` } })).statusCode;
    expect([await assignee(), await withKey()]).toEqual([email, 200]);

    expect(await rolesOf(place, { ...person, groups: [] })).toMatchObject({ step: 'no_account' });
    expect(await browser.token()).toBeNull();
    expect([await assignee(), await withKey()]).toEqual([null, 401]);
    expect(await auditOf(place.tenant, 'api_key.revoke')).toMatchObject([
      { actor_name: 'Single sign-on "Issuer one"', outcome: 'ok' },
    ]);
    const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
    await server.stores.database.system((tx) =>
      server.composition.tenants.addMembership(tx, { tenant: place.tenant, user: id, role: 'Analyst' }, by),
    );
    expect(await withKey()).toBe(401);
  });

  it('do not touch what an Admin decided', async () => {
    const place = await workplace(byGroup);
    const person = place.employee({ groups: ['soc'] });
    const first = await rolesOf(place, person);
    const { id } = (await social.me(first.browser)).user;
    const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
    await server.stores.database.system((tx) =>
      server.composition.tenants.addMembership(tx, { tenant: place.tenant, user: id, role: 'ReadOnly' }, by),
    );
    expect(await rolesOf(place, { ...person, groups: ['owners'] })).toMatchObject({
      roles: { [place.tenant]: 'ReadOnly' },
    });
  });

  it('leave the last Admin', async () => {
    const place = await workplace(byGroup);
    const person = place.employee({ groups: ['owners'] });
    await rolesOf(place, person);
    await sql(`update membership set role = 'ReadOnly' where tenant_id = $1 and user_id = $2`, [
      place.tenant,
      place.admin.id,
    ]);
    expect(await rolesOf(place, { ...person, groups: ['soc'] })).toMatchObject({ roles: { [place.tenant]: 'Admin' } });
    expect(await rolesOf(place, { ...person, groups: [] })).toMatchObject({ roles: { [place.tenant]: 'Admin' } });
    // Who alone could put it right is let in.
    expect(await rolesOf(place, inVeryMany(person))).toMatchObject({ roles: { [place.tenant]: 'Admin' } });
  });

  it('leave the last Admin of its own to a tenant that has one of its provider', async () => {
    const place = await workplace(byGroup);
    const person = place.employee({ groups: ['owners'] });
    await rolesOf(place, person);
    await sql(`update membership set source = 'provider' where tenant_id = $1 and user_id = $2`, [
      place.tenant,
      place.admin.id,
    ]);
    expect(await rolesOf(place, { ...person, groups: ['soc'] })).toMatchObject({ roles: { [place.tenant]: 'Admin' } });
    expect(await rolesOf(place, { ...person, groups: [] })).toMatchObject({ roles: { [place.tenant]: 'Admin' } });
  });
});
