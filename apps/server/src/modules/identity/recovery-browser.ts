import { CODE_LIVES_MS } from './mail-codes.ts';
import type { SignedCookies } from './signed-cookies.ts';

const COOKIE = 'air_recovery';
const BROWSER_BYTES = 32;

type Call = { cookie: string | undefined };

/** The browser a code for a new password was asked for in: the code is good there only. */
export type RecoveryBrowser = {
  /** Empty, which no code is bound to, where none was asked for. */
  of(call: Call): string;
  /** The same one for a second code, which may not be mailed any more: then the first has to go on working. */
  bind(call: Call): { browser: string; setCookie: string };
  clear(): string;
};

export function createRecoveryBrowser(deps: {
  cookies: SignedCookies;
  randomBytes: (size: number) => Buffer;
}): RecoveryBrowser {
  const { cookies, randomBytes } = deps;
  return {
    of: ({ cookie }) => cookies.read(cookie, COOKIE) ?? '',
    bind({ cookie }) {
      const browser = cookies.read(cookie, COOKIE) ?? randomBytes(BROWSER_BYTES).toString('base64url');
      return { browser, setCookie: cookies.write(COOKIE, browser, CODE_LIVES_MS / 1000) };
    },
    clear: () => cookies.clear(COOKIE),
  };
}
