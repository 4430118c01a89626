// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClerkApi, PUBLISHABLE_KEY, signInJson, signUpJson, userJson } from './clerk-fixture.ts';
import { createClerkIdentityProvider } from './clerk-identity-provider.ts';
import { IdentityError } from './identity-provider.ts';

const PASSWORD = 'correct horse battery';

let api: ReturnType<typeof createClerkApi>;
let endTimers: () => void;

beforeEach(() => {
  api = createClerkApi();
  vi.stubGlobal('fetch', api.fetch);
  giveLocks();
  endTimers = giveTimers();
  window.sessionStorage.clear();
  window.localStorage.clear();
});

afterEach(() => {
  endTimers();
  vi.unstubAllGlobals();
});

/**
 * As browsers have them on secure pages. Without them Clerk takes turns through the storage and by timers, which go on when
 * the test's window is gone.
 */
function giveLocks() {
  const last = new Map<string, Promise<unknown>>();
  const request = (name: string, _options: unknown, run: () => Promise<unknown>) => {
    const next = (last.get(name) ?? Promise.resolve()).then(run, run);
    last.set(name, next);
    return next;
  };
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
  vi.stubGlobal('isSecureContext', true);
}

/**
 * Timers that end with their page, as in browsers. Clerk asks for a fresh session every few seconds for as long as its page is
 * there, and would go on doing so between two tests, without what the page gave it.
 */
function giveTimers() {
  const { setTimeout, clearTimeout } = globalThis;
  const waiting = new Set<ReturnType<typeof setTimeout>>();
  let ended = false;
  vi.stubGlobal('setTimeout', (run: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) => {
    const timer = setTimeout(() => {
      waiting.delete(timer);
      run(...values);
    }, ms);
    if (ended) clearTimeout(timer);
    else waiting.add(timer);
    return timer;
  });
  return () => {
    ended = true;
    for (const timer of waiting) clearTimeout(timer);
  };
}

/** A page of its own: the real script of Clerk, loaded anew. */
function page() {
  const left: string[] = [];
  const said: unknown[] = [];
  const identity = createClerkIdentityProvider({
    publishableKey: PUBLISHABLE_KEY,
    channel: { postMessage: (message) => void said.push(message), addEventListener: () => undefined },
    leaveTo: (url) => void left.push(url),
    origin: () => 'https://air.example.com',
  });
  return { identity, left, said };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no failure',
    (error: unknown) => (error instanceof IdentityError ? error.code : String(error)),
  );

describe('signing in', () => {
  test('with password and authenticator code gives a token; a wrong code gives none', async () => {
    const user = api.addUser({ email: 'pat@example.com', password: PASSWORD, totp: '111111' });
    const { identity, said } = page();
    expect(await identity.isSignedIn()).toBe(false);
    expect(await identity.signInWithPassword({ email: user.email, password: PASSWORD })).toBe('second_factor');
    expect(await identity.isSignedIn()).toBe(false);
    expect(await codeOf(identity.verifyTotp('000000'))).toBe('CODE_WRONG');
    await identity.verifyTotp('111111');
    const token = await identity.getToken();
    expect(JSON.parse(atob(token?.split('.')[1] ?? ''))).toMatchObject({ sub: user.id });
    expect(said).toEqual(['signed_in']);
    await identity.signOut();
    expect(await identity.getToken()).toBeUndefined();
  });

  test('with a recovery code works once', async () => {
    const user = api.addUser({
      email: 'pat@example.com',
      password: PASSWORD,
      totp: '111111',
      backupCodes: ['aaaa1111'],
    });
    const { identity } = page();
    for (const expected of ['no failure', 'CODE_WRONG']) {
      await identity.signInWithPassword({ email: user.email, password: PASSWORD });
      expect(await codeOf(identity.verifyRecoveryCode('aaaa1111'))).toBe(expected);
      if (expected === 'no failure') await identity.signOut();
    }
  });

  test('says the same for an unknown address and a wrong password', async () => {
    api.addUser({ email: 'pat@example.com', password: PASSWORD });
    const { identity } = page();
    expect(await codeOf(identity.signInWithPassword({ email: 'no@example.com', password: 'x' }))).toBe(
      'CREDENTIALS_WRONG',
    );
    expect(await codeOf(identity.signInWithPassword({ email: 'pat@example.com', password: 'x' }))).toBe(
      'CREDENTIALS_WRONG',
    );
  });

  test('on a device Clerk does not know asks for the code it mails', async () => {
    const user = api.addUser({ email: 'pat@example.com', password: PASSWORD, trusted: false });
    const { identity } = page();
    expect(await identity.signInWithPassword({ email: user.email, password: PASSWORD })).toBe('second_factor');
    expect(api.mailed).toEqual([`email_code ${user.email}`]);
    await identity.verifyTotp('424242');
    expect(await identity.isSignedIn()).toBe(true);
  });

  test('a second factor without a first one is a sign-in that is over', async () => {
    expect(await codeOf(page().identity.verifyTotp('111111'))).toBe('SIGN_IN_EXPIRED');
  });

  test('without a connection is said as that, and works when it is back', async () => {
    const { identity } = page();
    api.state.offline = true;
    expect(await codeOf(identity.getToken())).toBe('UNREACHABLE');
    api.state.offline = false;
    expect(await identity.isSignedIn()).toBe(false);
  }, 60_000);
});

