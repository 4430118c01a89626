import { describe, expect, test } from 'vitest';
import { IdentityError } from './identity-provider.ts';
import { createLocalIdentityAccount } from './local-identity-account.ts';

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });

function setUp(answers: Record<string, unknown>, status = 200) {
  const asked: { call: string; body: unknown }[] = [];
  const seen = { signedIn: 0, left: [] as string[] };
  const account = createLocalIdentityAccount({
    fetch: async (url, init) => {
      const call = `${init?.method} ${String(url)}`;
      asked.push({ call, body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined });
      const answer = answers[call] ?? answers['*'];
      return answer === undefined ? json(404, { code: 'ROUTE_NOT_FOUND' }) : json(status, answer);
    },
    onSignedIn: () => {
      seen.signedIn += 1;
    },
    leaveTo: (url) => seen.left.push(url),
    passkeys: () => undefined,
  });
  return { account, asked, seen };
}
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no failure',
    (error: unknown) => (error instanceof IdentityError ? error.code : String(error)),
  );
type Account = ReturnType<typeof createLocalIdentityAccount>;

describe('what goes over the wire', () => {
  const ok = { '*': { ok: true } };
  test.each<[string, (account: Account) => Promise<unknown>, string, unknown]>([
    ['forgot', (a) => a.requestPasswordReset('a@b.example'), 'POST /auth/forgot-password', { email: 'a@b.example' }],
    [
      'code',
      (a) => a.checkResetCode({ email: 'a@b.example', code: '1' }),
      'POST /auth/confirm-code',
      { email: 'a@b.example', code: '1' },
    ],
    [
      'reset',
      (a) => a.resetPassword({ email: 'a@b.example', code: '1', password: 'p' }),
      'POST /auth/reset-password',
      { email: 'a@b.example', code: '1', password: 'p' },
    ],
    ['prove by code', (a) => a.prove({ code: '123456' }), 'POST /auth/prove', { code: '123456' }],
    ['prove by password', (a) => a.prove({ password: 'p' }), 'POST /auth/prove', { password: 'p' }],
    [
      'password',
      (a) => a.changePassword({ currentPassword: 'a', newPassword: 'b' }),
      'POST /auth/password/change',
      { current_password: 'a', new_password: 'b' },
    ],
    [
      'purchase',
      (a) => a.signUpWithEmail({ email: 'a@b.example', fullname: 'A', password: 'p', purchaseToken: 't' }),
      'POST /auth/sign-up/email',
      { email: 'a@b.example', fullname: 'A', password: 'p', purchase_token: 't' },
    ],
    ['others', (a) => a.revokeSessions('others'), 'POST /auth/sessions/revoke', { others: true }],
    ['one session', (a) => a.revokeSessions({ id: 's' }), 'POST /auth/sessions/revoke', { id: 's' }],
    ['passkey', (a) => a.removePasskey('k'), 'POST /auth/passkey/remove', { id: 'k' }],
    ['unlink', (a) => a.unlinkExternal('x'), 'POST /auth/external/unlink', { id: 'x' }],
  ])('%s', async (_, run, call, body) => {
    const { account, asked } = setUp(ok);
    await run(account);
    expect(asked).toEqual([{ call, body }]);
  });

  test('the domain of an address is asked for in the query, escaped', async () => {
    const { account, asked } = setUp({
      '*': { connections: [{ id: 'c', kind: 'saml', label: 'Contoso' }, { label: 1 }] },
    });
    expect(await account.listConnections('a+b@c.example')).toEqual([{ id: 'c', kind: 'oidc', label: 'Contoso' }]);
    await account.listConnections();
    expect(asked.map(({ call }) => call)).toEqual([
      'GET /auth/connections?email=a%2Bb%40c.example',
      'GET /auth/connections',
    ]);
  });
});

