import type { Pool } from 'pg';
import type { SignInSessions } from './sign-in-calls.ts';

/** What challenges are made of. Nobody has looked at the cookie's signature yet: anything may stand there. */
const CHALLENGE = /^[\w-]{1,200}$/;

export function createSignInSessions(deps: { pool: Pool }): SignInSessions {
  async function externalId(statement: string, value: string): Promise<string | undefined> {
    const { rows } = await deps.pool.query<{ externalId: string }>(statement, [value]);
    return rows[0]?.externalId;
  }

  return {
    externalIdOfUser: (id) => externalId('select "externalId" from identity."user" where "id" = $1', id),
    async externalIdOfChallenge(challenge) {
      if (!CHALLENGE.test(challenge)) return undefined;
      return await externalId(
        `select u."externalId" from identity."verification" v join identity."user" u on u."id" = v."value"
         where v."identifier" = $1`,
        challenge,
      );
    },
    async end(token) {
      await deps.pool.query('delete from identity."session" where "token" = $1', [token]);
    },
  };
}
