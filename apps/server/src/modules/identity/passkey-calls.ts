/**
 * Passkeys: registering them to an account, and signing in with one alone.
 *
 * | Call | Body | Answer |
 * |---|---|---|
 * | POST /auth/passkey/sign-in/options | – | { options }: WebAuthn request options as JSON; sets the challenge cookie |
 * | POST /auth/passkey/sign-in | { response } | { signedIn: true }; 401 PASSKEY_REFUSED; 403 SSO_REQUIRED, USER_DISABLED |
 * | POST /auth/passkey/register/options | – | { options }: creation options; needs a fresh session |
 * | POST /auth/passkey/register | { response, name } | { passkey: { id, name, created_at, last_used_at } }; fresh; 409 CONFLICT |
 * | POST /auth/passkey/remove | { id } | { removed: true }; fresh; other sessions of passkeys end; 404, 409 when it is the only way in |
 *
 * The authenticator must have verified the person (PIN, finger, face), so a passkey is both factors at once. The relying
 * party is the host the browser sees. A challenge lives five minutes and answers once, whatever the outcome: its id is in
 * a signed cookie of the browser that asked, the challenge itself stays here.
 */
import { serverLimits } from '@airdeck/contracts/server-limits';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { z } from 'zod';
import { AppError } from '../../http/app-error.ts';
import { type Database, sqlClient } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import {
  type AuthAnswer,
  type AuthCall,
  type AuthHandlers,
  type AuthRows,
  type LogRefusal,
  ok,
  originOf,
  type RecordSecurity,
  SIGN_IN_REFUSED,
  signInRefused,
} from './auth-call.ts';
import { refused as refusal } from './auth-refusals.ts';
import type { BrowserSession, BrowserSessions } from './browser-sessions.ts';
import {
  answeredChallenge,
  CHALLENGE_COOKIE,
  CHALLENGE_LIVES_S,
  type ChallengeDependencies,
  hostOf,
  newChallenge,
  userHandleOf,
} from './passkey-challenges.ts';
import { assertionSchema, attestationSchema } from './passkey-schemas.ts';
import { countUse, findPasskey, insertPasskey, listPasskeys, type Passkey, removePasskey } from './passkey-store.ts';
import { requireFresh, requireOwnFactor } from './session-proof.ts';
import type { SsoPolicy } from './sso-policy.ts';

const NAME_MAX = 60;

const nothing = z.strictObject({}).optional();
const registerBodySchema = z.strictObject({
  response: attestationSchema,
  name: z
    .string()
    .trim()
    .min(1)
    .max(NAME_MAX)
    .regex(/^\P{Cc}+$/u, 'No control characters.'),
});

export const passkeyRows = {
  'POST /passkey/sign-in/options': nothing,
  'POST /passkey/sign-in': z.strictObject({ response: assertionSchema }),
  'POST /passkey/register/options': nothing,
  'POST /passkey/register': registerBodySchema,
  'POST /passkey/remove': z.strictObject({ id: z.string().min(1).max(100) }),
} as const satisfies AuthRows;

type Dependencies = ChallengeDependencies & {
  db: Pick<Database, 'system'>;
  sessions: Pick<BrowserSessions, 'get' | 'open' | 'endById'>;
  policy: Pick<SsoPolicy, 'localSignIn'>;
  productName: string;
  record: RecordSecurity;
  log: LogRefusal;
  ids: () => string;
};

export function createPasskeyCalls(deps: Dependencies): AuthHandlers<typeof passkeyRows> {
  return {
    'POST /passkey/sign-in/options': (call) => signInOptions(deps, call),
    'POST /passkey/sign-in': (call) => signIn(deps, call),
    'POST /passkey/register/options': (call) => registerOptions(deps, call),
    'POST /passkey/register': (call) => register(deps, call),
    'POST /passkey/remove': (call) => remove(deps, call),
  };
}

