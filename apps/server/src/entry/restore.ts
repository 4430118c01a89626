/** What `airdeck restore` runs; see docs/backup.md. */
import { parseArgs } from 'node:util';
import { processConfig } from '../config/process-config.ts';
import { openDatabase } from '../storage/database.ts';
import { isArchive, restoreArchive } from './archive/restore-archive.ts';
import { BackupError } from './backup/backup-error.ts';
import { endOnSignals, operatorLog, operatorMessage } from './backup/operator-output.ts';
import { countWaiting, lowerFence } from './backup/restore-fence-row.ts';
import { runRestore } from './backup/run-restore.ts';
import { reachStores } from './backup/store-access.ts';

const say = (line: string) => console.error(line);

type Request = { keys: { path: string | undefined; without: boolean }; until: Date | undefined };

async function restore(folder: string, { keys, until }: Request): Promise<void> {
  const started = performance.now();
  if (await isArchive(folder)) await restoreFromArchive(folder, { keys, until });
  else if (until !== undefined) throw new BackupError('A backup is of one moment: --until is for archives.');
  else await restoreBackup(folder, keys);
  say(
    `Done in ${((performance.now() - started) / 1000).toFixed(1)} s. The restore fence is up: people can sign in and`,
  );
  say(
    'read, nothing acts. Look through the runs in progress, cancel what must not go on, then: airdeck restore --lift-fence',
  );
}

async function restoreFromArchive(folder: string, { keys, until }: Request): Promise<void> {
  if (keys.path === undefined && !keys.without) {
    throw new BackupError(
      'An archive holds no keys. Name the file airdeck backup --keys wrote with --keys <file>; or restore with --without-keys, and put connector-keys.json and identity.secret into the data folder by hand before the first start: without them the secrets of all connectors and all authenticators are lost.',
    );
  }
  await restoreArchive({
    ...{ config: processConfig(), folder, until, log: operatorLog, say },
    keys: keys.path === undefined ? { from: 'none' } : { from: 'file', path: keys.path },
  });
}

async function restoreBackup(folder: string, keys: Request['keys']): Promise<void> {
  await runRestore({
    config: processConfig(),
    folder,
    keys: keys.path === undefined ? { from: keys.without ? 'none' : 'backup' } : { from: 'file', path: keys.path },
    log: operatorLog,
    say,
  });
}

async function liftFence(): Promise<void> {
  const stores = await reachStores(processConfig(), operatorLog);
  const db = openDatabase({ url: stores.databaseUrl, log: operatorLog, poolSize: { app: 1, system: 2 } });
  try {
    const { runs, questions, jobs, mails } = await countWaiting(db);
    await lowerFence(db, new Date());
    say('The restore fence is lifted, and every audit log says so. What goes on now:');
    say(`${runs} runs in progress, ${questions} open questions, ${jobs} jobs, ${mails} mails.`);
  } finally {
    await db.close();
    await stores.stop();
  }
}

/** With its zone: an hour of another one would be restored without a word. */
function momentFrom(text: string): Date {
  if (/T.*(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))) return new Date(text);
  throw new BackupError('--until takes a moment with its zone, such as 2026-11-24T09:30:00Z.');
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      keys: { type: 'string' },
      'without-keys': { type: 'boolean' },
      'lift-fence': { type: 'boolean' },
      until: { type: 'string' },
    },
  });
  if (values['lift-fence']) return await liftFence();
  const [folder] = positionals;
  if (folder === undefined) throw new BackupError('Name the folder of the backup or archive, or --lift-fence.');
  await restore(folder, {
    keys: { path: values.keys, without: values['without-keys'] === true },
    until: values.until === undefined ? undefined : momentFrom(values.until),
  });
}

endOnSignals();
await main().catch((error: unknown) => {
  console.error(operatorMessage(error));
  process.exitCode = 1;
});
