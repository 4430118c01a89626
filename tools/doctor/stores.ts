import { createRequire } from 'node:module';
import pg from 'pg';
import { locatePostgresBinaries } from '../../apps/server/src/storage/postgres-binaries.ts';
import type { StorageLog } from '../../apps/server/src/storage/storage-log.ts';
import { type Finding, found } from './finding.ts';

const ANSWER_WITHIN_MS = 5_000;
const quiet = () => undefined;
const log: StorageLog = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/** The shared stores answer, or the embedded ones have what they need. */
export async function checkStores(stores: {
  databaseUrl: string | undefined;
  eventsUrl: string | undefined;
}): Promise<Finding[]> {
  return await Promise.all([
    stores.databaseUrl === undefined
      ? attempt('PostgreSQL', 'embedded, its programs are installed', () => {
          // The account that will run it is the start's business; here only what was installed counts.
          locatePostgresBinaries(undefined, log);
        })
      : attempt('DATABASE_URL', 'PostgreSQL answers', queryPostgres(stores.databaseUrl)),
    stores.eventsUrl === undefined
      ? attempt('event store', 'embedded, its library is installed', () => {
          createRequire(import.meta.url).resolve('chdb');
        })
      : attempt('EVENTS_URL', 'ClickHouse answers', pingClickHouse(stores.eventsUrl)),
  ]);
}

async function attempt(name: string, inOrder: string, check: () => Promise<void> | void): Promise<Finding> {
  try {
    await check();
    return found(name, undefined, inOrder);
  } catch (error) {
    return found(name, reasonOf(error), '');
  }
}

function queryPostgres(url: string): () => Promise<void> {
  return async () => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ANSWER_WITHIN_MS });
    // Losing the connection also rejects the query, which is where it is reported.
    client.on('error', quiet);
    try {
      await client.connect();
      await client.query('select 1');
    } finally {
      await client.end().catch(quiet);
    }
  };
}

function pingClickHouse(url: string): () => Promise<void> {
  return async () => {
    const { username, password, origin } = new URL(url);
    const answer = await fetch(`${origin}/?query=${encodeURIComponent('SELECT 1')}`, {
      headers: { 'X-ClickHouse-User': decodeURIComponent(username), 'X-ClickHouse-Key': decodeURIComponent(password) },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    if (!answer.ok) throw new Error(`answered ${answer.status}: ${(await answer.text()).slice(0, 200)}`);
  };
}

/** Connection errors hide in the cause of fetch's and in the list of a name with several addresses. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  return inner instanceof Error ? reasonOf(inner) : error.message || error.name;
}
