/** Browsers for tests of the sign-in: they keep cookies and name their origin. */
import type { Actor, TestServer } from '../../http/test-server.ts';
import { keyOfSecret, TOTP_PERIOD_S, totpCode } from './totp.ts';

type Answer = Awaited<ReturnType<TestServer['inject']>>;

/** A browser of one person: keeps cookies by name as a browser would, and sends our own origin. Answers are as they came. */
export type Browser = {
  /** What it would send now, to be replayed later. */
  cookie(): string;
  setCookie(text: string): void;
  /** What it keeps, by name. */
  cookies: Map<string, string>;
  get(url: string): Promise<Answer>;
  post(url: string, payload?: object): Promise<Answer>;
  /** Password and authenticator code; throws when it does not work. */
  signIn(actor: Actor): Promise<void>;
  token(): Promise<string | null>;
};

type BrowserOptions = { userAgent?: string; languages?: string; remoteAddress?: string; now?: () => number };

export function createBrowser(
  server: Pick<TestServer, 'inject'>,
  { userAgent = 'Test browser', languages, remoteAddress = '127.0.0.1', now = () => Date.now() }: BrowserOptions = {},
): Browser {
  const jar = new Map<string, string>();

  function keep(answer: Answer): Answer {
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [pair = ''] = line.split(';', 1);
      const name = pair.slice(0, pair.indexOf('='));
      if (/Max-Age=0/i.test(line)) jar.delete(name);
      else jar.set(name, pair.slice(name.length + 1));
    }
    return answer;
  }

  const headers = () => {
    const cookie = browser.cookie();
    return {
      origin: 'http://localhost:80',
      'user-agent': userAgent,
      ...(languages === undefined ? {} : { 'accept-language': languages }),
      ...(cookie === '' ? {} : { cookie }),
    };
  };
  const browser: Browser = {
    cookies: jar,
    cookie: () => [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
    setCookie(text) {
      jar.clear();
      for (const pair of text.split('; ').filter((one) => one !== '')) {
        jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
      }
    },
    get: async (url) => keep(await server.inject({ url, remoteAddress, headers: headers() })),
    post: async (url, payload = {}) =>
      keep(await server.inject({ method: 'POST', url, remoteAddress, payload, headers: headers() })),
    async signIn(actor) {
      const { email, password } = actor;
      const first = await browser.post('/auth/sign-in/email', { email, password });
      if (first.json<{ twoFactorRedirect?: boolean }>().twoFactorRedirect !== true) throw new Error(first.body);
      const step = Math.floor(now() / 1000 / TOTP_PERIOD_S);
      const code = totpCode(keyOfSecret(actor.totpSecret ?? ''), step);
      const second = await browser.post('/auth/two-factor/verify-totp', { code });
      if (second.statusCode !== 200) throw new Error(second.body);
    },
    token: async () => (await browser.get('/auth/token')).json<{ token: string | null }>().token,
  };
  return browser;
}

export type TestAnswer = { status: number; body: Record<string, unknown> };

export type TestBrowser = ReturnType<typeof createTestBrowser>;

/** The same for the calls under `/auth`, with status and decoded body; nothing throws. */
export function createTestBrowser(server: Pick<TestServer, 'inject'>, remoteAddress = '127.0.0.1') {
  const { cookies, ...calls } = createBrowser(server, { remoteAddress });
  const decoded = (answer: Answer): TestAnswer => ({ status: answer.statusCode, body: answer.json() });
  const browser = {
    cookies,
    get: async (path: string) => decoded(await calls.get(`/auth${path}`)),
    post: async (path: string, payload: object = {}) => decoded(await calls.post(`/auth${path}`, payload)),
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