describe('answers', () => {
  test('how the account is secured', async () => {
    const { account } = setUp({
      'GET /auth/account': {
        email: 'a@b.example',
        has_password: true,
        has_totp: false,
        recovery_codes_left: 3,
        passkeys: [{ id: 'k', name: 'Laptop', created_at: 't1', last_used_at: null }],
        external: [{ id: 'x', label: 'Microsoft', account: 'a@contoso.example' }],
      },
    });
    expect(await account.security()).toEqual({
      email: 'a@b.example',
      hasPassword: true,
      hasTotp: false,
      recoveryCodesLeft: 3,
      passkeys: [{ id: 'k', name: 'Laptop', createdAt: 't1', lastUsedAt: undefined }],
      external: [{ id: 'x', label: 'Microsoft', account: 'a@contoso.example' }],
    });
  });

  test('a set-up authenticator gives the codes and makes the token at hand old', async () => {
    const { account, seen } = setUp({ '*': { recovery_codes: ['a', 'b'] } });
    expect(await account.confirmTotp('123456')).toEqual(['a', 'b']);
    expect(seen.signedIn).toBe(1);
  });

  test('half an answer is a failure, never empty data', async () => {
    const { account } = setUp({ '*': {} });
    expect(await codeOf(account.listSessions())).toBe('UNEXPECTED');
    expect(await codeOf(account.beginTotp())).toBe('UNEXPECTED');
    expect(await codeOf(account.regenerateRecoveryCodes())).toBe('UNEXPECTED');
  });

  test('signing up may still ask for the second factor, and then nobody is signed in', async () => {
    const { account, seen } = setUp({ '*': { twoFactorRedirect: true } });
    expect(await account.verifyEmail({ email: 'a@b.example', code: '1' })).toBe('second_factor');
    expect(seen.signedIn).toBe(0);
  });

  test.each([
    [403, 'REAUTHENTICATION_REQUIRED', 'PROOF_REQUIRED'],
    [400, 'PASSWORD_WEAK', 'PASSWORD_WEAK'],
    [400, 'PASSWORD_REUSED', 'PASSWORD_REUSED'],
    [409, 'EMAIL_TAKEN', 'EMAIL_TAKEN'],
    [401, 'TOKEN_MISSING', 'SIGN_IN_EXPIRED'],
    [429, 'ACCOUNT_TEMPORARILY_LOCKED', 'LOCKED'],
    [400, 'toString', 'CREDENTIALS_WRONG'],
  ])('%i %s', async (status, code, expected) => {
    const { account } = setUp({ '*': { code } }, status);
    expect(await codeOf(account.changePassword({ currentPassword: 'a', newPassword: 'b' }))).toBe(expected);
  });

  test.each([
    ['common', 'This password, or one much like it, is known from leaks and is tried first. Choose another one.'],
    ['toString', 'A password needs 12 to 128 characters and must not be one that is easy to guess.'],
  ])('a refused password says why (%s)', async (why, message) => {
    const { account } = setUp({ '*': { code: 'PASSWORD_WEAK', why } }, 400);
    await expect(account.changePassword({ currentPassword: 'a', newPassword: 'b' })).rejects.toThrow(message);
  });

  test.each([
    [
      { only_connections: [{ id: 'c', kind: 'oidc', label: 'Contoso' }] },
      [{ id: 'c', kind: 'oidc', label: 'Contoso' }],
    ],
    [{ only_connections: null }, undefined],
    [{}, undefined],
  ])('a ticket may say what alone opens the tenant (%j)', async (said, expected) => {
    const { account } = setUp({ '*': { email: 'a@b.example', account: 'new', ...said } });
    expect((await account.previewTicket('t')).onlyConnections).toEqual(expected);
  });

  test('what the server does not offer, and the last way in, are told as such', async () => {
    expect(await codeOf(setUp({}).account.security())).toBe('NOT_SUPPORTED');
    expect(await codeOf(setUp({ '*': { code: 'CONFLICT' } }, 409).account.unlinkExternal('x'))).toBe('ONLY_WAY_IN');
    expect(await codeOf(setUp({ '*': { options: {} } }).account.signInWithPasskey())).toBe('NOT_SUPPORTED');
  });
});

describe('another provider', () => {
  test.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example', '/relative', ''])(
    'the page is not left for %j',
    async (url) => {
      const { account, seen } = setUp({ '*': { url } });
      expect(await codeOf(account.startExternal('c', { for: 'sign_in', redirect: undefined }))).toBe('UNEXPECTED');
      expect(seen.left).toEqual([]);
    },
  );

  test('it is left for the address of the issuer, and the purpose goes along', async () => {
    const { account, asked, seen } = setUp({ '*': { url: 'https://login.example/authorize?x=1' } });
    await account.startExternal('c', { for: 'invitation', ticket: 't' });
    expect(seen.left).toEqual(['https://login.example/authorize?x=1']);
    expect(asked[0]?.body).toEqual({ connection: 'c', purpose: { for: 'invitation', ticket: 't' } });
  });

  test.each([
    [{ step: 'signed_in', purpose: { for: 'sign_in', redirect: '/home' } }, 'signed_in', '/home', 1],
    [{ step: 'second_factor', purpose: { for: 'sign_in' } }, 'second_factor', undefined, 0],
    [
      { step: 'signed_in', purpose: { for: 'invitation', ticket: 'a b&c' } },
      'signed_in',
      '/signup/invite?__clerk_ticket=a+b%26c',
      1,
    ],
    [
      { step: 'no_account', purpose: { for: 'marketplace', token: 't' } },
      'no_account',
      '/signup/azure/confirm?token=t',
      0,
    ],
  ])('%j', async (answer, step, redirect, signedIn) => {
    const { account, seen } = setUp({ '*': answer });
    expect(await account.completeRedirect()).toEqual({ step, redirect });
    expect(seen.signedIn).toBe(signedIn);
  });

  test.each([
    [200, { step: 'failed', reason: 'access_denied' }],
    [200, { step: 'something new' }],
    [401, { code: 'EXTERNAL_FAILED' }],
  ])('%i %j did not work', async (status, answer) => {
    const outcome = await setUp({ '*': answer }, status).account.completeRedirect();
    expect(outcome).toMatchObject({ step: 'failed', reason: { code: 'EXTERNAL_SIGN_IN_FAILED' } });
  });

  test.each([
    ['GROUPS_MISSING', /groups/],
    ['EMAIL_UNVERIFIED', /e-mail address/],
  ])('%s says what the administrator has to do', async (reason, words) => {
    const outcome = await setUp({ '*': { step: 'failed', reason } }).account.completeRedirect();
    expect(outcome).toMatchObject({ reason: { code: reason, message: expect.stringMatching(words) } });
    expect(outcome).toMatchObject({ reason: { message: expect.stringContaining('Ask your administrator') } });
  });

  test('a failure says where it was begun, and what can be done about it', async () => {
    const purpose = { for: 'invitation', ticket: 't' };
    const answer = { step: 'failed', reason: 'TICKET_FOR_ANOTHER', purpose };
    const outcome = await setUp({ '*': answer }).account.completeRedirect();
    expect(outcome).toMatchObject({
      reason: { code: 'TICKET_FOR_ANOTHER' },
      redirect: '/signup/invite?__clerk_ticket=t',
    });
  });
});
