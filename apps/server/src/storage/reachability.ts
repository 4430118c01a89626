/**
 * Asks the database whether it is there, on a connection of its own: those of the pools may all be in use, and a database that
 * many work with at once is not one that is away.
 *
 * The connection is opened by the first question and kept, because each new one costs the server a process. One that broke
 * meanwhile, or says nothing, is replaced within the same question, which so tells of the database and not of the connection.
 * Whoever asks while a question is under way gets its answer.
 */
import pg from 'pg';
import { keepalives, keptAlive, startedWith } from './connection-bounds.ts';
import { APP_ROLE, SYSTEM_ROLE } from './roles.ts';
import { errorText, type StorageLog } from './storage-log.ts';

/** Below the three seconds readiness waits (modules/system): time is left for a new connection. */
const ANSWER_WITHIN_MS = 2_000;
const QUESTION = `set role ${APP_ROLE}; set role ${SYSTEM_ROLE}; reset role`;

type Options = { url: string; log: StorageLog; connectWithinMs: number };

export type Reachability = {
  /** Resolves when the database answers and both roles may be taken; rejects with the reason. */
  ask(): Promise<void>;
  close(): Promise<void>;
};

export function createReachability({ url, log, connectWithinMs }: Options): Reachability {
  let kept: pg.Client | undefined;
  let asking: Promise<void> | undefined;

  async function open(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'airdeck-reachability',
      options: startedWith(keepalives),
      connectionTimeoutMillis: Math.min(connectWithinMs, ANSWER_WITHIN_MS),
      query_timeout: ANSWER_WITHIN_MS,
      ...keptAlive,
    });
    client.on('error', (error) => log.debug({ error: errorText(error) }, 'connection that asks for the database lost'));
    client.once('end', () => {
      if (kept === client) kept = undefined;
    });
    try {
      await client.connect();
    } catch (error) {
      letGo(client);
      throw error;
    }
    return client;
  }

  async function question(): Promise<void> {
    const before = kept;
    if (before !== undefined && (await answers(before))) return;
    const client = await open();
    try {
      await client.query(QUESTION);
    } catch (error) {
      letGo(client);
      throw error;
    }
    kept = client;
  }

  async function answers(client: pg.Client): Promise<boolean> {
    try {
      await client.query(QUESTION);
      return true;
    } catch {
      // Why is told by the one that replaces it.
      kept = undefined;
      letGo(client);
      return false;
    }
  }

  return {
    ask() {
      asking ??= question().finally(() => {
        asking = undefined;
      });
      return asking;
    },
    async close() {
      await asking?.catch(() => undefined);
      await kept?.end();
    },
  };
}

/** Nobody waits for the end of a connection that may be silent for ever. */
function letGo(client: pg.Client): void {
  client.end().catch(() => undefined);
}
