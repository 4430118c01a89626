/**
 * Writes batches so that each of their events is stored, evaluated and counted exactly once:
 *
 *   1. PostgreSQL: rows `writing`, committed
 *   2. event store: the events, durable when the insert answers (and meanwhile: which policies they fit)
 *   3. PostgreSQL, one transaction: rows `done`, matches applied, alerts answered, volume counted
 *
 * More matches than one transaction should apply go before it, some at a time, in transactions of their own.
 *
 * Only then is anybody told. A crash or failure before 3 leaves `writing`, and nothing was acknowledged; when the sender
 * repeats the delivery, ids being derived from the row, step 2 inserts only what is not there, and step 3 is the first. A crash
 * after 3 leaves `done`, and a repetition is answered from the row. Detection is idempotent by event id, and the volume is
 * counted for those batches only that this very transaction turned to `done`.
 *
 * Who writes a batch says so every few seconds, and stops once another writer took it, which nobody does for 90 seconds after
 * the last word. 3 is refused to whoever lost it.
 *
 * An insert that failed is over where the store says so, where its connection was never made, and where the store is a process
 * of ours that ended. Any other may still be stored: its connection was cut, or it was given up after a minute. Among other
 * rows its events would then be there twice. So it is sent again exactly as it was, which the store takes once (event-writer.ts),
 * and a cut costs no sender anything. Only where that is in vain for 15 seconds are its batches, and no others, refused until
 * 90 seconds after it was sent; no insert takes longer. The store is not asked whether it still has it in hand: behind its
 * address there may be several servers, and each knows of its own alone.
 *
 * Where the stores answer and a write fails all the same, something in it is in the way. Its batches are written again in
 * halves, so that this one stands alone; others do not wait for it, and from then on it is written alone. A source with many
 * such batches has the rest of them refused untried. What failed often enough is set aside: whatever event of it the store
 * refuses is stored as its text, and where that is not what fails, all are stored and held against no policy. Those are
 * counted as malformed, and logged. Nothing is lost, and nobody waits for ever. What failed is in memory only: after a
 * restart it is counted anew. A process that ends tries nothing again: senders come again, and lines are on its disk.
 */
import { sql } from 'kysely';
import { AppError } from '../../http/app-error.ts';
import { type Database, repeatOnConflict } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { transientKind } from '../../storage/sql-state.ts';
import type { AlertAnswers } from '../automation-rules/automation-rules-port.ts';
import type { Detection } from '../detection/detection-port.ts';
import type { EventVolume, VolumeAddition } from '../sources/event-volume.ts';
import type { Batch } from './batch.ts';
import type { EventWork, WriteOrder, Written } from './event-work.ts';
import { type BatchRow, finishBatches, renewTaken, takeNewBatches, WRITER_GONE_MS } from './ingestion-repository.ts';

export type BatchWriter = {
  /** Calls back once for each batch: when it is done, or with why it is not. Never rejects. */
  write(batches: readonly Batch[], onEnd: OnEnd): Promise<void>;
  /** The process is to end: what fails from now on is not written again in parts. */
  hurry(): void;
};

export type OnEnd = (batch: Batch, refusal: AppError | undefined) => void;

export type BatchWriterDependencies = {
  db: Pick<Database, 'system' | 'ready'>;
  work: Pick<EventWork, 'write' | 'match' | 'drop' | 'ping'>;
  detection: Pick<Detection, 'apply'>;
  alerts?: AlertAnswers | undefined;
  volume: Pick<EventVolume, 'add'>;
  now: () => Date;
  /** This process. */
  writer: string;
  log: { warn(fields: object, message: string): void };
  /** For tests. */
  renewEveryMs?: number | undefined;
};

