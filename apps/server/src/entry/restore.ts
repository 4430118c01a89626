/** What `airdeck restore` runs; see docs/backup.md. */
import { parseArgs } from 'node:util';
import { processConfig } from '../config/process-config.ts';
import { openDatabase } from '../storage/database.ts';
import { BackupError } from './backup/backup-error.ts';
import { endOnSignals, operatorLog, operatorMessage } from './backup/operator-output.ts';
import { countWaiting, lowerFence } from './backup/restore-fence-row.ts';
import { runRestore } from './backup/run-restore.ts';
import { reachStores } from './backup/store-access.ts';

const say = (line: string) => console.error(line);

async function restore(folder: string, keys: { path: string | undefined; without: boolean }): Promise<void> {
  const started = performance.now();
  await runRestore({
    config: processConfig(),
    folder,
    keys: keys.path === undefined ? { from: keys.without ? 'none' : 'backup' } : { from: 'file', path: keys.path },
    log: operatorLog,
    say,
  });
  say(
    `Done in ${((performance.now() - started) / 1000).toFixed(1)} s. The restore fence is up: people can sign in and`,
  );
  say(
    'read, nothing acts. Look through the runs in progress, cancel what must not go on, then: airdeck restore --lift-fence',
  );
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

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      keys: { type: 'string' },
      'without-keys': { type: 'boolean' },
      'lift-fence': { type: 'boolean' },
    },
  });
  if (values['lift-fence']) return await liftFence();
  const [folder] = positionals;
  if (folder === undefined) throw new BackupError('Name the folder of the backup, or --lift-fence.');
  await restore(folder, { path: values.keys, without: values['without-keys'] === true });
}

endOnSignals();
await main().catch((error: unknown) => {
  console.error(operatorMessage(error));
  process.exitCode = 1;
});
