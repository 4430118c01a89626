import type { Actor, TestServer } from '../../http/test-server.ts';
import { keyOfSecret, TOTP_PERIOD_S, totpCode } from './totp.ts';

type Answer = Awaited<ReturnType<TestServer['inject']>>;

/** A browser for tests: keeps cookies by name as a browser would, and sends our own origin. */
export type Browser = {
  /** What it would send now, to be replayed later. */
  cookie(): string;
  setCookie(text: string): void;
  get(url: string): Promise<Answer>;
  post(url: string, payload?: object): Promise<Answer>;
  /** Password and authenticator code; throws when it does not work. */
  signIn(actor: Actor): Promise<void>;
  token(): Promise<string | null>;
};

export function createBrowser(
  server: Pick<TestServer, 'inject'>,
  { userAgent = 'Test browser', now = () => Date.now() }: { userAgent?: string; now?: () => number } = {},
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
    return { origin: 'http://localhost:80', 'user-agent': userAgent, ...(cookie === '' ? {} : { cookie }) };
  };
  const browser: Browser = {
    cookie: () => [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
    setCookie(text) {
      jar.clear();
      for (const pair of text.split('; ').filter((one) => one !== '')) {
        jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
      }
    },
    get: async (url) => keep(await server.inject({ url, headers: headers() })),
    post: async (url, payload = {}) => keep(await server.inject({ method: 'POST', url, payload, headers: headers() })),
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
