/**
 * Signing in through another provider: a social account, or single sign-on of an organisation.
 *
 * | Call | Body (query for GET) | Answer |
 * |---|---|---|
 * | GET /auth/connections | { email? } | { connections: [{ id, kind, label }] }, first those of the address's domain; without one, of the tenants of who is signed in |
 * | POST /auth/external/start | { connection, purpose } | { url } of the issuer; sets the cookie the rest hangs on. `link` needs a fresh session |
 * | GET /auth/external/callback | what the issuer's redirect brings | 303 to /validate?oauth_callback=true, whatever came of it |
 * | POST /auth/external/result | – | { step, purpose, reason? }, once; `signed_in` sets the session cookie |
 * | POST /auth/external/unlink | { id } | { unlinked: true }; 409 CONFLICT when it is the only way in |
 *
 * The callback is a navigation from another site and opens nothing: it only keeps what the issuer said. The session is
 * opened by the result, a call of our own page. Codes: NOT_FOUND, EXTERNAL_FAILED (502), REAUTHENTICATION_REQUIRED.
 */
import { safeRedirect } from '@airdeck/domain/safe-redirect';
import { z } from 'zod';
import { AppError } from '../../http/app-error.ts';
import { browserLocale } from '../../http/browser-locale.ts';
import { sqlClient } from '../../storage/database.ts';
import { type ConnectionChoice, type Connections, ExternalFailure, type OidcClient } from '../sso/sso-port.ts';
import { type AuthAnswer, type AuthCall, type AuthHandlers, type AuthRows, ok, originOf } from './auth-call.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import { requireFresh, requireOwnFactor } from './session-proof.ts';
import { unlinkAccount } from './sso-accounts.ts';
import {
  type ExternalAnswer,
  type ExternalPurpose,
  externalPurposeSchema,
  type PendingSignIn,
  type PendingSignIns,
} from './sso-pending.ts';
import type { SsoPolicy } from './sso-policy.ts';
import { logRefusal } from './sso-refusals.ts';
import { type ExternalChallenges, externalMethod } from './sso-sessions.ts';
import { decideExternal, type ExternalDecision, type ExternalSignInDeps } from './sso-sign-in.ts';
import type { createWorkLimit } from './work-limit.ts';

/** Where the browser goes on after every callback; it asks for the result there. */
const AFTER_CALLBACK = '/validate?oauth_callback=true';
const CONNECTION_ID_MAX = 60;

const startBodySchema = z.strictObject({
  connection: z.string().min(1).max(CONNECTION_ID_MAX),
  purpose: externalPurposeSchema,
});
const unlinkBodySchema = z.strictObject({ id: z.string().min(1).max(100) });
/** Issuers add parameters of their own, so nothing here refuses: what is not as expected counts as absent. */
const callbackQuerySchema = z.record(z.string(), z.unknown());

export const socialRows = {
  'GET /connections': z.strictObject({ email: z.email().max(254).optional() }),
  'POST /external/start': startBodySchema,
  'GET /external/callback': callbackQuerySchema,
  'POST /external/result': z.strictObject({}).optional(),
  'POST /external/unlink': unlinkBodySchema,
} as const satisfies AuthRows;

/** Rows a browser is sent to by another site. */
export const socialNavigations = ['GET /external/callback'] as const satisfies readonly (keyof typeof socialRows)[];

type Dependencies = ExternalSignInDeps & {
  connections: Connections;
  client: OidcClient;
  redirectUri: () => string;
  pending: PendingSignIns;
  challenges: ExternalChallenges;
  policy: Pick<SsoPolicy, 'externalSignIn' | 'requiredTenant'>;
  browser: BrowserSessions;
  /** Calls to issuers under way at a time. */
  limit: ReturnType<typeof createWorkLimit>;
};

export function createSocialCalls(deps: Dependencies): AuthHandlers<typeof socialRows> {
  return {
    'GET /connections': async (call) => ok({ connections: await offered(deps, call) }),
    'POST /external/start': (call) => start(deps, call),
    'GET /external/callback': (call) => callback(deps, call),
    'POST /external/result': (call) => result(deps, call),
    'POST /external/unlink': (call) => unlink(deps, call),
  };
}

