/**
 * What the processes of one installation share, for tests of several of them: PostgreSQL, the event store over HTTP and a
 * bucket. Takes a folder and how it comes to its PostgreSQL (`Database`, as JSON); tells its parent the addresses, and ends
 * with it.
 */
import { startS3StandIn } from '../modules/files/s3-stand-in.ts';
import { lockDataDir } from '../storage/data-dir-lock.ts';
import { startEmbeddedEvents } from '../storage/embedded-events.ts';
import { startEmbeddedPostgres } from '../storage/embedded-postgres.ts';

const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

type Database = {
  /** Of an empty database of another PostgreSQL. */
  url?: string;
  /** Variables the embedded one gets. */
  environment?: Record<string, string>;
};

async function host(dataDir: string, { url, environment = {} }: Database): Promise<void> {
  const lock = await lockDataDir(dataDir);
  // Each process of the server may open some thirty connections.
  const postgres =
    url === undefined
      ? await startEmbeddedPostgres({ dataDir, log, environment, parameters: { max_connections: '250' } })
      : { url, stop: async () => undefined };
  const events = await startEmbeddedEvents({ dataDir, log });
  const files = await startS3StandIn();
  const eventsUrl = new URL(events.url);
  eventsUrl.username = events.user;
  eventsUrl.password = events.password;
  process.send?.({ DATABASE_URL: postgres.url, EVENTS_URL: eventsUrl.toString(), FILES_URL: files.url });
  process.once('disconnect', () => {
    void Promise.all([postgres.stop(), events.stop(), files.close()])
      .then(() => lock.release())
      .finally(() => process.exit());
  });
}

await host(process.argv[2] ?? '', JSON.parse(process.argv[3] ?? '{}') as Database);
