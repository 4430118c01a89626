/**
 * Writes batches so that each of their events is stored, evaluated and counted exactly once:
 *
 *   1. PostgreSQL: rows `writing`, committed
 *   2. event store: the events, durable when the insert answers (and meanwhile: which policies they fit)
 *   3. PostgreSQL, one transaction: rows `done`, alerts answered, matches applied, volume counted
 *
 * Only then is anybody told. A crash or failure before 3 leaves `writing`, and nothing was acknowledged; when the sender
 * repeats the delivery, ids being derived from it, step 2 inserts only what is not there, and step 3 is the first. A crash
 * after 3 leaves `done`, and a repetition is answered from the row. Detection is idempotent by event id, and the volume is
 * counted for those batches only that this very transaction turned to `done`.
 */
import { AppError } from '../../http/app-error.ts';
import { type Database, repeatOnConflict } from '../../storage/database.ts';
import type { AlertAnswers } from '../automation-rules/automation-rules-port.ts';
import type { Detection } from '../detection/detection-port.ts';
import type { EventVolume, VolumeAddition } from '../sources/event-volume.ts';
import type { Batch } from './batch.ts';
import type { EventWork, Written } from './event-work.ts';
import { type BatchRow, finishBatches, takeNewBatches } from './ingestion-repository.ts';

export type BatchWriter = {
  /** Resolves with the batches that are done. One that another process took first is not among them. */
  write(batches: readonly Batch[]): Promise<Set<Batch>>;
};

export type BatchWriterDependencies = {
  db: Pick<Database, 'system'>;
  work: Pick<EventWork, 'write'>;
  detection: Pick<Detection, 'apply'>;
  alerts?: AlertAnswers | undefined;
  volume: Pick<EventVolume, 'add'>;
  now: () => Date;
  /** This process. */
  writer: string;
  log: { warn(fields: object, message: string): void };
};

export function createBatchWriter(deps: BatchWriterDependencies): BatchWriter {
  const { db, detection, volume } = deps;

  async function take(batches: readonly Batch[]): Promise<Batch[]> {
    const fresh = batches.filter((batch) => !batch.resumed).map(rowOf);
    if (fresh.length === 0) return [...batches];
    const taken = await db.system((tx) => takeNewBatches(tx, fresh, { writer: deps.writer, now: deps.now() }));
    return batches.filter((batch) => batch.resumed || taken.has(batch.id));
  }

  async function finish(batches: readonly Batch[], { matches, alerts }: Written): Promise<void> {
    await repeatOnConflict(() =>
      db.system(async (tx) => {
        const finished = await finishBatches(tx, batches.map(rowOf), deps.now());
        const done = batches.filter((batch) => finished.has(batch.id));
        // Before detection, which holds the tenant's audit chain from its first case on.
        await deps.alerts?.onArrived(
          tx,
          alerts.filter(({ batch }) => done.some(({ storedAs }) => storedAs === batch)),
        );
        if (matches.length > 0) await detection.apply(tx, matches);
        await volume.add(tx, done.map(additionOf));
      }),
    );
  }

  return {
    async write(batches) {
      try {
        const taken = await take(batches);
        await finish(taken, await deps.work.write(taken.map(({ events, resumed }) => ({ id: events.id, resumed }))));
        return new Set(taken);
      } catch (cause) {
        // The sender only learns to try again; what is wrong is for us to read.
        deps.log.warn({ err: cause, batches: batches.length }, 'batches could not be written');
        throw new AppError('STORE_UNAVAILABLE', { retryAfterS: 2, cause });
      }
    },
  };
}

function rowOf({ source, events, id, storedAs, bodyHash, receivedAt }: Batch): BatchRow {
  const { count: accepted, rejected, errors } = events;
  const { tenantId, id: sourceId } = source;
  return { tenantId, sourceId, id, storedAs, bodyHash, accepted, rejected, errors, receivedAt };
}

function additionOf({ source, receivedAt, events }: Batch): VolumeAddition {
  const { byHour, rejected, clock } = events;
  const addition = { tenantId: source.tenantId, sourceId: source.id, receivedAt, byHour, rejected };
  return clock === undefined ? addition : { ...addition, clock };
}
