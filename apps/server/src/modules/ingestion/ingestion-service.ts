import type { IngestAnswer } from '@airdeck/contracts/sources/schema';
import { AppError } from '../../http/app-error.ts';
import type { Database } from '../../storage/database.ts';
import { inSpan, type Tracer } from '../../tracing/tracer.ts';
import type { IngestSource } from '../sources/ingest-source.ts';
import type { Arrival } from './arrival.ts';
import { answerOf } from './batch.ts';
import { storedAsOf } from './batch-identity.ts';
import { beingWritten } from './batch-writer.ts';
import type { EventWork, HeldEvents } from './event-work.ts';
import type { Flusher } from './flusher.ts';
import { findBatch, type KnownBatch, renewBatch, takeOverBatch, WRITER_GONE_MS } from './ingestion-repository.ts';

/** What a door hands over. */
export type Delivery = {
  source: IngestSource;
  batchId: string;
  bodyHash: Buffer;
  /**
   * How long after it was done the same counts as a repetition, where only the body says that it is the same. A sender that
   * gives each delivery a name of its own can repeat it for as long as batches are remembered. 0: only until it was done.
   */
  repeatsMs?: number | undefined;
  /**
   * Only what this process did at that moment or later counts as its first try; milliseconds since the epoch. For those that
   * nothing tells apart: what was done before is another one, and so is what another process did.
   */
  repeatsSince?: number | undefined;
  /**
   * No other delivery will ever have this batch id, so its events have theirs from it alone: the same even when the batch was
   * forgotten meanwhile. What a sender calls its deliveries, or puts into them, comes again some day.
   */
  neverRecurs?: boolean | undefined;
  /** It may have been handed over so long ago that its batch was forgotten since. Only of one that never recurs. */
  mayBeStored?: boolean | undefined;
  /** When it came in, where that was not just now; milliseconds since the epoch. */
  receivedAt?: number | undefined;
  arrival: Arrival;
  /** Called with what was read, where it is not a repetition, once it is written. */
  onWritten?: ((events: HeldEvents) => void) | undefined;
};

export type IngestionService = {
  /**
   * Resolves when the delivery is durable, searchable and evaluated. The same delivery at the same time is written once and
   * answered twice; one that was done before is answered as then, as a duplicate. Throws OVERLOADED, DRAINING, STORE_UNAVAILABLE (nothing is
   * acknowledged, repeating is safe) and IDEMPOTENCY_KEY_REUSED.
   */
  accept(delivery: Delivery): Promise<IngestAnswer>;
  /** Refuses what is new, finishes what was taken. */
  drain(): Promise<void>;
};

export type IngestionServiceDependencies = {
  db: Pick<Database, 'system'>;
  work: Pick<EventWork, 'read' | 'drop'>;
  flusher: Flusher;
  now: () => Date;
  writer: string;
  /** True where no other process can write to these stores (embedded): whoever left a batch half written is gone. */
  isOnlyWriter: boolean;
  tracer: Tracer;
};

