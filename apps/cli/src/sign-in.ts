import { CommandError } from './command-error.ts';
import type { DemoUser } from './demo-workspace.ts';
import { reach } from './local-stage.ts';
import type { Surroundings } from './surroundings.ts';
import { TOTP_PERIOD_MS, totpCode } from './totp.ts';

type Needs = Pick<Surroundings, 'fetch' | 'now' | 'wait' | 'say'>;

/** As many codes as count at a time beside the present one: two sign-ins in the browser use up the next one as well. */
const WAITS_MAX = 2;
/** Just after the turn, so that the server's clock surely shows the new code too. */
const AFTER_TURN_MS = 500;

/** The same sign-in as in the browser: password, authenticator code, session cookie, access token. */
export async function signIn(deps: Needs, url: string, user: DemoUser): Promise<string> {
  const session = createSession(deps, url);
  const first = await session.post('/auth/sign-in/email', { email: user.email, password: user.password });
  if (!first.ok) throw await refused(first);
  if ((await fieldOf(first, 'newPasswordRequired')) === true) {
    const message = `${user.email} must choose a new password first: sign in at ${url} in a browser.`;
    throw new CommandError('NEW_PASSWORD_REQUIRED', message);
  }
  if ((await fieldOf(first, 'twoFactorRedirect')) === true) await secondFactor(deps, session, user);
  const answer = await session.get('/auth/token');
  const token = answer.ok ? await fieldOf(answer, 'token') : undefined;
  if (typeof token !== 'string') throw await refused(answer);
  return token;
}

/** A code works once: if it was just used by somebody else, the next one is waited for. */
async function secondFactor(deps: Needs, session: Session, user: DemoUser): Promise<void> {
  for (let waits = 0; ; waits++) {
    const code = totpCode(user.totp_secret, deps.now());
    const answer = await session.post('/auth/two-factor/verify-totp', { code });
    if (answer.ok) return;
    if (answer.status !== 401 || waits === WAITS_MAX) throw await refused(answer);
    const untilNextMs = TOTP_PERIOD_MS - (deps.now() % TOTP_PERIOD_MS) + AFTER_TURN_MS;
    deps.say(`The present code was used already; waiting ${Math.ceil(untilNextMs / 1000)} s for the next one.`);
    await deps.wait(untilNextMs);
  }
}

type Session = {
  post(path: string, body: Record<string, string>): Promise<Response>;
  get(path: string): Promise<Response>;
};

/** Keeps cookies between calls, as a browser does. */
function createSession({ fetch }: Pick<Needs, 'fetch'>, url: string): Session {
  const cookies = new Map<string, string>();
  const { origin } = new URL(url);

  async function call(path: string, init: RequestInit): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...init.headers, origin, ...(cookie === '' ? {} : { cookie }) };
    const answer = await reach(url, () => fetch(new URL(path, url), { ...init, headers }));
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1);
      const at = pair.indexOf('=');
      if (at > 0) cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  }

  return {
    get: (path) => call(path, {}),
    post: (path, body) =>
      call(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  };
}

async function refused(answer: Response): Promise<CommandError> {
  const message = await fieldOf(answer, 'message');
  return new CommandError(
    'SIGN_IN_REFUSED',
    typeof message === 'string' ? message : `The server answered ${answer.status}.`,
  );
}

async function fieldOf(answer: Response, name: string): Promise<unknown> {
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  return typeof body === 'object' && body !== null ? new Map(Object.entries(body)).get(name) : undefined;
}