async function signInOptions(deps: Dependencies, call: AuthCall): Promise<AuthAnswer> {
  const { challenge, setCookies } = await newChallenge(deps, null);
  const options = await generateAuthenticationOptions({
    rpID: hostOf(call),
    challenge,
    userVerification: 'required',
    timeout: CHALLENGE_LIVES_S * 1000,
  });
  return ok({ options }, setCookies);
}

async function signIn(
  deps: Dependencies,
  call: AuthCall<z.output<(typeof passkeyRows)['POST /passkey/sign-in']>>,
): Promise<AuthAnswer> {
  const { response } = call.body;
  const challenge = await answeredChallenge(deps, call, null);
  const passkey = challenge === undefined ? undefined : await findPasskey(deps.pool, response.id);
  if (challenge === undefined || passkey === undefined) {
    const reason = challenge === undefined ? 'CHALLENGE_UNKNOWN' : 'PASSKEY_UNKNOWN';
    deps.log.warn({ ...signInRefused, reason, method: 'passkey', request_id: call.requestId }, SIGN_IN_REFUSED);
    return refused(deps);
  }
  const signCount = await verifiedCount(call, { response, challenge, passkey });
  if (signCount === undefined) return await refusedFor(deps, call, passkey, 'PASSKEY_REFUSED');
  if (!(await countUse(deps.pool, { id: passkey.id, signCount, at: deps.now() }))) {
    return await refusedFor(deps, call, passkey, 'COUNTER_REGRESSED');
  }
  const { identityUserId, externalId } = passkey;
  const before = await wayIn(deps, externalId);
  if (typeof before === 'string') {
    await refusedFor(deps, call, passkey, before);
    return refusal(before);
  }
  const opened = await deps.sessions.open(call, { identityUserId, method: 'passkey', strong: true });
  // Whoever removed it meanwhile has ended the sessions there were, which this one may have come after.
  if ((await findPasskey(deps.pool, response.id)) === undefined) {
    await deps.sessions.endById(opened.sessionId);
    return await refusedFor(deps, call, passkey, 'PASSKEY_UNKNOWN');
  }
  const after = await wayIn(deps, externalId);
  if (typeof after === 'string') {
    await deps.sessions.endById(opened.sessionId);
    await refusedFor(deps, call, passkey, after);
    return refusal(after);
  }
  try {
    const { requestId } = call;
    const data = { method: 'passkey', ...after };
    const signedIn = { externalId, action: 'session.sign_in', outcome: 'ok', data } as const;
    await deps.record({ ...signedIn, from: originOf(call), requestId });
  } catch (error) {
    await deps.sessions.endById(opened.sessionId);
    throw error;
  }
  return ok({ signedIn: true }, [...opened.setCookies, deps.cookies.clear(CHALLENGE_COOKIE)]);
}

/**
 * For the record of the sign-in; the refusal where the rules let no passkey in. A break-glass account comes in with one as
 * with password and code: it is both factors, and nobody locks it by guessing.
 */
async function wayIn(
  { policy }: Pick<Dependencies, 'policy'>,
  externalId: string,
): Promise<{ break_glass?: true } | 'USER_DISABLED' | 'SSO_REQUIRED'> {
  const way = await policy.localSignIn(externalId);
  if (way === 'user_disabled') return 'USER_DISABLED';
  if (way === 'sso_required') return 'SSO_REQUIRED';
  return way === 'break_glass' ? { break_glass: true } : {};
}

type Assertion = { response: AuthenticationResponseJSON; challenge: string; passkey: Passkey };

/** The authenticator's counter when everything is right; undefined otherwise. */
async function verifiedCount(call: AuthCall, { response, challenge, passkey }: Assertion): Promise<number | undefined> {
  // A passkey that is found by itself names its account; one that names another is somebody's trick.
  if (response.response.userHandle !== userHandleOf(passkey.identityUserId)) return undefined;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: call.origin,
      expectedRPID: hostOf(call),
      requireUserVerification: true,
      // The counter is compared where it is stored, after the signature: a forged one must not look like a copy.
      credential: { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    // The library throws for whatever is wrong with what the client sent.
    return undefined;
  }
}