/** A write that takes long is one of a store that is slow: a few of these fit into the time after which it counts as gone. */
const RENEW_EVERY_MS = 20_000;
/** A batch that failed alone so often, and for so long: what passes by itself, such as a lock, does so in less. */
const FAILURES_MAX = 5;
const FAILING_FOR_MS = 30_000;
/** Of one source in one write. */
const LONE_FAILURES_MAX = 8;
/** As long, batches of a source that had one set aside are so after their first failure: there are more where that came from. */
const TROUBLED_FOR_MS = 10 * 60_000;
const REMEMBERED_MAX = 50_000;

type Way = Pick<WriteOrder, 'carefully' | 'unmatched'>;

const ways = {
  asTheyAre: { carefully: false, unmatched: false },
  carefully: { carefully: true, unmatched: false },
  unmatched: { carefully: true, unmatched: true },
} as const satisfies Record<string, Way>;

type Outcome = { done: ReadonlySet<Batch>; asText: number[] };

export function createBatchWriter(deps: BatchWriterDependencies): BatchWriter {
  const { db, detection, volume, work, log, renewEveryMs = RENEW_EVERY_MS } = deps;
  /** Batches that failed alone while the stores answered. */
  const failures = new Map<string, { times: number; since: number }>();
  /** Sources with a batch that was set aside, until when. */
  const troubled = new Map<string, number>();
  /** Batches with an insert that nobody heard the end of and that may still be stored, until when. */
  const unsettled = new Map<string, number>();
  const nowMs = () => deps.now().getTime();
  let isEnding = false;

  async function locking<T>(change: (tx: Tx) => Promise<T>): Promise<T> {
    return await repeatOnConflict(() =>
      db.system(async (tx) => {
        // For each lock, in place of the database's 30 seconds: a stop has 25 for everything.
        await sql`set local lock_timeout = '10s'`.execute(tx);
        return await change(tx);
      }),
    );
  }

  /** Those that are this writer's now, which one that waited for its turn too long may not be any more. */
  async function take(batches: readonly Batch[]): Promise<Batch[]> {
    const by = { writer: deps.writer, now: deps.now() };
    const fresh = batches.filter((batch) => !batch.resumed).map(rowOf);
    const resumed = batches.filter((batch) => batch.resumed).map(rowOf);
    return await db.system(async (tx) => {
      const taken = await takeNewBatches(tx, fresh, by);
      const kept = resumed.length === 0 ? new Set() : await renewTaken(tx, resumed, by);
      return batches.filter(({ id, resumed: isResumed }) => (isResumed ? kept : taken).has(id));
    });
  }

  /** Whoever else took a batch meanwhile writes it from now on; it goes on alone. */
  async function renew(batches: readonly Batch[]): Promise<void> {
    const kept = await db.system((tx) => renewTaken(tx, batches.map(rowOf), { writer: deps.writer, now: deps.now() }));
    for (const { id, events } of batches) if (!kept.has(id)) work.drop(events.id);
  }

  /** Returns those that were done by this. */
  async function finish(batches: readonly Batch[], { matches, alerts }: Written): Promise<Set<Batch>> {
    return await locking(async (tx) => {
      const by = { writer: deps.writer, now: deps.now() };
      const finished = await finishBatches(tx, batches.map(rowOf), by);
      const done = batches.filter((batch) => finished.has(batch.id));
      const stored = new Set(done.map(({ storedAs }) => storedAs));
      // All locks in one order: rules of alerts, groups of detection, and only then the tenant's audit chain, which
      // detection holds from its first case on and an answer may take too.
      const answerAlerts = await deps.alerts?.onArrived(
        tx,
        alerts.filter(({ batch }) => stored.has(batch)),
      );
      const own = done.length === batches.length ? matches : matches.filter(({ event }) => stored.has(event.batch));
      if (own.length > 0) await detection.apply(tx, own);
      await answerAlerts?.();
      await volume.add(tx, done.map(additionOf));
      return new Set(done);
    });
  }

  async function storeAndFinish(batches: readonly Batch[], way: Way): Promise<Outcome> {
    const orders = batches.map(({ events, mayBeStored }) => ({ id: events.id, resumed: mayBeStored, ...way }));
    // Whatever becomes of this write, the next one has to look what is there.
    for (const batch of batches) [batch.resumed, batch.mayBeStored] = [true, true];
    let written = await work.write(orders);
    while (written.next !== undefined) {
      const { matches, next } = written;
      await locking((tx) => detection.apply(tx, matches));
      written = { ...written, ...(await work.match(orders, next)) };
    }
    return { done: await finish(batches, written), asText: written.asText };
  }

  async function writeTogether(batches: readonly Batch[], way: Way = ways.asTheyAre): Promise<Outcome> {
    const taken = await take(batches);
    if (taken.length === 0) return { done: new Set(), asText: [] };
    const renewing = setInterval(() => {
      renew(taken).catch((err: unknown) => log.warn({ err }, 'batches being written could not be kept'));
    }, renewEveryMs);
    try {
      return await storeAndFinish(taken, way);
    } catch (error) {
      const underWayMs = error instanceof AppError ? error.underWayMs : undefined;
      if (underWayMs !== undefined) {
        const until = nowMs() + WRITER_GONE_MS - underWayMs;
        for (const batch of taken) remember(unsettled, keyOf(batch), until);
      }
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  /** Returns what is to be tried again in parts. */
  async function attempt(batches: readonly Batch[], onEnd: OnEnd): Promise<Batch[][]> {
    const [only] = batches;
    if (only === undefined) return [];
    try {
      const { done } = await writeTogether(batches);
      for (const batch of batches) end(batch, done, onEnd);
      return [];
    } catch (cause) {
      log.warn({ err: cause, batches: batches.length }, 'batches could not be written');
      const mayTryAgain = !isEnding && !isAway(cause) && !batches.some(isUnsettled) && (await storesAnswer());
      if (mayTryAgain && batches.length > 1) return partsOf(batches);
      if (mayTryAgain) await fail(only, cause, onEnd);
      else for (const batch of batches) onEnd(batch, unavailable(cause));
      return [];
    }
  }

  async function fail(batch: Batch, cause: unknown, onEnd: OnEnd): Promise<void> {
    const { times, since } = failures.get(keyOf(batch)) ?? { times: 0, since: nowMs() };
    remember(failures, keyOf(batch), { times: times + 1, since });
    const isHopeless = times + 1 >= FAILURES_MAX && nowMs() - since >= FAILING_FOR_MS;
    const isDue = isHopeless || (troubled.get(batch.source.id) ?? 0) > nowMs();
    // A lock that is waited for passes by itself, however long it takes.
    if (isDue && transientKind(cause) === undefined) await setAside(batch, onEnd);
    else onEnd(batch, unavailable(cause));
  }

  async function setAside(batch: Batch, onEnd: OnEnd): Promise<void> {
    let failure: unknown;
    for (const way of [ways.carefully, ways.unmatched]) {
      try {
        const { done, asText } = await writeTogether([batch], way);
        if (done.has(batch)) noteSetAside(batch, { way, asText });
        end(batch, done, onEnd);
        return;
      } catch (err) {
        log.warn({ err, ...way }, 'a batch could not be set aside');
        failure = err;
        // Of these the next way, without the policies, would be rid by chance.
        if (isAway(err) || transientKind(err) !== undefined) break;
      }
    }
    onEnd(batch, unavailable(failure));
  }

  function noteSetAside({ source, storedAs, events }: Batch, { way, asText }: { way: Way; asText: number[] }): void {
    events.raw = way.unmatched ? Array.from({ length: events.count }, (_, place) => place) : asText;
    remember(troubled, source.id, nowMs() + TROUBLED_FOR_MS);
    const about = { tenant: source.tenantId, source: source.id, batch: storedAs, events: events.raw.length };
    log.warn({ ...about, ...way }, 'events of a batch were set aside');
  }

  function end(batch: Batch, done: ReadonlySet<Batch>, onEnd: OnEnd): void {
    if (done.has(batch)) {
      failures.delete(keyOf(batch));
      onEnd(batch, undefined);
      // Another process has this very batch in hand; a little later its result can be read.
    } else onEnd(batch, beingWritten());
  }

  function isUnsettled(batch: Batch): boolean {
    return (unsettled.get(keyOf(batch)) ?? 0) > nowMs();
  }

  async function storesAnswer(): Promise<boolean> {
    return await Promise.all([db.ready(), work.ping()]).then(
      () => true,
      () => false,
    );
  }

  /** Both parts of one before the parts of either: what can be written is soon done. */
  async function tryAll(groups: readonly Batch[][], tryOne: (group: Batch[]) => Promise<Batch[][]>): Promise<void> {
    const again: Batch[][][] = [];
    for (const group of groups) again.push(await tryOne(group));
    for (const parts of again) if (parts.length > 0) await tryAll(parts, tryOne);
  }

  return {
    hurry() {
      isEnding = true;
    },
    async write(batches, onEnd) {
      const loneFailures = new Map<string, number>();
      const counted: OnEnd = (batch, refusal) => {
        const { id } = batch.source;
        if (refusal !== undefined) loneFailures.set(id, (loneFailures.get(id) ?? 0) + 1);
        onEnd(batch, refusal);
      };
      const tryOne = async (group: readonly Batch[]) => {
        const isTried = ({ source }: Batch) => (loneFailures.get(source.id) ?? 0) < LONE_FAILURES_MAX;
        for (const batch of group) if (!isTried(batch)) onEnd(batch, unavailable(undefined));
        return await attempt(group.filter(isTried), counted);
      };
      for (const batch of batches) if (isUnsettled(batch)) onEnd(batch, beingWritten());
      const present = batches.filter((batch) => !isUnsettled(batch));
      const suspects = present.filter((batch) => failures.has(keyOf(batch)));
      const others = suspects.length === 0 ? present : present.filter((batch) => !failures.has(keyOf(batch)));
      await tryAll([others, ...suspects.map((batch) => [batch])], tryOne);
    },
  };
}

/** Halves of the sources, or of the batches of the one: what is in the way is rarely sent by more than one. */
function partsOf(batches: readonly Batch[]): Batch[][] {
  const sources = [...new Set(batches.map(({ source }) => source.id))];
  const first = new Set(sources.slice(0, sources.length >> 1));
  const isFirst = ({ source }: Batch, place: number) =>
    sources.length > 1 ? first.has(source.id) : place < batches.length >> 1;
  return [batches.filter(isFirst), batches.filter((batch, place) => !isFirst(batch, place))];
}

export function beingWritten(): AppError {
  return new AppError('OVERLOADED', { message: 'This batch is being written. Try again shortly.', retryAfterS: 1 });
}

/** The sender only learns to try again; what is wrong is for us to read. */
function unavailable(cause: unknown): AppError {
  return new AppError('STORE_UNAVAILABLE', { retryAfterS: 2, cause });
}

/**
 * The event store gave no answer: what it was asked to store may still come to be, and is nobody's fault. Or the database gave
 * none, for want of a free connection too: then each part would wait as long for one.
 */
function isAway(cause: unknown): boolean {
  return (cause instanceof AppError && cause.code === 'STORE_UNAVAILABLE') || transientKind(cause) === 'connection';
}

function keyOf({ source, id }: Batch): string {
  return `${source.id} ${id}`;
}

/** As long as there is room, of which there is much more than there is trouble. */
function remember<Value>(memory: Map<string, Value>, key: string, value: Value): void {
  const [oldest] = memory.keys();
  if (memory.size >= REMEMBERED_MAX && oldest !== undefined) memory.delete(oldest);
  memory.set(key, value);
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
