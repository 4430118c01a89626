/** A process of its own that holds both stores of a folder, for tests that kill it. */
import { lockDataDir } from './data-dir-lock.ts';
import { startEmbeddedEvents } from './embedded-events.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { StorageStartError } from './storage-start-error.ts';

const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

export type HostNews =
  | { kind: 'up'; postgresUrl: string; postgresPid: number; eventsPid: number | undefined }
  | { kind: 'refused'; code: string; message: string };

async function host(dataDir: string): Promise<void> {
  try {
    await lockDataDir(dataDir);
    const postgres = await startEmbeddedPostgres({ dataDir, log });
    const events = await startEmbeddedEvents({ dataDir, log });
    tell({ kind: 'up', postgresUrl: postgres.url, postgresPid: postgres.pid, eventsPid: events.pid() });
  } catch (error) {
    const code = error instanceof StorageStartError ? error.code : 'UNEXPECTED';
    tell({ kind: 'refused', code, message: String(error) });
    process.disconnect();
  }
}

function tell(news: HostNews): void {
  process.send?.(news);
}

await host(process.argv[2] ?? '');
