/** What happens to people who are signed in already, or are about to be, when the rules of their tenant change. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../sso/issuer-fixture.ts';
import { auditOf, call, usersOf } from '../users/users-fixture.ts';
import { createSsoRequiredFixture, type SsoRequiredFixture } from './sso-required-fixture.ts';
import { codeOf } from './test-browser.ts';

let sso: SsoRequiredFixture;
let server: SsoRequiredFixture['server'];
let social: SsoRequiredFixture['social'];
let workplace: SsoRequiredFixture['workplace'];
let person: SsoRequiredFixture['person'];
let addAdmin: SsoRequiredFixture['addAdmin'];
let setRules: SsoRequiredFixture['setRules'];
let signedIn: SsoRequiredFixture['signedIn'];
let mayCall: SsoRequiredFixture['mayCall'];
let created = 0;

beforeAll(async () => {
  sso = await createSsoRequiredFixture();
  ({ server, social, workplace, person, addAdmin, setRules, signedIn, mayCall } = sso);
});
afterAll(() => sso?.close());

describe('when single sign-on becomes the only way in', () => {
  it('whoever came in another way is signed out, in every way but the break-glass one', async () => {
    const place = await workplace();
    const analyst = await person(place.tenant, 'Analyst');
    const linked = await signedIn(await person(place.tenant, 'Analyst'));
    const elsewhere: Person = { subject: `elsewhere-${++created}`, email: 'e@elsewhere.example', email_verified: true };
    await social.signIn({ connection: 'sso', person: elsewhere, purpose: { for: 'link' } }, linked);
    const browsers = {
      password: await signedIn(analyst),
      installation: (await social.signIn({ connection: 'sso', person: elsewhere })).browser,
      own: (await social.signIn({ connection: place.connection.id, person: place.employee })).browser,
      breakGlass: await signedIn(place.admin),
      otherTenant: await signedIn((await workplace()).admin),
    };
    for (const [name, browser] of Object.entries(browsers)) expect(await browser.token(), name).not.toBeNull();

    expect((await setRules(place, true, [place.admin])).status).toBe(200);
    const stillIn = async (name: keyof typeof browsers) => (await browsers[name].token()) !== null;
    expect(await stillIn('password')).toBe(false);
    expect(await stillIn('installation')).toBe(false);
    expect(await stillIn('own')).toBe(true);
    expect(await stillIn('breakGlass')).toBe(true);
    expect(await stillIn('otherTenant')).toBe(true);
    // Tokens that are out already are worth nothing either.
    await expect.poll(() => mayCall(analyst)).toBe(false);
    expect(await mayCall(place.admin)).toBe(true);
    // Their own token of the fixture, the two of the linked person and that of the installation's issuer.
    expect((await auditOf(server, place.tenant, 'settings.update')).at(-1)).toMatchObject({
      data: { sso_required: { from: false, to: true }, sessions_ended: 5 },
    });
  });

  it('says how many members have no account linked that would let them in', async () => {
    const place = await workplace();
    const linked = await person(place.tenant, 'Analyst');
    const own: Person = { subject: `own-${++created}`, email: linked.email, email_verified: true };
    const link = { connection: place.connection.id, person: own, purpose: { for: 'link' } };
    await social.signIn(link, await signedIn(linked));
    await person(place.tenant, 'Analyst');
    await social.signIn({ connection: place.connection.id, person: place.employee });
    // At home elsewhere, so that these rules are not theirs.
    await addAdmin(place.tenant, (await workplace()).admin);
    const { body } = await setRules(place, true, [place.admin]);
    expect(body).toMatchObject({ sign_in: { sso_required: true, unlinked_members: 1 } });
    const url = `/api/tenants/${place.tenant}/settings`;
    // Also when it is only looked at.
    expect((await call(server, place.admin, { url })).body.sign_in).toMatchObject({ unlinked_members: 1 });
  });

  it('also ends the session of whoever is taken off the list', async () => {
    const place = await workplace();
    const second = await person(place.tenant, 'Admin');
    await setRules(place, true, [place.admin, second]);
    expect(await mayCall(second)).toBe(true);
    await setRules(place, true, [place.admin]);
    await expect.poll(() => mayCall(second)).toBe(false);
  });

  it('a sign-in that was decided before opens nothing after', async () => {
    const place = await workplace();
    const analyst = await person(place.tenant, 'Analyst');
    const linked = await signedIn(analyst);
    const elsewhere: Person = { subject: `elsewhere-${++created}`, email: 'e@elsewhere.example', email_verified: true };
    await social.signIn({ connection: 'sso', person: elsewhere, purpose: { for: 'link' } }, linked);
    await call(server, place.admin, {
      ...{ method: 'PATCH', url: `/api/tenants/${place.tenant}/settings` },
      payload: { mfa: { required_for_social: true } },
    });
    const waiting = await social.signIn({ connection: 'sso', person: elsewhere });
    expect(waiting.step).toBe('second_factor');
    await setRules(place, true, [place.admin]);
    const code = codeOf(analyst.totpSecret ?? '', 1);
    expect((await waiting.browser.post('/auth/two-factor/verify-totp', { code })).json()).toMatchObject({
      code: 'SSO_REQUIRED',
    });
    expect(await waiting.browser.token()).toBeNull();
  });
});

it('an account that is disabled while its second factor is asked for gets no session', async () => {
  const place = await workplace();
  const analyst = await person(place.tenant, 'Analyst');
  const elsewhere: Person = { subject: `elsewhere-${++created}`, email: 'e@elsewhere.example', email_verified: true };
  const purpose = { for: 'link' } as const;
  await social.signIn({ connection: 'sso', person: elsewhere, purpose }, await signedIn(analyst));
  await call(server, place.admin, {
    ...{ method: 'PATCH', url: `/api/tenants/${place.tenant}/settings` },
    payload: { mfa: { required_for_social: true } },
  });
  const waiting = await social.signIn({ connection: 'sso', person: elsewhere });
  expect(waiting.step).toBe('second_factor');
  const { status } = await call(
    server,
    place.admin,
    usersOf(place.tenant).update({ username: analyst.email, status: 'disabled' }),
  );
  expect(status).toBe(200);
  const code = codeOf(analyst.totpSecret ?? '', 1);
  expect((await waiting.browser.post('/auth/two-factor/verify-totp', { code })).json()).toMatchObject({
    code: 'USER_DISABLED',
  });
  expect(await waiting.browser.token()).toBeNull();
});
