/**
 * Calls refused because a store is away or too busy. While one is, every call of every tenant is refused, and a line with a stack
 * for each would fill the disk. So the first of a cause in a minute is written with all we know of it, and after that minute
 * how many more there were (record-windows.ts). Each of those still has its line at the level `debug`, with the id of its request.
 */
import type { ErrorCode } from '@airdeck/contracts/error-codes';
import { sqlStateOf } from '../storage/sql-state.ts';
import type { AppError } from './app-error.ts';
import { createRecordWindows } from './record-windows.ts';

const TELL_EVERY_MS = 15_000;
const CAUSES_MAX = 20;
const summed: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['STORE_UNAVAILABLE', 'OVERLOADED']);

type Failure = { code: ErrorCode; cause: string };

export type SummedFailures = {
  /** False where it was only counted. */
  isToBeWritten(error: AppError): boolean;
  start(): void;
  /** Tells what is counted and not told yet. */
  stop(): void;
};

type Dependencies = { now: () => Date; log: { warn(fields: object, message: string): void } };

export function createSummedFailures({ now, log }: Dependencies): SummedFailures {
  const windows = createRecordWindows<Failure>({ now, subjectsMax: summed.size, kindsMax: CAUSES_MAX });
  let timer: NodeJS.Timeout | undefined;

  function tellCounts(options?: { all: boolean }): void {
    for (const { example, repeated } of windows.drain(options).counted) {
      log.warn({ ...example, repeated }, 'requests refused');
    }
  }

  return {
    isToBeWritten(error) {
      const { code } = error;
      if (!summed.has(code)) return true;
      const cause = causeOf(error);
      return windows.take(code, cause, { code, cause });
    },
    start() {
      timer ??= setInterval(() => tellCounts(), TELL_EVERY_MS).unref();
    },
    stop() {
      clearInterval(timer);
      tellCounts({ all: true });
    },
  };
}

/** By code, as texts of errors have addresses and times in them. */
function causeOf({ cause }: AppError): string {
  return sqlStateOf(cause) ?? (cause instanceof Error ? cause.name : 'none');
}
