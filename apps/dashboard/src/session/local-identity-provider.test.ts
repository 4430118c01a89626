import { describe, expect, test, vi } from 'vitest';
import { apiToken } from './api-token.ts';
import { chooseIdentityProvider } from './identity-choice.ts';
import { IdentityError } from './identity-provider.ts';
import { createLocalIdentityProvider, type TabChannel } from './local-identity-provider.ts';

const start = Date.parse('2026-03-01T12:00:00Z');
const tokenUntil = (milliseconds: number, sub = 'ana') =>
  `h.${btoa(JSON.stringify({ exp: milliseconds / 1000, sub }))}.s`;

type Handler = (path: string, body: unknown) => Response | Promise<Response>;

function setUp(handler: Handler) {
  const clock = { now: start, idleMs: 0 };
  const asked: string[] = [];
  const identity = createLocalIdentityProvider({
    now: () => clock.now,
    idleMs: () => clock.idleMs,
    fetch: async (url, init) => {
      asked.push(`${init?.method} ${String(url)}`);
      return handler(String(url), init?.body === undefined ? undefined : JSON.parse(String(init.body)));
    },
  });
  return { identity, asked, clock };
}
const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });
/** Somebody touches the page all the time. */
const idleMs = () => 0;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no failure',
    (error: unknown) => (error instanceof IdentityError ? error.code : 'another error'),
  );

describe('access token', () => {
  test('many callers share one request, and a fresh token is reused', async () => {
    const { identity, asked } = setUp(() => json(200, { token: tokenUntil(start + 600_000) }));
    await Promise.all(Array.from({ length: 20 }, () => identity.getToken()));
    await identity.getToken();
    expect(asked).toEqual(['GET /auth/token']);
  });

  test('is refreshed in its last minute, or when it is distrusted', async () => {
    const { identity, asked, clock } = setUp(() => json(200, { token: tokenUntil(clock.now + 600_000) }));
    await identity.getToken();
    clock.now += 539_000;
    await identity.getToken();
    expect(asked).toHaveLength(1);
    clock.now += 2000;
    await identity.getToken();
    await identity.getToken({ refresh: true });
    expect(asked).toHaveLength(3);
  });

  test('comes with when the session ends, which is forgotten with it', async () => {
    const { identity, clock } = setUp(() =>
      json(200, { token: tokenUntil(clock.now + 600_000), session_ends_in_s: 1_800 }),
    );
    expect(identity.sessionEndsAt()).toBeUndefined();
    await identity.getToken();
    expect(identity.sessionEndsAt()).toBe(start + 1_800_000);
    identity.forget();
    expect(identity.sessionEndsAt()).toBeUndefined();
  });

  test('is asked for with how long nobody has touched the page, once that is a while', async () => {
    const { identity, asked, clock } = setUp(() => json(200, { token: tokenUntil(clock.now + 600_000) }));
    for (const idle of [0, 59_999, 60_000, 1_799_900]) {
      clock.idleMs = idle;
      await identity.getToken({ refresh: true });
    }
    expect(asked).toEqual([
      'GET /auth/token',
      'GET /auth/token',
      'GET /auth/token?idle_s=60',
      'GET /auth/token?idle_s=1799',
    ]);
  });

  test('one whose end cannot be read is fetched anew every time rather than trusted for ever', async () => {
    const { identity, asked } = setUp(() => json(200, { token: 'opaque' }));
    await identity.getToken();
    await identity.getToken();
    expect(asked).toHaveLength(2);
  });

  test('nobody signed in is remembered until somebody may have signed in', async () => {
    let signedIn = false;
    const { identity, asked } = setUp(() =>
      signedIn ? json(200, { token: tokenUntil(start + 600_000) }) : json(200, { token: null }),
    );
    expect(await identity.isSignedIn()).toBe(false);
    expect(await identity.isSignedIn()).toBe(false);
    expect(asked).toHaveLength(1);
    signedIn = true;
    identity.forget();
    expect(await identity.isSignedIn()).toBe(true);
  });

  test('a failure is not taken for "signed out"', async () => {
    let healthy = false;
    const { identity } = setUp(() => (healthy ? json(200, { token: tokenUntil(start + 600_000) }) : json(503, {})));
    expect(await codeOf(identity.getToken())).toBe('UNEXPECTED');
    healthy = true;
    expect(await identity.isSignedIn()).toBe(true);
  });

  test('an answer that comes after the sign-out is not kept', async () => {
    let answer: (response: Response) => void = () => undefined;
    const { identity } = setUp((path) =>
      path === '/auth/token' ? new Promise<Response>((resolve) => (answer = resolve)) : json(200, {}),
    );
    const asking = identity.getToken();
    await identity.signOut();
    answer(json(200, { token: tokenUntil(start + 600_000) }));
    expect(await asking).toBeUndefined();
    expect(await identity.getToken()).toBeUndefined();
  });
});