async function offered(
  { connections, browser }: Dependencies,
  call: AuthCall<{ email?: string | undefined }>,
): Promise<ConnectionChoice[]> {
  const { email } = call.body;
  // Asked without an address for what to link: a member may have one of another domain.
  const session = email === undefined ? await browser.find(call) : undefined;
  return session === undefined ? await connections.list(email) : await connections.listFor(session.externalId);
}

async function start(deps: Dependencies, call: AuthCall<z.output<typeof startBodySchema>>): Promise<AuthAnswer> {
  const purpose = withSafeRedirect(call.body.purpose);
  const session = purpose.for === 'link' ? await deps.browser.get(call) : undefined;
  if (session !== undefined) {
    requireFresh(session, deps.now());
    await deps.db.system((tx) => requireOwnFactor(sqlClient(tx), session));
  }
  const connection = await deps.connections.find(call.body.connection);
  // A purchase belongs to no tenant yet, so no tenant's issuer can vouch for the buyer.
  if (connection === undefined || (purpose.for === 'marketplace' && connection.tenant !== null)) {
    throw new AppError('NOT_FOUND');
  }
  const { browser, request } = deps.pending.prepare();
  try {
    const redirectUri = deps.redirectUri();
    const url = await deps.limit(() => deps.client.authorizationUrl(connection, { ...request, redirectUri }));
    const cookie = await deps.pending.begin(
      { browser, state: request.state },
      { connection: connection.id, purpose, identityUserId: session?.identityUserId ?? null },
    );
    return ok({ url }, [cookie]);
  } catch (error) {
    if (!(error instanceof ExternalFailure)) throw error;
    noteFailure(deps, connection.id, error);
    return { status: 502, setCookies: [], body: { code: 'EXTERNAL_FAILED', message: error.message } };
  }
}

function withSafeRedirect(purpose: ExternalPurpose): ExternalPurpose {
  if (purpose.for !== 'sign_in' && purpose.for !== 'link') return purpose;
  return purpose.redirect === undefined ? purpose : { ...purpose, redirect: safeRedirect(purpose.redirect) };
}

async function callback(deps: Dependencies, call: AuthCall<Record<string, unknown>>): Promise<AuthAnswer> {
  const onwards: AuthAnswer = { status: 303, setCookies: [], body: {}, redirect: AFTER_CALLBACK };
  const query = knownParameters(call.body);
  const state = query.get('state');
  const begun = state === null ? undefined : await deps.pending.takeAnswer(call.cookie, state);
  if (begun === undefined || state === null) {
    // Somebody else's answer, brought to a browser that did not ask for one, or one that comes twice or late.
    logRefusal(deps, { reason: 'NOTHING_PENDING', requestId: call.requestId });
    return onwards;
  }
  await deps.pending.keepAnswer(state, await answerOf(deps, begun, query));
  return onwards;
}

type Begun = NonNullable<Awaited<ReturnType<PendingSignIns['takeAnswer']>>>;

async function answerOf(deps: Dependencies, begun: Begun, query: URLSearchParams): Promise<ExternalAnswer> {
  const connection = await deps.connections.find(begun.connection);
  if (connection === undefined) return { reason: 'CONNECTION_GONE' };
  const request = { ...begun.request, redirectUri: deps.redirectUri() };
  try {
    return { proof: await deps.limit(() => deps.client.exchange(connection, request, query)) };
  } catch (error) {
    if (!(error instanceof ExternalFailure)) throw error;
    noteFailure(deps, connection.id, error);
    return { reason: error.reason };
  }
}

