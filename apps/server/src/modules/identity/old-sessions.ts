import type { Pool } from 'pg';

/** A session has a token for every five minutes it was used, which go with it. */
const AT_ONCE = 500;

/** Sessions whose time is over, and second factors that nobody showed in time. Most people close the browser and leave theirs. */
export function createOldSessions({ pool, now }: { pool: Pick<Pool, 'query'>; now: () => Date }) {
  return {
    async forgetOld(): Promise<void> {
      for (const table of ['session', 'verification']) {
        for (let gone = AT_ONCE; gone === AT_ONCE; ) {
          const { rowCount } = await pool.query(
            `delete from identity."${table}" where "id" in (
               select "id" from identity."${table}" where "expiresAt" <= $1 limit ${AT_ONCE} for update skip locked)`,
            [now()],
          );
          gone = rowCount ?? 0;
        }
      }
    },
  };
}
