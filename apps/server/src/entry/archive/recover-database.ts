/**
 * The database of an archive, brought back into an empty data folder as it was at the moment that was asked for. It can be
 * used from the moment its restore fence is up: until then nobody knows its password.
 */
import { chownSync, mkdirSync } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../storage/embedded-postgres.ts';
import { postgresAccount } from '../../storage/postgres-account.ts';
import { locatePostgresBinaries } from '../../storage/postgres-binaries.ts';
import { renewPassword } from '../../storage/postgres-cluster.ts';
import type { StorageLog } from '../../storage/storage-log.ts';
import { StorageStartError } from '../../storage/storage-start-error.ts';
import { readPacked } from '../backup/packed-file.ts';
import { raisedFence } from '../backup/restore-fence-row.ts';
import { BASE_FILE, BASES } from './base-copies.ts';
import { type RecoveryPlan, readLogFile } from './recovery-plan.ts';
import { unpackTar } from './unpack-tar.ts';

/** Reading days of log again takes its time. */
const RECOVERED_WITHIN_MS = 24 * 3_600_000;

export async function recoverDatabase(options: {
  folder: string;
  dataDir: string;
  plan: RecoveryPlan;
  log: StorageLog;
  say: (line: string) => void;
}): Promise<void> {
  const { folder, dataDir, plan, log, say } = options;
  const account = postgresAccount();
  const cluster = join(dataDir, 'postgres');
  mkdirSync(cluster, { mode: 0o700 });
  if (account !== undefined) chownSync(cluster, account.uid, account.gid);
  await unpackTar(readPacked(join(folder, BASES, plan.base.name), BASE_FILE), cluster, account);
  // Where the database looks for its log: nothing has to be copied once more, and it clears away what it has read.
  for (const file of plan.log) {
    const handle = await open(join(cluster, 'pg_wal', file.segment), 'wx', 0o600);
    try {
      await handle.writeFile(await readLogFile(folder, file, say));
      if (account !== undefined) await handle.chown(account.uid, account.gid);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
  const signal = join(cluster, 'recovery.signal');
  await writeFile(signal, '', { mode: 0o600 });
  if (account !== undefined) chownSync(signal, account.uid, account.gid);
  // Nobody knows its password, and nobody is asked in before it has a new one.
  await writeFile(join(dataDir, 'postgres.password'), '-', { mode: 0o600 });
  say(`Database: copy of ${plan.base.finished_at}, and ${plan.log.length} files of its log since.`);
  await recover({ dataDir, until: plan.until, log });
  await rm(join(cluster, 'recovery.signal'), { force: true });
  await renewPassword(dataDir, locatePostgresBinaries(account, log).postgres, [raisedFence(plan.moment)]);
}

async function recover({ dataDir, until, log }: { dataDir: string; until: Date | undefined; log: StorageLog }) {
  const parameters = {
    // The log is in place; there is nowhere to fetch more from.
    restore_command: 'false',
    recovery_target_action: 'promote',
    hot_standby: 'off',
  };
  const target = until === undefined ? {} : { recovery_target_time: until.toISOString().replace('Z', '+00') };
  const start = async (more: Readonly<Record<string, string>>) =>
    await startEmbeddedPostgres({
      ...{ dataDir, log, readyWithinMs: RECOVERED_WITHIN_MS },
      parameters: { ...parameters, ...more },
    });
  const running = await start(target).catch(async (error: unknown) => {
    if (!(error instanceof StorageStartError) || error.code !== 'RECOVERY_LOG_ENDED') throw error;
    // It refuses a moment after the last commit of its log: then all of the log is from before that moment.
    return await start({});
  });
  await running.stop();
}
