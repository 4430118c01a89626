import type { ConfirmBody, ErrorBody } from '@airdeck/contracts/error-codes';
import { CommandError, inputError } from './command-error.ts';
import { readDemoWorkspace } from './demo-workspace.ts';
import { reach } from './local-stage.ts';
import type { Surroundings } from './surroundings.ts';

/** Where a tenant's server is, and what opens it. */
export type Server = { url: string; token: string };

/** What a refusal says, as far as it comes from our server. */
export type Refusal = Partial<ErrorBody>;

type Call<T> = {
  path: string;
  /** Posted; without it the call only reads. */
  body?: object;
  schema: { safeParse(value: unknown): { success: true; data: T } | { success: false } };
  /** Names the answer, such as "a search". */
  kind: string;
  /** What a person reads of a refusal; its message and what it says of single values when left out. */
  words?: (refusal: Refusal) => string | undefined;
  /** Called with a question of the server's, after which the call is made once more and confirms it. Unasked nothing is confirmed. */
  confirmed?: (question: ConfirmBody) => void;
};

/** Somebody who makes too many calls is told for how long to wait, a few seconds each time. */
const PATIENCE_MS = 60_000;

/**
 * The server and token of the environment, or those of the demo workspace: of somebody whose role may do it, which for most
 * is more than a reader.
 */
export async function serverFor(
  { env }: Surroundings,
  tenant: string,
  mayDoIt: (role: string | undefined) => boolean = (role) => role !== 'ReadOnly',
): Promise<Server> {
  const [address, token] = [env.AIRDECK_URL?.trim(), env.AIRDECK_TOKEN?.trim()];
  if (token) return { url: checkedAddress(address || 'http://localhost:4000'), token };
  // Somebody who named a server did not mean the demo.
  if (address) throw inputError('TOKEN_MISSING', 'AIRDECK_URL names a server: put an API key of it in AIRDECK_TOKEN.');
  const { url, users } = await readDemoWorkspace(env);
  const [user] = users.filter((each) => each.tenant === tenant && each.api_key !== undefined && mayDoIt(each.role));
  if (user?.api_key !== undefined) return { url, token: user.api_key };
  throw inputError(
    'TENANT_UNKNOWN',
    'The demo workspace has nobody who may do this in this tenant. Put an API key in AIRDECK_TOKEN and the address in AIRDECK_URL.',
  );
}

/** Not quoted when it is wrong: it may hold a password. */
function checkedAddress(address: string): string {
  const { protocol, username, password } = URL.canParse(address) ? new URL(address) : blankAddress;
  if (/^https?:$/.test(protocol) && username === '' && password === '') return address;
  throw inputError('URL_INVALID', 'AIRDECK_URL has to be an address such as https://airdeck.example.com.');
}

const blankAddress = { protocol: '', username: '', password: '' };

/** What the server answers, checked by its schema. Throws `CommandError` for a refusal, no answer and any other answer. */
export async function ask<T>(surroundings: Surroundings, server: Server, call: Call<T>): Promise<T> {
  let { answer, value } = await answered(surroundings, server, call, {});
  const question = answer.status === 449 ? refusalIn(value).confirm : undefined;
  if (typeof question?.text === 'string' && call.confirmed !== undefined) {
    call.confirmed(question);
    ({ answer, value } = await answered(surroundings, server, call, { 'x-air-confirm': 'true' }));
  }
  if (!answer.ok) throw refused(answer.status, value, call.words ?? plainWords);
  const parsed = call.schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new CommandError('ANSWER_UNREADABLE', `The server answered something else than ${call.kind}.`);
}

type MoreHeaders = Readonly<Record<string, string>>;

async function answered(surroundings: Surroundings, server: Server, call: Call<unknown>, headers: MoreHeaders) {
  const answer = await patiently(surroundings, () => send(surroundings, server, call, headers));
  // Cut off, or of something else that listens there.
  const value: unknown = await answer.json().catch(() => undefined);
  return { answer, value };
}

function send(
  { fetch }: Surroundings,
  { url, token }: Server,
  { path, body }: Call<unknown>,
  more: MoreHeaders,
): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, ...more };
  const init =
    body === undefined
      ? { headers }
      : {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        };
  return reach(url, () => fetch(new URL(path, url), init));
}

/** Makes a call again that was one too many: nothing was done then. */
async function patiently({ wait }: Surroundings, call: () => Promise<Response>): Promise<Response> {
  for (let leftMs = PATIENCE_MS; ; ) {
    const answer = await call();
    const pauseMs = Number(answer.headers.get('retry-after') ?? Number.NaN) * 1_000;
    if (answer.status !== 429 || !(pauseMs > 0 && pauseMs <= leftMs)) return answer;
    leftMs -= pauseMs;
    await wait(pauseMs);
  }
}

function refused(status: number, value: unknown, words: NonNullable<Call<unknown>['words']>): CommandError {
  const refusal = refusalIn(value);
  const message = words(refusal) ?? `The server answered ${status}.`;
  return new CommandError(refusal.code ?? 'REFUSED', message, { exitCode: status === 400 ? 2 : 1 });
}

function refusalIn(value: unknown): Refusal {
  return typeof value === 'object' && value !== null ? value : {};
}

export function plainWords({ message, details }: Refusal): string | undefined {
  if (message === undefined) return undefined;
  // A gateway's own answer may hold anything under that name.
  const about = Array.isArray(details) ? details.map((one) => `${one.path}: ${one.message}`) : [];
  return [message, ...about].join('\n');
}
