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
import type { StoredEvent } from '@airdeck/contracts/events/event';
import { AppError } from '../../http/app-error.ts';
import { type Database, repeatOnConflict } from '../../storage/database.ts';
import type { AlertAnswers } from '../automation-rules/automation-rules-port.ts';
import type { Detection } from '../detection/detection-port.ts';
import { type EventVolume, HOUR_MS, type VolumeAddition } from '../sources/event-volume.ts';
import type { Batch } from './batch.ts';
import { clockSkewOf } from './clock-skew.ts';
import type { EventWriter } from './event-writer.ts';
import { type BatchRow, finishBatches, takeNewBatches } from './ingestion-repository.ts';

export type BatchWriter = {
  /** Resolves with the batches that are done. One that another process took first is not among them. */
  write(batches: readonly Batch[]): Promise<Set<Batch>>;
};

export type BatchWriterDependencies = {
  db: Pick<Database, 'system'>;
  events: EventWriter;
  detection: Detection;
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

  async function finish(batches: readonly Batch[], matches: Awaited<ReturnType<Detection['match']>>): Promise<void> {
    await repeatOnConflict(() =>
      db.system(async (tx) => {
        const finished = await finishBatches(tx, batches.map(rowOf), deps.now());
        const done = batches.filter((batch) => finished.has(batch.id));
        // Before detection, which holds the tenant's audit chain from its first case on.
        await deps.alerts?.onArrived(
          tx,
          done.filter(mayHoldAlerts).flatMap((batch) => batch.events),
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
        const events: StoredEvent[] = taken.flatMap((batch) => batch.events);
        const writing = deps.events.write(taken);
        const [matches] = await Promise.all([detection.match(events), writing])
          // Also when it fails: whoever repeats the batch leaves out what is stored, and has to see all of it.
          .finally(() => writing.catch(() => undefined));
        await finish(taken, matches);
        return new Set(taken);
      } catch (cause) {
        // The sender only learns to try again; what is wrong is for us to read.
        deps.log.warn({ err: cause, batches: batches.length }, 'batches could not be written');
        throw new AppError('STORE_UNAVAILABLE', { retryAfterS: 2, cause });
      }
    },
  };
}

function mayHoldAlerts({ source }: Batch): boolean {
  return source.kind === 'graylog';
}

function rowOf(batch: Batch): BatchRow {
  const { source, events, id, storedAs, bodyHash, rejected, errors, receivedAt } = batch;
  return {
    tenantId: source.tenantId,
    sourceId: source.id,
    id,
    storedAs,
    bodyHash,
    accepted: events.length,
    rejected,
    errors,
    receivedAt,
  };
}

function additionOf({ source, receivedAt, events, rejected }: Batch): VolumeAddition {
  const byHour = new Map<number, { events: number; bytes: number }>();
  for (const event of events) {
    const hour = Math.floor(event.time / HOUR_MS) * HOUR_MS;
    const cell = byHour.get(hour);
    const bytes = Buffer.byteLength(event.raw);
    if (cell === undefined) byHour.set(hour, { events: 1, bytes });
    else {
      cell.events++;
      cell.bytes += bytes;
    }
  }
  const clock = clockSkewOf(events, receivedAt);
  const addition = { tenantId: source.tenantId, sourceId: source.id, receivedAt, byHour, rejected };
  return clock === undefined ? addition : { ...addition, clock };
}
