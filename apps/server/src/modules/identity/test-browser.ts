/** A browser of one person, for tests of the calls under `/auth`: keeps cookies and names its origin. */
import type { Actor, TestServer } from '../../http/test-server.ts';
import { keyOfSecret, TOTP_PERIOD_S, totpCode } from './totp.ts';

export type TestAnswer = { status: number; body: Record<string, unknown> };

export type TestBrowser = ReturnType<typeof createTestBrowser>;

export function createTestBrowser(server: TestServer, remoteAddress = '127.0.0.1') {
  const cookies = new Map<string, string>();

  async function call(method: 'GET' | 'POST', path: string, payload?: object): Promise<TestAnswer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await server.inject({
      method,
      url: `/auth${path}`,
      remoteAddress,
      headers: { origin: 'http://localhost:80', ...(cookie === '' ? {} : { cookie }) },
      ...(payload === undefined ? {} : { payload }),
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) keep(String(line));
    return { status: answer.statusCode, body: answer.json() };
  }

  function keep(line: string): void {
    const [pair = ''] = line.split(';', 1);
    const name = pair.slice(0, pair.indexOf('='));
    if (/Max-Age=0/i.test(line)) cookies.delete(name);
    else cookies.set(name, pair.slice(name.length + 1));
  }

  const browser = {
    cookies,
    get: (path: string) => call('GET', path),
    post: (path: string, payload: object = {}) => call('POST', path, payload),
    /** Password, and a code of the authenticator where the actor has one. */
    async signIn(actor: Pick<Actor, 'email' | 'password' | 'totpSecret'>, stepsAhead = 0): Promise<TestAnswer> {
      const { email, password, totpSecret } = actor;
      const first = await browser.post('/sign-in/email', { email, password });
      if (first.body.twoFactorRedirect !== true || totpSecret === undefined) return first;
      return await browser.post('/two-factor/verify-totp', { code: codeOf(totpSecret, stepsAhead) });
    },
    /** Headers for the API, or undefined when signed out. */
    async bearer(): Promise<{ authorization: string } | undefined> {
      const { body } = await browser.get('/token');
      return typeof body.token === 'string' ? { authorization: `Bearer ${body.token}` } : undefined;
    },
  };
  return browser;
}

export function codeOf(totpSecret: string, stepsAhead = 0): string {
  const step = Math.floor(Date.now() / 1000 / TOTP_PERIOD_S) + stepsAhead;
  return totpCode(keyOfSecret(totpSecret), step);
}

/** A code that is right for none of the steps that count. */
export function wrongCodeOf(totpSecret: string): string {
  const right = new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(totpSecret, steps)));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.has(code)) ?? '';
}

export type TestMail = { to: string; subject: string; text: string };

/** What the outbox of stage local shows for an address, newest first. */
export async function mailsTo(server: TestServer, address: string): Promise<TestMail[]> {
  const mails = (await server.inject({ url: '/demo/outbox' })).json<TestMail[]>();
  return mails.filter(({ to }) => to === address);
}

/** The code of the newest mail to an address, once it is there. */
export function codeIn(mail: TestMail | undefined): string {
  return /Your code is (\d{8})\./.exec(mail?.text ?? '')?.[1] ?? '';
}
