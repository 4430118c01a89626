/** Challenges: the id is in a signed cookie of the browser that asked, the challenge itself stays here. */
import type { Pool } from 'pg';
import type { AuthCall } from './auth-call.ts';
import { insertChallenge, takeChallenge } from './passkey-store.ts';
import type { SignedCookies } from './signed-cookies.ts';

export const CHALLENGE_COOKIE = 'air_passkey';
export const CHALLENGE_LIVES_S = 300;

export type ChallengeDependencies = {
  pool: Pool;
  cookies: SignedCookies;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
};

/** For the sign-in of anybody, or for a registration by the account that is named. */
export async function newChallenge(deps: ChallengeDependencies, identityUserId: string | null) {
  const [id, challenge] = [deps.randomBytes(16), deps.randomBytes(32)];
  const now = deps.now();
  const expiresAt = new Date(now.getTime() + CHALLENGE_LIVES_S * 1000);
  const row = { id: id.toString('base64url'), challenge: challenge.toString('base64url'), identityUserId, expiresAt };
  await insertChallenge(deps.pool, row, now);
  const setCookies = [deps.cookies.write(CHALLENGE_COOKIE, row.id, CHALLENGE_LIVES_S)];
  return { challenge: new Uint8Array(challenge), setCookies };
}

/** The challenge the call answers; it cannot be answered again. */
export async function answeredChallenge(deps: ChallengeDependencies, call: AuthCall, identityUserId: string | null) {
  const id = deps.cookies.read(call.cookie, CHALLENGE_COOKIE);
  return id === undefined ? undefined : await takeChallenge(deps.pool, { id, identityUserId }, deps.now());
}

/** The relying party's id is the bare host; its port does not belong to it. */
export function hostOf(call: Pick<AuthCall, 'origin'>): string {
  return new URL(call.origin).hostname;
}

export function userHandleOf(identityUserId: string): string {
  return Buffer.from(identityUserId).toString('base64url');
}
