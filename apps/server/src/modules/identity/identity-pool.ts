import pg from 'pg';
import { keptAlive, sessionBounds, startedWith } from '../../storage/connection-bounds.ts';
import { SYSTEM_ROLE } from '../../storage/roles.ts';

const INT8 = 20;

/**
 * Connections of the sign-in provider, which brings its own statements and finds its tables by the search path. Only
 * the system role may read them: no transaction of a tenant can reach a password hash.
 */
export function openIdentityPool(deps: {
  url: string;
  max?: number;
  log: { warn(fields: object, message: string): void };
}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: deps.url,
    application_name: 'airdeck-identity',
    options: startedWith([`role=${SYSTEM_ROLE}`, 'search_path=identity', ...sessionBounds]),
    max: deps.max ?? 4,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    ...keptAlive,
    // Numbers come back as numbers: left as text, the provider computes nonsense with them.
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8 && format !== 'binary'
          ? Number
          : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
  });
  pool.on('error', (error) => deps.log.warn({ error: error.message }, 'idle identity connection lost'));
  pool.on('connect', (client) => {
    client.on('error', (error) => deps.log.warn({ error: error.message }, 'identity connection lost'));
  });
  return pool;
}
