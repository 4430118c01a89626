import type { StorageLog } from '../../storage/storage-log.ts';
import { startMessage } from '../start-error.ts';
import { BackupError } from './backup-error.ts';

const quiet = () => undefined;

/** Of the stores only what went wrong; progress has its own sentences. */
export const operatorLog: StorageLog = {
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: (_fields, message) => console.error(message),
};

/** A sentence where the cause is known and somebody can do something; everything else keeps its stack. */
export function operatorMessage(error: unknown): string {
  if (error instanceof BackupError) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') {
    return 'The disk is full. Free some space, delete the unfinished folder and begin anew.';
  }
  return startMessage(error);
}

/** Ends as any end does, so that stores which were started for the command are told to stop. */
export function endOnSignals(): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, () => process.exit(1));
}