async function registerOptions(deps: Dependencies, call: AuthCall): Promise<AuthAnswer> {
  const session = await freshSession(deps, call);
  const existing = await listPasskeys(deps.pool, session.identityUserId);
  if (existing.length >= serverLimits.passkeysMax) {
    throw new AppError('CONFLICT', {
      message: `You have ${serverLimits.passkeysMax} passkeys. Remove one you no longer use.`,
    });
  }
  const { challenge, setCookies } = await newChallenge(deps, session.identityUserId);
  const options = await generateRegistrationOptions({
    rpName: deps.productName,
    rpID: hostOf(call),
    userName: session.email,
    userDisplayName: session.name,
    userID: new Uint8Array(Buffer.from(session.identityUserId)),
    challenge,
    attestationType: 'none',
    timeout: CHALLENGE_LIVES_S * 1000,
    excludeCredentials: existing.map(({ credentialId: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return ok({ options }, setCookies);
}

async function register(deps: Dependencies, call: AuthCall<z.output<typeof registerBodySchema>>): Promise<AuthAnswer> {
  const session = await freshSession(deps, call);
  const challenge = await answeredChallenge(deps, call, session.identityUserId);
  const registration = challenge && (await verifiedRegistration(call, call.body.response, challenge));
  if (!registration) return refused(deps);
  const { credential } = registration;
  const id = deps.ids();
  const createdAt = deps.now();
  const { name } = call.body;
  await deps.db.system(async (tx) => {
    await insertPasskey(sqlClient(tx), {
      id,
      identityUserId: session.identityUserId,
      credentialId: credential.id,
      publicKey: credential.publicKey,
      signCount: credential.counter,
      transports: credential.transports ?? [],
      name,
      createdAt,
    });
    await recordChange(deps, tx, { call, session, action: 'passkey.add', data: { passkey: id, name } });
  });
  const passkey = { id, name, created_at: createdAt.toISOString(), last_used_at: null };
  return ok({ passkey }, [deps.cookies.clear(CHALLENGE_COOKIE)]);
}

async function verifiedRegistration(call: AuthCall, response: RegistrationResponseJSON, challenge: string) {
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: call.origin,
      expectedRPID: hostOf(call),
      requireUserVerification: true,
    });
    return registrationInfo;
  } catch {
    return undefined;
  }
}

async function remove(deps: Dependencies, call: AuthCall<{ id: string }>): Promise<AuthAnswer> {
  const session = await freshSession(deps, call);
  const { id } = call.body;
  const { identityUserId, id: sessionId } = session;
  await deps.db.system(async (tx) => {
    const sessions_ended = await removePasskey(sqlClient(tx), { id, identityUserId, sessionId });
    await recordChange(deps, tx, { call, session, action: 'passkey.remove', data: { passkey: id, sessions_ended } });
  });
  return ok({ removed: true });
}

async function freshSession(deps: Dependencies, call: AuthCall): Promise<BrowserSession> {
  const session = await deps.sessions.get(call);
  requireFresh(session, deps.now());
  await requireOwnFactor(deps.pool, session);
  return session;
}

function refused(deps: Dependencies): AuthAnswer {
  const body = { code: 'PASSKEY_REFUSED', message: 'This passkey was not accepted.' };
  return { status: 401, setCookies: [deps.cookies.clear(CHALLENGE_COOKIE)], body };
}

async function refusedFor(deps: Dependencies, call: AuthCall, passkey: Passkey, reason: string): Promise<AuthAnswer> {
  await deps.record({
    externalId: passkey.externalId,
    action: 'session.sign_in',
    outcome: 'refused',
    reason,
    data: { method: 'passkey', passkey: passkey.id },
    requestId: call.requestId,
  });
  return refused(deps);
}

type Change = {
  call: AuthCall;
  session: BrowserSession;
  action: 'passkey.add' | 'passkey.remove';
  data: Readonly<Record<string, unknown>>;
};

async function recordChange(deps: Dependencies, tx: Tx, { call, session, action, data }: Change): Promise<void> {
  const { externalId } = session;
  await deps.record({ externalId, action, data, outcome: 'ok', requestId: call.requestId }, tx);
}