describe('a forgotten password', () => {
  test('is replaced with the mailed code, and the second factor is still asked for', async () => {
    const user = api.addUser({ email: 'pat@example.com', password: PASSWORD, totp: '111111' });
    const { identity } = page();
    const account = await identity.account();
    await account.requestPasswordReset(user.email);
    expect(api.mailed).toEqual([`reset_password_email_code ${user.email}`]);
    const given = { email: user.email, code: '424242' };
    expect(await codeOf(account.checkResetCode({ ...given, code: '1' }))).toBe('CODE_WRONG');
    await account.checkResetCode(given);
    expect(await codeOf(account.resetPassword({ ...given, password: 'short' }))).toBe('PASSWORD_WEAK');
    await account.resetPassword({ ...given, password: 'another long password' });
    expect(await identity.isSignedIn()).toBe(false);
    expect(await identity.signInWithPassword({ email: user.email, password: 'another long password' })).toBe(
      'second_factor',
    );
  });

  test('ends in no session where no second factor would be asked for', async () => {
    const user = api.addUser({ email: 'pat@example.com', password: PASSWORD });
    const { identity } = page();
    const account = await identity.account();
    await account.requestPasswordReset(user.email);
    await account.resetPassword({ email: user.email, code: '424242', password: 'another long password' });
    expect(await identity.isSignedIn()).toBe(false);
  });

  test('of an unknown address looks the same', async () => {
    const account = await page().identity.account();
    expect(await codeOf(account.requestPasswordReset('no@example.com'))).toBe('no failure');
    expect(api.mailed).toEqual([]);
  });

  test('is required, by a mailed code, where the password is known to be stolen', async () => {
    const user = api.addUser({ email: 'pat@example.com', password: PASSWORD, pwned: true });
    expect(await page().identity.signInWithPassword({ email: user.email, password: PASSWORD })).toBe('new_password');
    expect(api.mailed).toEqual([`reset_password_email_code ${user.email}`]);
  });
});

describe('an invitation', () => {
  test('says whose it is, makes the account once and signs in', async () => {
    api.tickets.set('h.t.s', 'kim@example.com');
    const { identity } = page();
    const account = await identity.account();
    expect(await account.previewTicket('h.t.s')).toMatchObject({ email: 'kim@example.com', account: 'new' });
    const given = { ticket: 'h.t.s', fullname: 'Kim van Lee', password: 'a long enough password' };
    expect(await account.signUpWithTicket(given)).toBe('signed_in');
    expect(await identity.isSignedIn()).toBe(true);
    await identity.signOut();
    expect(await codeOf((await page().identity.account()).previewTicket('h.t.s'))).toBe('TICKET_INVALID');
  });

  test('for an address that has an account asks to sign in', async () => {
    api.addUser({ email: 'kim@example.com', password: PASSWORD });
    api.tickets.set('h.t.s', 'kim@example.com');
    expect(await (await page().identity.account()).previewTicket('h.t.s')).toMatchObject({ account: 'existing' });
  });

  test('of our own (the set-up of the installation) is not shown to Clerk', async () => {
    const account = await page().identity.account();
    const before = api.calls.length;
    expect(await account.previewTicket('ourOwnTicket')).toMatchObject({ account: 'existing' });
    expect(api.calls.length).toBe(before);
  });

  test('a purchase without one verifies the address first', async () => {
    const { identity } = page();
    const account = await identity.account();
    const given = { email: 'buyer@example.com', fullname: 'B', password: 'a long enough password', purchaseToken: 't' };
    await account.signUpWithEmail(given);
    expect(await codeOf(account.verifyEmail({ email: given.email, code: '1' }))).toBe('CODE_WRONG');
    expect(await account.verifyEmail({ email: given.email, code: '131313' })).toBe('signed_in');
  });
});

