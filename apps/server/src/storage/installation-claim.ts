/**
 * Processes that share a database have to share secrets and files as well: with other ones they would end each other's
 * sessions, and write what the others cannot open. Each of them holds a shared advisory lock on a fingerprint of what it
 * uses, as long as it runs, and refuses to start beside a lock on another one. Two that start at the same moment may both
 * be refused, never both be let in.
 *
 * A crash frees the lock with its connection. A connection that is lost is opened again, with the lock; meanwhile nothing
 * is refused that runs already.
 */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { keepalives, keptAlive, startedWith } from './connection-bounds.ts';
import { errorText, type StorageLog } from './storage-log.ts';
import { StorageStartError } from './storage-start-error.ts';

/** The first of the two numbers of our locks, which no others of ours have. */
const LOCK_CLASS = 1_095_320_900;
/** The second number of the one that writes a demo. */
const DEMO = 0;
const RETRY_MS = 5_000;
const CONNECT_WITHIN_MS = 10_000;

type Options = {
  url: string;
  /** Everything that has to be the same; never kept nor shown. */
  shared: readonly string[];
  /** A demo is written by one process. */
  hasDemo: boolean;
  log: StorageLog;
  /** The default is ten seconds. */
  connectWithinMs?: number;
};

export type InstallationClaim = { release(): Promise<void> };

/** Throws `StorageStartError` where a process with other secrets or files is at work. */
export async function claimInstallation(options: Options): Promise<InstallationClaim> {
  const { url, shared, hasDemo, log, connectWithinMs = CONNECT_WITHIN_MS } = options;
  const own = fingerprintOf(shared);
  let held: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let released = false;

  async function take(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'airdeck-claim',
      options: startedWith(keepalives),
      connectionTimeoutMillis: connectWithinMs,
      ...keptAlive,
    });
    client.on('error', (error) => log.warn({ error: errorText(error) }, 'claiming connection lost'));
    await client.connect();
    try {
      await client.query('select pg_advisory_lock_shared($1, $2)', [LOCK_CLASS, own]);
    } catch (error) {
      await client.end();
      throw error;
    }
    client.once('end', () => {
      held = undefined;
      againLater();
    });
    return client;
  }

  function againLater(): void {
    if (released) return;
    retry = setTimeout(() => {
      take().then((client) => {
        held = client;
        if (released) void client.end();
      }, againLater);
    }, RETRY_MS).unref();
  }

  const client = await take();
  held = client;
  const release = async () => {
    released = true;
    clearTimeout(retry);
    await held?.end();
  };
  try {
    const { rows } = await client.query(
      `select 1 from pg_locks where locktype = 'advisory' and classid = $1 and objid not in ($2, $3) and objsubid = 2
         and database = (select oid from pg_database where datname = current_database()) limit 1`,
      [LOCK_CLASS, own, DEMO],
    );
    if (rows.length > 0) throw new StorageStartError('DATABASE_OF_ANOTHER', otherSecrets);
    if (hasDemo && !(await isOnlyDemo(client))) throw new StorageStartError('DATABASE_OF_ANOTHER', otherDemo);
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
}

const otherSecrets =
  'Another process works on this database with other secrets or files. Processes that share DATABASE_URL need the same IDENTITY_SECRET, CONNECTOR_KEYS_FILE and FILES_URL.';
const otherDemo =
  'Another process keeps a demo on this database. Set MOCK_DATA to false here, or give this process a database of its own.';

async function isOnlyDemo(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', [
    LOCK_CLASS,
    DEMO,
  ]);
  return rows[0]?.taken === true;
}

/** Of 30 bits: no secret can be guessed from it, and never the number of the demo. */
function fingerprintOf(shared: readonly string[]): number {
  const digest = createHash('sha256').update(JSON.stringify(shared)).digest();
  return (digest.readUInt32BE(0) >>> 2) + 1;
}
