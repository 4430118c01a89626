/**
 * External sign-ins under way: `begun → answered → taken`, each step once, ten minutes for all of it.
 *
 * The browser that begins gets a random value in a cookie; state, nonce and PKCE verifier hang on it, and only hashes of
 * both are kept. An answer of the issuer that arrives in another browser (somebody's own sign-in pushed onto a victim)
 * therefore finds nothing, and could not redeem the code either. A crash on the way leaves a row that nobody can use any
 * more: the person begins again.
 */
import { createHash, createHmac } from 'node:crypto';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { Pool } from 'pg';
import { z } from 'zod';
import type { AuthorizationRequest, ExternalProof } from '../sso/sso-port.ts';
import type { SignedCookies } from './signed-cookies.ts';

const EXTERNAL_COOKIE = 'air_external';
export const EXTERNAL_LIFETIME_S = 600;
const RANDOM_BYTES = 32;

export const externalPurposeSchema = z.discriminatedUnion('for', [
  z.strictObject({ for: z.literal('sign_in'), redirect: z.string().max(2000).optional() }),
  z.strictObject({ for: z.literal('link'), redirect: z.string().max(2000).optional() }),
  z.strictObject({ for: z.literal('invitation'), ticket: z.string().min(1).max(500) }),
  z.strictObject({ for: z.literal('marketplace'), token: z.string().min(1).max(4000) }),
]);
export type ExternalPurpose = z.output<typeof externalPurposeSchema>;

/** What came back from the issuer: a proof, or why there is none. */
export type ExternalAnswer = { proof: ExternalProof } | { reason: string };

const answerSchema = z.union([
  z.strictObject({
    proof: z.strictObject({
      issuer: z.string(),
      subject: z.string(),
      email: z.string().nullable(),
      emailVerified: z.boolean(),
      domainProved: z.boolean(),
      name: z.string(),
      groups: z.array(z.string()).nullable(),
      // Answers that were kept before this was part of them live for a few more minutes.
      directory: z.strictObject({ tenant: z.string(), object: z.string() }).nullable().default(null),
    }),
  }),
  z.strictObject({ reason: z.string() }),
]);

export type PendingSignIn = {
  connection: string;
  purpose: ExternalPurpose;
  /** Who links, as they were signed in when they began. */
  identityUserId: string | null;
};

export type PendingSignIns = {
  /** Values for the authorization request; nothing is kept yet. */
  prepare(): { browser: string; request: Omit<AuthorizationRequest, 'redirectUri'> };
  /** Keeps it; the cookie to set. */
  begin(prepared: { browser: string; state: string }, pending: PendingSignIn): Promise<string>;
  /** The sign-in this browser began under that state, once. */
  takeAnswer(
    cookie: string | undefined,
    state: string,
  ): Promise<(PendingSignIn & { request: Omit<AuthorizationRequest, 'redirectUri'> }) | undefined>;
  keepAnswer(state: string, answer: ExternalAnswer): Promise<void>;
  /** What became of the sign-in this browser began, once. */
  takeResult(cookie: string | undefined): Promise<(PendingSignIn & { answer: ExternalAnswer }) | undefined>;
  clearCookie(): string;
};

type Dependencies = {
  pool: Pool;
  cookies: SignedCookies;
  secret: string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
};

type Row = { connection: string; purpose: string; user_id: string | null; answer: string | null };

export function createPendingSignIns({ pool, cookies, secret, now, randomBytes }: Dependencies): PendingSignIns {
  const seal = (value: unknown) => symmetricEncrypt({ key: secret, data: JSON.stringify(value) });
  const open = async (sealed: string): Promise<unknown> =>
    JSON.parse(await symmetricDecrypt({ key: secret, data: sealed }));
  const pendingOf = async (row: Row): Promise<PendingSignIn> => ({
    connection: row.connection,
    purpose: externalPurposeSchema.parse(await open(row.purpose)),
    identityUserId: row.user_id,
  });

  return {
    prepare() {
      const browser = randomBytes(RANDOM_BYTES).toString('base64url');
      const state = randomBytes(RANDOM_BYTES).toString('base64url');
      return { browser, request: requestOf(browser, state) };
    },
    async begin({ browser, state }, pending) {
      const at = now();
      await pool.query('delete from identity.external_sign_in where expires_at <= $1', [at]);
      await pool.query(
        `insert into identity.external_sign_in (state_hash, browser_hash, connection, purpose, user_id, expires_at)
         values ($1, $2, $3, $4, $5, $6)`,
        [
          hash(state),
          hash(browser),
          pending.connection,
          await seal(pending.purpose),
          pending.identityUserId,
          new Date(at.getTime() + EXTERNAL_LIFETIME_S * 1000),
        ],
      );
      return cookies.write(EXTERNAL_COOKIE, browser, EXTERNAL_LIFETIME_S);
    },
    async takeAnswer(cookie, state) {
      const browser = cookies.read(cookie, EXTERNAL_COOKIE);
      if (browser === undefined) return undefined;
      const { rows } = await pool.query<Row>(
        `update identity.external_sign_in set answered_at = $3
         where state_hash = $1 and browser_hash = $2 and answered_at is null and expires_at > $3
         returning connection, purpose, user_id, answer`,
        [hash(state), hash(browser), now()],
      );
      const [row] = rows;
      return row === undefined ? undefined : { ...(await pendingOf(row)), request: requestOf(browser, state) };
    },
    async keepAnswer(state, answer) {
      await pool.query('update identity.external_sign_in set answer = $2 where state_hash = $1', [
        hash(state),
        await seal(answer),
      ]);
    },
    async takeResult(cookie) {
      const browser = cookies.read(cookie, EXTERNAL_COOKIE);
      if (browser === undefined) return undefined;
      const { rows } = await pool.query<Row>(
        `delete from identity.external_sign_in where browser_hash = $1 and answer is not null and expires_at > $2
         returning connection, purpose, user_id, answer`,
        [hash(browser), now()],
      );
      const [row] = rows;
      if (row === undefined || row.answer === null) return undefined;
      return { ...(await pendingOf(row)), answer: answerSchema.parse(await open(row.answer)) };
    },
    clearCookie: () => cookies.clear(EXTERNAL_COOKIE),
  };
}

function requestOf(browser: string, state: string): Omit<AuthorizationRequest, 'redirectUri'> {
  const derived = (what: string) => createHmac('sha256', browser).update(`${what}:${state}`).digest('base64url');
  return { state, nonce: derived('nonce'), verifier: derived('verifier') };
}

function hash(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}