function knownParameters(query: Readonly<Record<string, unknown>>): URLSearchParams {
  const known = ['code', 'state', 'iss', 'error'].flatMap((name): [string, string][] => {
    const value = query[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return new URLSearchParams(known);
}

function noteFailure(deps: Dependencies, connection: string, { reason, detail }: ExternalFailure): void {
  deps.log.warn({ connection, reason, detail }, 'external sign-in failed');
}

async function result(deps: Dependencies, call: AuthCall): Promise<AuthAnswer> {
  const taken = await deps.pending.takeResult(call.cookie);
  const forget = deps.pending.clearCookie();
  if (taken === undefined) {
    return ok({ step: 'failed', reason: 'NOTHING_PENDING', purpose: { for: 'sign_in' } }, [forget]);
  }
  const { purpose, answer } = taken;
  if ('reason' in answer)
    logRefusal(deps, { reason: answer.reason, connection: taken.connection, requestId: call.requestId });
  if ('reason' in answer) return ok({ step: 'failed', reason: answer.reason, purpose }, [forget]);
  const connection = await deps.connections.find(taken.connection);
  if (connection === undefined) return ok({ step: 'failed', reason: 'CONNECTION_GONE', purpose }, [forget]);
  const decision = await decideExternal(deps, {
    connection,
    proof: answer.proof,
    purpose,
    linkTo: await linkingUser(deps, call, taken),
    locale: browserLocale(call.languages),
    requestId: call.requestId,
  });
  const { setCookies, ...outcome } = await carryOut(deps, call, { connectionId: connection.id, decision });
  return ok({ ...outcome, purpose }, [forget, ...setCookies]);
}

/** Whoever began to link, if they are still signed in here. */
async function linkingUser(deps: Dependencies, call: AuthCall, { identityUserId }: PendingSignIn) {
  if (identityUserId === null) return undefined;
  const session = await deps.browser.find(call);
  return session?.identityUserId === identityUserId ? identityUserId : undefined;
}

async function carryOut(
  deps: Dependencies,
  call: AuthCall,
  { connectionId, decision }: { connectionId: string; decision: ExternalDecision },
): Promise<{ step: string; reason?: string; setCookies: string[] }> {
  switch (decision.step) {
    case 'signed_in': {
      const { identityUserId, externalId } = decision;
      const opened = await deps.browser.open(call, {
        identityUserId,
        method: externalMethod(connectionId),
        strong: false,
      });
      const allowed = await deps.policy.externalSignIn(externalId, connectionId);
      if (allowed !== 'open') {
        await deps.browser.endById(opened.sessionId);
        const refused = { externalId, action: 'session.sign_in', outcome: 'refused' } as const;
        const data = { connection: connectionId };
        await deps.record({ ...refused, reason: allowed.toUpperCase(), data, requestId: call.requestId });
        return { step: 'failed', reason: allowed.toUpperCase(), setCookies: [deps.browser.clearCookie()] };
      }
      await recordSignIn(deps, call, { externalId, connectionId, sessionId: opened.sessionId });
      return { step: 'signed_in', setCookies: opened.setCookies };
    }
    case 'second_factor':
      return {
        step: 'second_factor',
        setCookies: [await deps.challenges.begin(decision.identityUserId, connectionId)],
      };
    case 'linked':
      return { step: 'signed_in', setCookies: [] };
    default:
      return { step: decision.step, reason: decision.reason, setCookies: [] };
  }
}

async function recordSignIn(
  deps: Dependencies,
  call: AuthCall,
  { externalId, connectionId, sessionId }: { externalId: string; connectionId: string; sessionId: string },
): Promise<void> {
  try {
    const data = { connection: connectionId };
    const signedIn = { externalId, action: 'session.sign_in', outcome: 'ok', data, from: originOf(call) } as const;
    await deps.record({ ...signedIn, requestId: call.requestId });
  } catch (error) {
    await deps.browser.endById(sessionId);
    throw error;
  }
}

async function unlink(deps: Dependencies, call: AuthCall<z.output<typeof unlinkBodySchema>>): Promise<AuthAnswer> {
  const session = await deps.browser.get(call);
  requireFresh(session, deps.now());
  const { identityUserId, externalId, id: sessionId } = session;
  const { id } = call.body;
  const event = { externalId, action: 'external_account.unlink', requestId: call.requestId } as const;
  const outcome = await deps.db.system(async (tx) => {
    // Before the account, in the order of whoever changes rules and ends sessions by them.
    const requiredTenant = await deps.policy.requiredTenant(tx, externalId);
    const unlinked = await unlinkAccount(sqlClient(tx), { id, identityUserId, sessionId, requiredTenant });
    if (unlinked === 'unlinked') await deps.record({ ...event, outcome: 'ok' }, tx);
    return unlinked;
  });
  if (outcome === 'unknown') throw new AppError('NOT_FOUND');
  if (outcome === 'only_way_in') {
    await deps.record({ ...event, outcome: 'refused', reason: 'ONLY_WAY_IN' });
    throw new AppError('CONFLICT', { message: 'This is the only way into your account. Add another one first.' });
  }
  return ok({ unlinked: true });
}
