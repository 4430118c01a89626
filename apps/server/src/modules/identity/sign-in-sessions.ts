import type { Pool } from 'pg';
import type { SignInSessions } from './sign-in-calls.ts';

export function createSignInSessions(deps: { pool: Pool }): SignInSessions {
  async function externalId(statement: string, value: string): Promise<string | undefined> {
    const { rows } = await deps.pool.query<{ externalId: string }>(statement, [value]);
    return rows[0]?.externalId;
  }

  return {
    externalIdOfUser: (id) => externalId('select "externalId" from identity."user" where "id" = $1', id),
    externalIdOfChallenge: (challenge) =>
      externalId(
        `select u."externalId" from identity."verification" v join identity."user" u on u."id" = v."value"
         where v."identifier" = $1`,
        decodeURIComponent(challenge),
      ),
    async end(token) {
      await deps.pool.query('delete from identity."session" where "token" = $1', [token]);
    },
  };
}
