/**
 * A connection that shows by being open that this process lives: locks of its session are seen by others, and a killed
 * process loses them at once.
 *
 * It is opened again soon after it was lost, whatever the reason, until it is ended: those who look for it wait about a
 * second before they believe that the process is gone. Nothing else runs on it.
 */
import pg from 'pg';
import { keepalives, keptAlive, startedWith } from './connection-bounds.ts';
import { errorText, type StorageLog } from './storage-log.ts';

const RETRY_MS = 200;
const CONNECT_WITHIN_MS = 2_000;

type Options = {
  url: string;
  log: StorageLog;
  /** Runs on every session before it counts as open. */
  onOpen: (client: pg.Client) => Promise<unknown>;
};

/** Resolves when the first session is open; to what ends it for good. */
export async function keepSession({ url, log, onOpen }: Options): Promise<() => Promise<void>> {
  let held: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let opening: Promise<void> = Promise.resolve();
  let ended = false;

  async function open(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'airdeck-presence',
      options: startedWith(keepalives),
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      ...keptAlive,
    });
    client.on('error', (error) => log.warn({ error: errorText(error) }, 'session lost'));
    try {
      await client.connect();
      await onOpen(client);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    held = client;
    client.once('end', () => {
      held = undefined;
      againLater();
    });
  }

  function againLater(): void {
    if (ended) return;
    retry = setTimeout(() => {
      opening = open().catch(againLater);
    }, RETRY_MS);
  }

  await open();
  return async () => {
    ended = true;
    clearTimeout(retry);
    await opening;
    await held?.end();
  };
}
