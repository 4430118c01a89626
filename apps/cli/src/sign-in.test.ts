import { describe, expect, it } from 'vitest';
import { CommandError } from './command-error.ts';
import { signIn } from './sign-in.ts';
import { totpCode } from './totp.ts';

const url = 'http://127.0.0.1:4000/';
const user = { email: 'ana@example.org', password: 'correct horse', totp_secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' };

/** Answers like the identity endpoints: a password, then a code that works once, then a token for the session's cookie. */
function identity(usedCodes: string[] = []) {
  let now = 1_700_000_010_000;
  const said: string[] = [];
  const deps = {
    now: () => now,
    say: (line: string) => said.push(line),
    wait: async (milliseconds: number) => {
      now += milliseconds;
    },
    fetch: async (input: string | URL | Request, init: RequestInit = {}) => {
      const path = new URL(String(input)).pathname;
      const headers = new Headers(init.headers);
      const body: Record<string, string> = init.body === undefined ? {} : JSON.parse(String(init.body));
      if (headers.get('origin') !== 'http://127.0.0.1:4000') return json(403, { message: 'Wrong origin.' });
      if (path === '/auth/sign-in/email') {
        if (body.password !== user.password) return json(401, { message: 'Invalid email or password' });
        return json(200, { twoFactorRedirect: true }, 'pending=p1; HttpOnly; Path=/');
      }
      if (path === '/auth/two-factor/verify-totp') {
        const code = body.code ?? '';
        const right = code === totpCode(user.totp_secret, now) && !usedCodes.includes(code);
        if (!right || !headers.get('cookie')?.includes('pending=p1')) return json(401, { message: 'Invalid code' });
        usedCodes.push(code);
        return json(200, { signedIn: true }, 'session=s1; HttpOnly; Path=/');
      }
      return headers.get('cookie')?.includes('session=s1')
        ? json(200, { token: 'jwt' })
        : json(401, { message: 'No.' });
    },
  };
  return { deps, said };
}

function json(status: number, body: unknown, cookie?: string): Response {
  return Response.json(body, { status, headers: cookie === undefined ? {} : { 'set-cookie': cookie } });
}

describe('signing in from the command line', () => {
  it('goes through password, code and session to a token', async () => {
    const { deps, said } = identity();
    await expect(signIn(deps, url, user)).resolves.toBe('jwt');
    expect(said).toEqual([]);
  });

  it('waits for the next code when the present one was used already', async () => {
    const { deps, said } = identity();
    await signIn(deps, url, user);
    await expect(signIn(deps, url, user)).resolves.toBe('jwt');
    expect(said).toHaveLength(1);
  });

  it('waits for one more where the next one is used already too, as by two sign-ins in the browser', async () => {
    const { deps, said } = identity([0, 30_000].map((later) => totpCode(user.totp_secret, 1_700_000_010_000 + later)));
    await expect(signIn(deps, url, user)).resolves.toBe('jwt');
    expect(said).toHaveLength(2);
  });

  it('does not go on guessing with a secret that is not right', async () => {
    const { deps } = identity();
    const wrong = { ...user, totp_secret: 'MZXW6YTBMZXW6YTBMZXW6YTBMZXW6YTB' };
    await expect(signIn(deps, url, wrong)).rejects.toMatchObject({ code: 'SIGN_IN_REFUSED', message: 'Invalid code' });
  });

  it('says what the server said when the password is wrong', async () => {
    const { deps } = identity();
    await expect(signIn(deps, url, { ...user, password: 'wrong' })).rejects.toMatchObject({
      code: 'SIGN_IN_REFUSED',
      message: 'Invalid email or password',
      exitCode: 1,
    });
  });

  it('says where a new password is chosen when somebody has asked for one', async () => {
    const { deps } = identity();
    const fetch = async () => json(200, { newPasswordRequired: true });
    await expect(signIn({ ...deps, fetch }, url, user)).rejects.toMatchObject({
      code: 'NEW_PASSWORD_REQUIRED',
      message: 'ana@example.org must choose a new password first: sign in at http://127.0.0.1:4000/ in a browser.',
      exitCode: 1,
    });
  });

  it('asks whether the server runs when nothing answers', async () => {
    const { deps } = identity();
    const fetch = async () => {
      throw new TypeError('fetch failed');
    };
    const refused = await signIn({ ...deps, fetch }, url, user).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(CommandError);
    expect(refused).toMatchObject({ code: 'SERVER_UNREACHABLE' });
  });
});