describe('sign-in', () => {
  test('asks for the second factor, and no token is taken before it', async () => {
    const { identity, asked } = setUp((path) =>
      path === '/auth/sign-in/email'
        ? json(200, { twoFactorRedirect: true })
        : json(200, { token: tokenUntil(start + 600_000) }),
    );
    expect(await identity.signInWithPassword({ email: 'a@b.example', password: 'p' })).toBe('second_factor');
    await identity.verifyTotp('123456');
    expect(await identity.isSignedIn()).toBe(true);
    expect(asked).toEqual(['POST /auth/sign-in/email', 'POST /auth/two-factor/verify-totp', 'GET /auth/token']);
  });

  test.each([
    [401, { code: 'INVALID_EMAIL_OR_PASSWORD' }, 'CREDENTIALS_WRONG'],
    [429, {}, 'TOO_MANY_ATTEMPTS'],
    [403, { code: 'USER_DISABLED' }, 'ACCOUNT_DISABLED'],
    [403, { code: 'SSO_REQUIRED' }, 'SSO_REQUIRED'],
    [400, { code: 'VALIDATION_FAILED' }, 'CREDENTIALS_WRONG'],
    [500, { message: 'boom' }, 'UNEXPECTED'],
  ])('password answered with %i %j is %s', async (status, body, code) => {
    const { identity } = setUp(() => json(status, body));
    expect(await codeOf(identity.signInWithPassword({ email: 'a@b.example', password: 'p' }))).toBe(code);
  });

  test.each([
    [401, { code: 'INVALID_CODE' }, 'CODE_WRONG'],
    [401, { code: 'INVALID_TWO_FACTOR_COOKIE' }, 'SIGN_IN_EXPIRED'],
    [400, { code: 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE' }, 'LOCKED'],
  ])('code answered with %i %j is %s', async (status, body, code) => {
    const { identity } = setUp(() => json(status, body));
    expect(await codeOf(identity.verifyTotp('123456'))).toBe(code);
  });

  test('a new password that is asked for opens no session', async () => {
    const { identity, asked } = setUp(() => json(200, { newPasswordRequired: true }));
    expect(await identity.signInWithPassword({ email: 'a@b.example', password: 'p' })).toBe('new_password');
    expect(asked).toEqual(['POST /auth/sign-in/email']);
  });

  test('a recovery code goes where it is used up, and a wrong one is told as a wrong code', async () => {
    let body: unknown;
    const { identity, asked } = setUp((_, given) => {
      body = given;
      return json(401, { code: 'INVALID_BACKUP_CODE' });
    });
    expect(await codeOf(identity.verifyRecoveryCode('abcd-efgh'))).toBe('CODE_WRONG');
    expect([asked, body]).toEqual([['POST /auth/two-factor/verify-backup-code'], { code: 'abcd-efgh' }]);
  });

  test('an answer that is no JSON is a failure, not a sign-in', async () => {
    const { identity } = setUp(() => new Response('<html>proxy</html>'));
    expect(await codeOf(identity.signInWithPassword({ email: 'a@b.example', password: 'p' }))).toBe('UNEXPECTED');
  });

  test('the wait the server asks for is told', async () => {
    const { identity } = setUp(() => json(429, {}, { 'x-retry-after': '10' }));
    await expect(identity.verifyTotp('1')).rejects.toMatchObject({ retryAfterS: 10 });
  });

  test('a server out of reach is told as such, and as a network failure to the API client', async () => {
    const { identity } = setUp(() => Promise.reject(new TypeError('fetch failed')));
    expect(await codeOf(identity.verifyTotp('1'))).toBe('UNREACHABLE');
    await expect(apiToken(identity)()).rejects.toBeInstanceOf(TypeError);
  });
});

describe('several tabs', () => {
  function tabs(count: number, handler: Handler) {
    const channels: { listener?: (event: { data: unknown }) => void }[] = [];
    return Array.from({ length: count }, () => {
      const own: (typeof channels)[number] = {};
      channels.push(own);
      const channel: TabChannel = {
        postMessage: (data) => {
          for (const other of channels) if (other !== own) other.listener?.({ data });
        },
        addEventListener: (_, listener) => {
          own.listener = listener;
        },
      };
      const identity = createLocalIdentityProvider({
        now: () => start,
        idleMs,
        channel,
        fetch: async (url, init) => handler(String(url), init?.body),
      });
      const heard: string[] = [];
      identity.onChangedElsewhere((change) => heard.push(change));
      return { identity, heard };
    });
  }

  test('signing out in one is heard by the others, which have no token any more', async () => {
    const [first, second] = tabs(2, (path) =>
      json(200, path === '/auth/token' ? { token: tokenUntil(start + 600_000) } : { signedOut: true }),
    );
    await second?.identity.getToken();
    await first?.identity.signOut();
    await vi.waitFor(() => expect(second?.heard).toEqual(['signed_out']));
    expect(first?.heard).toEqual([]);
    expect(await second?.identity.getToken()).toBeUndefined();
  });

  test.each([
    ['somebody else', 'bo', ['signed_in']],
    ['the same person', 'ana', []],
  ])('signing in as %s', async (_, next, expected) => {
    let user = 'ana';
    const [first, second] = tabs(2, (path) =>
      json(200, path === '/auth/token' ? { token: tokenUntil(start + 600_000, user) } : { signedIn: true }),
    );
    await second?.identity.getToken();
    user = next;
    await first?.identity.signInWithPassword({ email: 'x@y.example', password: 'p' });
    // The other tab asks whose session it is now; this waits for the same answer.
    await second?.identity.getToken();
    await Promise.resolve();
    expect(second?.heard).toEqual(expected);
  });

  test('what is no message of ours is not acted on', async () => {
    const [first, second] = tabs(2, () => json(200, { token: null }));
    let send: TabChannel['postMessage'] = () => undefined;
    createLocalIdentityProvider({
      now: () => start,
      idleMs,
      fetch: async () => json(200, {}),
      channel: {
        postMessage: () => undefined,
        addEventListener: (_, listener) => (send = (data) => listener({ data })),
      },
    });
    send({ change: 'signed_out' });
    await Promise.resolve();
    expect([first?.heard, second?.heard]).toEqual([[], []]);
  });
});

test('a sign-out that does not reach the server still forgets the token', async () => {
  const { identity } = setUp((path) =>
    path === '/auth/token'
      ? json(200, { token: tokenUntil(start + 600_000) })
      : Promise.reject(new TypeError('offline')),
  );
  expect(await identity.isSignedIn()).toBe(true);
  expect(await codeOf(identity.signOut())).toBe('UNREACHABLE');
  expect(await identity.isSignedIn()).toBe(false);
});

test('the publishable key chooses the provider', async () => {
  const deps = { fetch, now: Date.now, idleMs };
  expect(await chooseIdentityProvider('local', deps)).toHaveProperty('getToken');
  expect(await chooseIdentityProvider('pk_test_abc', deps)).toHaveProperty('getToken');
  expect(await codeOf((await chooseIdentityProvider('pk_test_abc', deps)).getToken())).not.toBe('no failure');
});