export function createIngestionService(deps: IngestionServiceDependencies): IngestionService {
  const { db, work, flusher, now, writer, tracer } = deps;
  const inFlight = new Map<string, { bodyHash: Buffer; answer: Promise<IngestAnswer> }>();
  let draining = false;

  function follow(delivery: Delivery): Promise<IngestAnswer> {
    const { id, tenantId } = delivery.source;
    const attributes = { 'airdeck.tenant_id': tenantId, 'airdeck.source_id': id };
    return inSpan(tracer, { name: 'ingest.delivery', kind: 'consumer', attributes }, async (span) => {
      const answer = await run(delivery);
      const { accepted, rejected, duplicate } = answer;
      span.note({ 'airdeck.accepted': accepted, 'airdeck.rejected': rejected, 'airdeck.duplicate': duplicate });
      return answer;
    });
  }

  async function run(delivery: Delivery): Promise<IngestAnswer> {
    const { source, batchId, bodyHash } = delivery;
    const known = await reachable(() => db.system((tx) => findBatch(tx, source.id, batchId)));
    if (known !== undefined && !known.body_hash.equals(bodyHash)) throw new AppError('IDEMPOTENCY_KEY_REUSED');
    if (known !== undefined && isRepetition(delivery, known)) {
      const { accepted, rejected, errors } = known;
      return answerOf({ storedAs: known.stored_as ?? batchId, rejected, errors }, { accepted, duplicate: true });
    }
    const { receivedAt, storedAs } = await begin(delivery, known);
    const events = await work.read(delivery.arrival, { source, storedAs, receivedAt });
    try {
      const mayBeStored = delivery.mayBeStored === true || known?.status === 'writing';
      const about = { source, id: batchId, storedAs, bodyHash, receivedAt, events };
      const batch = { ...about, resumed: known !== undefined, mayBeStored };
      // Nothing to lose, so nothing to remember.
      if (events.count > 0) await flusher.add(batch);
    } finally {
      work.drop(events.id);
    }
    delivery.onWritten?.(events);
    const { count: accepted, rejected, errors } = events;
    return answerOf({ storedAs, rejected, errors }, { accepted, duplicate: false });
  }

  /** One that is not done yet is the same however long it takes: nobody was told that it was taken. */
  function isRepetition({ repeatsMs = Number.POSITIVE_INFINITY, repeatsSince }: Delivery, known: KnownBatch): boolean {
    const doneAt = known.done_at ?? known.taken_at;
    if (repeatsSince !== undefined && (known.writer !== writer || doneAt.getTime() < repeatsSince)) return false;
    // Whatever the clock of who did it says.
    if (known.status !== 'done' || repeatsMs === 0) return false;
    return now().getTime() - doneAt.getTime() < repeatsMs;
  }

  /** What a repetition of it, or whoever goes on with it after a crash, finds noted. */
  async function begin(
    delivery: Delivery,
    known: KnownBatch | undefined,
  ): Promise<{ receivedAt: number; storedAs: string }> {
    const { batchId, neverRecurs } = delivery;
    if (known?.status === 'writing') {
      await takeOver(delivery, known);
      return { receivedAt: known.received_at.getTime(), storedAs: known.stored_as ?? batchId };
    }
    const receivedAt = delivery.receivedAt ?? now().getTime();
    const storedAs = neverRecurs === true ? batchId : storedAsOf(batchId, receivedAt, known?.stored_as ?? undefined);
    if (known !== undefined) await renew(delivery, { known, receivedAt, storedAs });
    return { receivedAt, storedAs };
  }

  async function renew(
    { source, batchId }: Delivery,
    { known, receivedAt, storedAs }: { known: KnownBatch; receivedAt: number; storedAs: string },
  ): Promise<void> {
    const batch = { sourceId: source.id, id: batchId };
    const by = { writer, now: now(), receivedAt: new Date(receivedAt), storedAs, previous: known };
    if (!(await reachable(() => db.system((tx) => renewBatch(tx, batch, by))))) throw beingWritten();
  }

  async function takeOver({ source, batchId }: Delivery, known: KnownBatch): Promise<void> {
    const isAlive =
      known.writer !== writer && !deps.isOnlyWriter && now().getTime() - known.taken_at.getTime() < WRITER_GONE_MS;
    const batch = { sourceId: source.id, id: batchId };
    const isTaken =
      !isAlive &&
      (await reachable(() => db.system((tx) => takeOverBatch(tx, batch, { writer, now: now(), previous: known }))));
    if (!isTaken) throw beingWritten();
  }

  return {
    accept(delivery) {
      if (draining) return Promise.reject(new AppError('DRAINING', { retryAfterS: 2 }));
      const key = `${delivery.source.id} ${delivery.batchId}`;
      const running = inFlight.get(key);
      if (running !== undefined) {
        return running.bodyHash.equals(delivery.bodyHash)
          ? running.answer.then((answer) => ({ ...answer, duplicate: true }))
          : Promise.reject(new AppError('IDEMPOTENCY_KEY_REUSED'));
      }
      const answer = (tracer.isOn ? follow : run)(delivery).finally(() => inFlight.delete(key));
      inFlight.set(key, { bodyHash: delivery.bodyHash, answer });
      return answer;
    },
    async drain() {
      draining = true;
      await Promise.allSettled([...inFlight.values()].map(({ answer }) => answer));
      await flusher.idle();
    },
  };
}

async function reachable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('STORE_UNAVAILABLE', { retryAfterS: 2, cause });
  }
}
