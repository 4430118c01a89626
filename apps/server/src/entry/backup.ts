/** What `airdeck backup` runs; see docs/backup.md. Progress goes to standard error, the folder to standard output. */
import { parseArgs } from 'node:util';
import { processConfig } from '../config/process-config.ts';
import { BackupError } from './backup/backup-error.ts';
import { endOnSignals, operatorLog, operatorMessage } from './backup/operator-output.ts';
import { takeBackup } from './backup/take-backup.ts';

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'with-keys': { type: 'boolean' }, keys: { type: 'string' } },
  });
  const [folder] = positionals;
  if (folder === undefined) throw new BackupError('Name a new folder for the backup.');
  if (values.keys !== undefined && values['with-keys']) throw new BackupError('Choose --keys <file> or --with-keys.');
  const config = processConfig();
  const started = performance.now();
  const { taken_at } = await takeBackup({
    config,
    productVersion: config.dashboard.release,
    folder,
    keys:
      values.keys === undefined
        ? { kept: values['with-keys'] === true ? 'inside' : 'no' }
        : { kept: 'elsewhere', path: values.keys },
    log: operatorLog,
    say: (line) => console.error(line),
  });
  console.error(`Done in ${((performance.now() - started) / 1000).toFixed(1)} s: the state of ${taken_at}.`);
  console.log(folder);
}

endOnSignals();
await main().catch((error: unknown) => {
  console.error(operatorMessage(error));
  process.exitCode = 1;
});