describe('another provider', () => {
  const begin = async (purpose: Parameters<Awaited<ReturnType<Identity['account']>>['startExternal']>[1]) => {
    const { identity, left } = page();
    const account = await identity.account();
    await account.startExternal('oauth_microsoft', purpose);
    expect(left[0]).toMatch(/^https:\/\/login\.example\.com\//);
  };
  type Identity = ReturnType<typeof createClerkIdentityProvider>;

  test('is offered when the instance has it, single sign-on, which nobody can link, when an address is known', async () => {
    const account = await page().identity.account();
    expect(await account.listConnections()).toEqual([{ id: 'oauth_microsoft', kind: 'microsoft', label: 'Microsoft' }]);
    expect(await account.listConnections('pat@example.com')).toHaveLength(2);
  });

  test('signs in who has an account, and goes on where it began', async () => {
    api.addUser({ email: 'pat@example.com', password: PASSWORD });
    await begin({ for: 'sign_in', redirect: '/air' });
    api.returnFrom('pat@example.com');
    const { identity } = page();
    expect(await (await identity.account()).completeRedirect()).toEqual({ step: 'signed_in', redirect: '/air' });
    expect(await identity.isSignedIn()).toBe(true);
  });

  test('still leads to the second factor', async () => {
    api.addUser({ email: 'pat@example.com', password: PASSWORD, totp: '111111' });
    await begin({ for: 'sign_in', redirect: undefined });
    api.returnFrom('pat@example.com');
    const { identity } = page();
    expect(await (await identity.account()).completeRedirect()).toMatchObject({ step: 'second_factor' });
    await identity.verifyTotp('111111');
    expect(await identity.isSignedIn()).toBe(true);
  });

  test('makes no account for a stranger, and one for who was invited', async () => {
    await begin({ for: 'sign_in', redirect: undefined });
    api.returnFrom('new@example.com');
    const stranger = page().identity;
    expect(await (await stranger.account()).completeRedirect()).toMatchObject({ step: 'no_account' });
    expect(api.users.size).toBe(0);
    await begin({ for: 'invitation', ticket: 'h.t.s' });
    api.returnFrom('new@example.com');
    expect(await (await page().identity.account()).completeRedirect()).toEqual({
      step: 'signed_in',
      redirect: '/signup/invite?__clerk_ticket=h.t.s',
    });
    expect(api.users.size).toBe(1);
  });

  test('coming back without having left is a failure, also the second time', async () => {
    expect(await (await page().identity.account()).completeRedirect()).toMatchObject({ step: 'failed' });
  });
});

test('an authenticator is set up with its recovery codes', async () => {
  const user = api.addUser({ email: 'pat@example.com', password: PASSWORD });
  const { identity } = page();
  await identity.signInWithPassword({ email: user.email, password: PASSWORD });
  const account = await identity.account();
  expect(await account.security()).toMatchObject({ email: user.email, hasPassword: true, hasTotp: false });
  expect(await account.beginTotp()).toMatchObject({ uri: expect.stringMatching(/^otpauth:/) });
  expect(await codeOf(account.confirmTotp('000000'))).toBe('CODE_WRONG');
  expect(await account.confirmTotp('111111')).toEqual(['aaaa1111', 'bbbb2222']);
});

/** Of Clerk's published API, where the data folder beside the repository is there. */
const [published] = Object.values(
  import.meta.glob<unknown>('../../../../../shared/data/specs/clerk_frontend.json', { import: 'default' }),
);

describe.skipIf(published === undefined)(
  `the stand-in${published === undefined ? ' (no shared data found)' : ''}`,
  () => {
    type Described = { required: string[]; properties: Record<string, { enum?: unknown[] }> };

    test('answers with what the published description requires, lists and allows', async () => {
      const { components } = (await (published ?? (() => Promise.resolve({})))()) as {
        components: { schemas: Record<string, Described> };
      };
      const samples: [string, Record<string, unknown>][] = [
        ['Client.SignIn', signInJson('sia_1', 'pat@example.com')],
        ['Client.SignUp', signUpJson('sua_1', 'pat@example.com')],
        ['Client.User', userJson({ id: 'user_1', email: 'pat@example.com', password: '' })],
      ];
      for (const [name, sample] of samples) {
        const described = components.schemas[name];
        expect(Object.keys(sample)).toEqual(expect.arrayContaining(described?.required ?? ['?']));
        for (const [key, value] of Object.entries(sample)) {
          const listed = [...Object.keys(described?.properties ?? {}), ...(described?.required ?? [])];
          expect(listed, `${name}.${key}`).toContain(key);
          const values = described?.properties[key]?.enum;
          if (values !== undefined) expect(values).toContain(value);
        }
      }
      const statuses = components.schemas['Client.SignIn']?.properties.status?.enum;
      expect(statuses).toEqual(
        expect.arrayContaining(['needs_second_factor', 'needs_client_trust', 'needs_new_password', 'complete']),
      );
    });
  },
);
