import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { routeTable } from '@airdeck/contracts/route-table';
import { exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { type ClerkFixture, createClerkFixture, invitationJson, userJson } from './clerk-fixture.ts';

const PUBLIC_URL = 'https://air.example.com';
const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;

let clerk: ClerkFixture;
let server: TestServer;
let created = 0;

beforeAll(async () => {
  clerk = await createClerkFixture();
  server = await createTestServer({ env: { ...clerk.env, PUBLIC_URL } });
});

afterAll(async () => {
  await server?.close();
  await clerk?.close();
});

beforeEach(() => {
  clerk.failures.length = 0;
});

/** A user of ours who signs in through Clerk. */
async function member(options: { mfa?: boolean; password?: boolean; external?: boolean } = {}) {
  const subject = `user_${++created}`;
  const email = `clerk${created}@example.com`;
  clerk.putUser({ id: subject, email, ...options });
  const tenant = await server.createTenant();
  const { tenants } = server.composition;
  const id = await server.stores.database.system(async (tx) => {
    const identity = { issuer: clerk.issuer, subject };
    const user = { uname: email, fullname: 'Pat Doe', email, homeTenant: tenant, identity };
    const made = await tenants.createUser(tx, user, by);
    await tenants.addMembership(tx, { tenant, user: made, role: 'Admin' }, by);
    return made;
  });
  return { subject, email, tenant, id };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const me = async (token: string) => await server.inject({ url: '/me', headers: bearer(token) });
const tenantCall = async (tenant: string, token: string) =>
  await server.inject({ url: `/api/tenants/${tenant}`, headers: bearer(token) });

/** Waits for what happens in the background. */
async function told(what: () => boolean): Promise<void> {
  await expect.poll(what).toBe(true);
}

describe('session tokens of Clerk', () => {
  it('open what the user may see, by issuer and subject', async () => {
    const { subject, tenant, id, email } = await member();
    const token = await clerk.token(subject, { azp: PUBLIC_URL });
    expect((await me(token)).json()).toMatchObject({ user: { id, email, mfa_enabled: true } });
    expect((await tenantCall(tenant, token)).statusCode).toBe(200);
  });

  it.each<[string, (subject: string) => Promise<string>]>([
    ['that has expired', (subject) => clerk.token(subject, { exp: Math.floor(Date.now() / 1000) - 10 })],
    ['that is not valid yet', (subject) => clerk.token(subject, { nbf: Math.floor(Date.now() / 1000) + 60 })],
    ['made for the page of somebody else', (subject) => clerk.token(subject, { azp: 'https://evil.example' })],
    [
      'made for a page that only begins like ours',
      (subject) => clerk.token(subject, { azp: `${PUBLIC_URL}.evil.example` }),
    ],
    ['of a session with open tasks', (subject) => clerk.token(subject, { sts: 'pending' })],
    [
      'of no session (a template for another service)',
      (subject) => clerk.token(subject, { sid: undefined } as unknown as JWTPayload),
    ],
    ['of another instance', (subject) => clerk.token(subject, { iss: 'https://clerk.evil.example' })],
    ['with an unknown key', (subject) => clerk.token(subject, {}, { kid: 'ins_other' })],
    [
      'signed with another key under the key id of the instance',
      async (subject) => {
        const foreign = await generateKeyPair('RS256');
        const iat = Math.floor(Date.now() / 1000);
        return new SignJWT({ iss: clerk.issuer, sub: subject, sid: 'sess_1', fva: [0, 0], iat, exp: iat + 60 })
          .setProtectedHeader({ alg: 'RS256', kid: clerk.publicJwk.kid })
          .sign(foreign.privateKey);
      },
    ],
    [
      'signed with the public key as a shared secret (HS256)',
      async (subject) => {
        const pem = await exportSPKI(clerk.publicKey);
        const iat = Math.floor(Date.now() / 1000);
        return new SignJWT({ iss: clerk.issuer, sub: subject, sid: 'sess_1', fva: [0, 0], iat, exp: iat + 60 })
          .setProtectedHeader({ alg: 'HS256', kid: clerk.publicJwk.kid })
          .sign(Buffer.from(pem));
      },
    ],
    [
      'without a signature (alg none)',
      async (subject) =>
        new UnsecuredJWT({ iss: clerk.issuer, sub: subject, sid: 'sess_1', fva: [0, 0] })
          .setIssuedAt()
          .setExpirationTime('1m')
          .encode(),
    ],
  ])('do not count when there is one %s', async (_why, make) => {
    const { subject } = await member();
    const answer = await me(await make(subject));
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ code: 'TOKEN_INVALID' });
  });

  it('need a second factor, given now or set up at Clerk; one external way in stands for it', async () => {
    const without = { fva: [3, -1] };
    const bare = await member({ mfa: false });
    const refused = await tenantCall(bare.tenant, await clerk.token(bare.subject, without));
    expect(refused.json()).toMatchObject({ code: 'MFA_REQUIRED' });
    expect((await me(await clerk.token(bare.subject, without))).json()).toMatchObject({
      user: { mfa_enabled: false, social: false },
    });
    for (const options of [{ mfa: true }, { mfa: false, password: false, external: true }]) {
      const strong = await member(options);
      expect((await tenantCall(strong.tenant, await clerk.token(strong.subject, without))).statusCode).toBe(200);
    }
    // A password besides the other account would be a way around that account's own second factor.
    const both = await member({ mfa: false, password: true, external: true });
    expect((await tenantCall(both.tenant, await clerk.token(both.subject, without))).statusCode).toBe(403);
  });

  it('say nothing where Clerk cannot be asked whether a second factor is set up', async () => {
    const { subject, tenant } = await member();
    clerk.failures.push({ method: 'GET', status: 500 });
    const answer = await tenantCall(tenant, await clerk.token(subject, { fva: [3, -1] }));
    expect(answer.statusCode).toBe(503);
  });

  it('are the only way in: the calls of the built-in provider are not there', async () => {
    const answers = await Promise.all([
      server.inject({ method: 'POST', url: '/auth/sign-in/email', payload: { email: 'a@example.com', password: 'x' } }),
      server.inject({ method: 'POST', url: '/auth/forgot-password', payload: { email: 'a@example.com' } }),
      server.inject({ url: '/auth/token' }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
  });
});

describe('invitations through Clerk', () => {
  async function invited(role: 'Analyst' | 'ReadOnly' = 'Analyst') {
    const tenant = await server.createTenant();
    const email = `invited${++created}@example.com`;
    const { invitations } = server.composition;
    const send = () =>
      server.stores.database.system((tx) => invitations.invite(tx, { tenant, email, fullname: 'Kim Lee', role, by }));
    const { id } = await send();
    const ofAddress = () => [...clerk.invitations.values()].filter((entry) => entry.email_address === email);
    await told(() => ofAddress().length === 1);
    return { tenant, email, id, send, ofAddress };
  }

  const accept = async (subject: string, ticket = 'clerk.ticket.used') =>
    await server.inject({
      method: 'POST',
      url: '/signup/invite',
      headers: bearer(await clerk.token(subject)),
      payload: { ticket },
    });

  it('are mailed by Clerk, with our own page as their end', async () => {
    const { tenant, email, id, ofAddress } = await invited();
    expect(ofAddress()[0]?.request).toEqual({
      email_address: email,
      public_metadata: { invitation_id: id, tenant, role: 'Analyst' },
      redirect_url: `${PUBLIC_URL}/signup/invite`,
      notify: true,
      ignore_existing: true,
      expires_in_days: 7,
    });
  });

  it('make a user once, tell Clerk its id, and are used up', async () => {
    const { tenant, email, id } = await invited();
    const subject = `user_${++created}`;
    clerk.putUser({ id: subject, email, fullname: 'Kim Lee', metadata: { invitation_id: id } });
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(subject)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(answers.find(({ statusCode }) => statusCode === 200)?.json()).toMatchObject({ tenant, role: 'Analyst' });
    const { user } = (await me(await clerk.token(subject))).json<{ user: { id: string } }>();
    await told(() => clerk.users.get(subject)?.external_id === user.id);
    expect((await accept(subject)).json()).toMatchObject({ code: 'TICKET_INVALID' });
  });

  it('are for the verified address only, whatever the account names', async () => {
    const { id, email } = await invited();
    const other = `user_${++created}`;
    clerk.putUser({ id: other, email: `other${created}@example.com`, metadata: { invitation_id: id } });
    expect((await accept(other)).statusCode).toBe(400);
    const unverified = `user_${++created}`;
    clerk.putUser({ id: unverified, email, verified: false, metadata: { invitation_id: id } });
    expect((await accept(unverified)).statusCode).toBe(400);
  });

  it('join an account that was there before, whose metadata Clerk left alone', async () => {
    const { subject, email } = await member();
    const tenant = await server.createTenant();
    const { invitations } = server.composition;
    await server.stores.database.system((tx) =>
      invitations.invite(tx, { tenant, email, fullname: 'Pat Doe', role: 'ReadOnly', by }),
    );
    await told(() => [...clerk.invitations.values()].some((entry) => entry.email_address === email));
    expect((await accept(subject)).json()).toMatchObject({ tenant, role: 'ReadOnly' });
  });

  describe('to the address of somebody from before, who has another account at Clerk by now,', () => {
    type Before = { isDeleted: boolean; isMember: boolean };

    /** Answers of the new account, and what the user from before is then. */
    async function comesBack({ isDeleted, isMember }: Before) {
      const before = await member();
      const { database } = server.stores;
      const { tenants, invitations } = server.composition;
      if (isDeleted) {
        const notice = clerk.notice({ type: 'user.deleted', data: { id: before.subject, deleted: true } });
        const url = '/external_providers/clerk/webhook';
        expect((await server.inject({ method: 'POST', url, ...notice })).statusCode).toBe(204);
      }
      if (!isMember) {
        await database.system((tx) => tenants.removeMembership(tx, { tenant: before.tenant, user: before.id }, by));
      }
      const tenant = isMember ? await server.createTenant() : before.tenant;
      const invitation = { tenant, email: before.email, fullname: 'Pat Doe', role: 'Analyst', by } as const;
      await database.system((tx) => invitations.invite(tx, invitation));
      await told(() => [...clerk.invitations.values()].some((entry) => entry.email_address === before.email));
      const subject = `user_${++created}`;
      clerk.putUser({ id: subject, email: before.email });
      const answer = await accept(subject);
      const user = await database.system((tx) => tenants.findUser(tx, before.id));
      return { answer: answer.json<{ code?: string }>(), tenant, subject, before, user };
    }

    it('make a new user, where nobody can sign in as the one from before', async () => {
      const { answer, tenant, subject, before, user } = await comesBack({ isDeleted: true, isMember: false });
      expect(answer).toMatchObject({ tenant, role: 'Analyst' });
      const own = (await me(await clerk.token(subject))).json<{ user: { id: string; email: string } }>();
      expect(own.user.email).toBe(before.email);
      expect(own.user.id).not.toBe(before.id);
      expect(user).toMatchObject({ status: 'disabled', fullname: 'Deleted user' });
      const { audit } = server.composition;
      const verdict = server.stores.database.system((tx) => audit.verify(tx, trustedTenantScope(tenant)));
      expect(await verdict).toMatchObject({ intact: true });
    });

    it.each<[string, Before]>([
      ['who was only removed here', { isDeleted: false, isMember: false }],
      ['who is a member elsewhere', { isDeleted: true, isMember: true }],
    ])('leave somebody alone %s', async (_name, of) => {
      const { answer, before, user } = await comesBack(of);
      expect(answer).toMatchObject({ code: 'TICKET_FOR_ANOTHER' });
      expect(user).toMatchObject({ email: before.email, identity_subject: before.subject });
    });
  });

  it('replace the one before at Clerk, too', async () => {
    const { send, ofAddress } = await invited();
    await send();
    await told(() => ofAddress().length === 2);
    expect(ofAddress().map(({ status }) => status)).toEqual(['revoked', 'pending']);
  });

  it('wait as long as Clerk asks for and are not lost', async () => {
    clerk.failures.push({ method: 'POST', status: 429, headers: { 'retry-after': '1' } });
    const { ofAddress } = await invited();
    expect(ofAddress()).toHaveLength(1);
  }, 20_000);

  it('are withdrawn at Clerk, too, and count no more here', async () => {
    const { email, id, ofAddress } = await invited();
    await server.stores.database.system((tx) =>
      tx.updateTable('invitation').set({ state: 'revoked' }).where('id', '=', id).execute(),
    );
    await told(() => ofAddress()[0]?.status === 'revoked');
    const subject = `user_${++created}`;
    clerk.putUser({ id: subject, email, metadata: { invitation_id: id } });
    expect((await accept(subject)).json()).toMatchObject({ code: 'TICKET_INVALID' });
  });

  it('take the set-up ticket of the installation, which Clerk does not know', async () => {
    const subject = `user_${++created}`;
    clerk.putUser({ id: subject, email: `nobody${created}@example.com` });
    expect((await accept(subject, 'a-ticket-of-ours')).json()).toMatchObject({ code: 'TICKET_INVALID' });
  });
});

describe('accounts at Clerk', () => {
  it('go when their user deletes the own account, and only when that is committed', async () => {
    const { subject, id } = await member();
    const { database } = server.stores;
    await expect(
      database.system(async (tx) => {
        await server.composition.clerk?.removeSignIn(tx, id);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await server.composition.clerk?.sync.runDue();
    expect(clerk.users.has(subject)).toBe(true);
    await database.system(async (tx) => await server.composition.clerk?.removeSignIn(tx, id));
    await told(() => !clerk.users.has(subject));
  });

  it('keep their passwords: an Admin cannot reset one', async () => {
    const other = await member();
    const { path, method } = routeTable['users.reset-password'];
    const own = await server.inject({
      method,
      url: `${path.replace('{tenant}', other.tenant)}?username=${encodeURIComponent(other.email)}`,
      headers: bearer(await clerk.token(other.subject)),
    });
    expect([own.statusCode, own.json<{ code: string }>().code]).toEqual([409, 'CONFLICT']);
  });
});

describe('notices of Clerk', () => {
  const post = async ({ headers, payload }: { headers: Record<string, string>; payload: string }) =>
    await server.inject({ method: 'POST', url: '/external_providers/clerk/webhook', headers, payload });

  const updated = (user: Parameters<typeof userJson>[0]) => ({ type: 'user.updated', data: userJson(user) });

  async function addressOf(id: string) {
    const user = await server.stores.database.system((tx) => server.composition.tenants.findUser(tx, id));
    return user?.email;
  }

  it('change name and address, once, newest last, in whatever order they come', async () => {
    const { subject, id } = await member();
    const [older, newer] = [`older${created}@example.com`, `newer${created}@example.com`];
    const late = clerk.notice(updated({ id: subject, email: older, updatedAt: 1_800_000_000_000 }));
    const first = clerk.notice(updated({ id: subject, email: newer, updatedAt: 1_800_000_000_001 }));
    expect((await post(first)).statusCode).toBe(204);
    expect((await post(late)).statusCode).toBe(204);
    expect(await addressOf(id)).toBe(newer);
    // The same message again, with something else in between.
    const third = clerk.notice(updated({ id: subject, email: older, updatedAt: 1_800_000_000_002 }));
    expect((await post(third)).statusCode).toBe(204);
    expect((await post(first)).statusCode).toBe(204);
    expect(await addressOf(id)).toBe(older);
  });

  it('leave an address alone that is not verified or belongs to somebody else here', async () => {
    const [one, two] = [await member(), await member()];
    await post(clerk.notice(updated({ id: one.subject, email: two.email, updatedAt: 1_800_000_000_000 })));
    await post(
      clerk.notice(
        updated({ id: one.subject, email: 'new@example.com', verified: false, updatedAt: 1_800_000_000_001 }),
      ),
    );
    expect(await addressOf(one.id)).toBe(one.email);
  });

  it('end the access of a deleted user at once, whatever comes later', async () => {
    const { subject, id, tenant } = await member();
    const token = await clerk.token(subject);
    expect((await tenantCall(tenant, token)).statusCode).toBe(200);
    expect((await post(clerk.notice({ type: 'user.deleted', data: { id: subject, deleted: true } }))).statusCode).toBe(
      204,
    );
    expect((await tenantCall(tenant, token)).json()).toMatchObject({ code: 'USER_DISABLED' });
    await post(
      clerk.notice(updated({ id: subject, email: `back${created}@example.com`, updatedAt: 1_900_000_000_000 })),
    );
    expect((await tenantCall(tenant, token)).json()).toMatchObject({ code: 'USER_DISABLED' });
    expect(await addressOf(id)).not.toContain('back');
  });

  it('tell when somebody last signed in, in whatever order they come, and never a time to come', async () => {
    const { subject, tenant } = await member();
    const token = await clerk.token(subject);
    const signIn = (created_at: number, user_id = subject) =>
      post(clerk.notice({ type: 'session.created', data: { id: `sess_${created_at}`, user_id, created_at } }));
    const lastSignIn = async () => {
      const users = await server.inject({ url: `/api/tenants/${tenant}/users`, headers: bearer(token) });
      return users.json<{ last_sign_in_at: string | null }[]>()[0]?.last_sign_in_at;
    };
    expect(await lastSignIn()).toBeNull();
    const [morning, noon] = [Date.now() - 7_200_000, Date.now() - 3_600_000];
    expect((await signIn(noon)).statusCode).toBe(204);
    await signIn(morning);
    await signIn(Date.now(), 'user_of_nobody');
    expect(await lastSignIn()).toBe(new Date(noon).toISOString());
    await signIn(Date.now() + 3_600_000);
    expect(Date.parse((await lastSignIn()) ?? '')).toBeLessThanOrEqual(Date.now());
  });

  it('of kinds we do not use are taken and left alone', async () => {
    expect((await post(clerk.notice({ type: 'session.created', data: { id: 'sess_1' } }))).statusCode).toBe(204);
  });

  it('need one right signature, made within five minutes; several may be there', async () => {
    const notice = { type: 'user.updated', data: {} };
    const good = clerk.notice(notice);
    const wrong = `v1,${Buffer.alloc(32).toString('base64')}`;
    const refused = [
      { ...good, payload: good.payload.replace('updated', 'deleted') },
      { ...good, headers: { ...good.headers, 'svix-signature': wrong } },
      { ...good, headers: { ...good.headers, 'svix-signature': '' } },
      { ...good, headers: { ...good.headers, 'svix-signature': good.headers['svix-signature'].replace('v1,', 'v2,') } },
      { ...good, headers: { ...good.headers, 'svix-id': 'msg_other' } },
      clerk.notice(notice, { at: new Date(Date.now() - 6 * 60_000) }),
      clerk.notice(notice, { at: new Date(Date.now() + 6 * 60_000) }),
    ];
    for (const each of refused) {
      const answer = await post(each);
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([401, 'TOKEN_INVALID']);
    }
    const several = clerk.notice({ type: 'other', data: null });
    several.headers['svix-signature'] = `${wrong} v1a,x ${several.headers['svix-signature']}`;
    expect((await post(several)).statusCode).toBe(204);
  });

  it('of another shape are refused and may come again', async () => {
    const broken = clerk.notice({ type: 'user.updated', data: { id: 1 } }, { id: 'msg_broken' });
    expect((await post(broken)).statusCode).toBe(400);
    expect((await post(broken)).statusCode).toBe(400);
  });
});

const data = process.env.AIRDECK_SHARED_DATA ?? resolve(import.meta.dirname, '../../../../../../shared/data');
const published = resolve(data, 'specs/clerk_backend.json');
const isThere = existsSync(published);

describe.skipIf(!isThere)(`the stand-in${isThere ? '' : ' (AIRDECK_SHARED_DATA not found)'}`, () => {
  type Described = { required: string[]; properties: Record<string, { enum?: unknown[] }> };
  const schemas = () =>
    (JSON.parse(readFileSync(published, 'utf8')) as { components: { schemas: Record<string, Described> } }).components
      .schemas;

  it('answers with everything the published description requires, and nothing it does not list', () => {
    const samples: [string, Record<string, unknown>][] = [
      ['User', userJson({ id: 'user_x', email: 'x@example.com' })],
      ['Invitation', invitationJson('inv_x', { email_address: 'x@example.com' })],
    ];
    for (const [name, sample] of samples) {
      const described = schemas()[name];
      expect(Object.keys(sample)).toEqual(expect.arrayContaining(described?.required ?? ['?']));
      for (const [key, value] of Object.entries(sample)) {
        expect(described?.properties, `${name}.${key}`).toHaveProperty(key);
        const values = described?.properties[key]?.enum;
        if (values !== undefined) expect(values).toContain(value);
      }
    }
  });
});
