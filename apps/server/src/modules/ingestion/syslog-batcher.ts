import { createHash } from 'node:crypto';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { recogniseRecord } from '@airdeck/event-parsers/parse-record';
import type { IngestSource, SourceFinder } from '../sources/ingest-source.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { DoorCounters } from './door-counters.ts';
import type { IngestionService } from './ingestion-service.ts';
import type { ReadBatch } from './record-reader.ts';
import { attribute } from './syslog-sender.ts';

/** Syslog has no answer, so lines may wait a little for company. */
const WAIT_MS = 50;
const BATCH_LINES = 500;
const SLICE_MS = 8;
const RETRY_FIRST_MS = 250;
const RETRY_MOST_MS = 5_000;
/** How long a stop waits for a store that does not answer. */
const GIVE_UP_MS = 5_000;

export type SyslogBatcher = {
  /** Takes a line whose bytes the budget already holds; gives them back once it is durable or counted as dropped. */
  add(frame: Buffer, address: string): void;
  /** Writes what is there; what cannot be written in five seconds is counted as dropped. */
  stop(): Promise<void>;
};

export type SyslogBatcherDependencies = {
  finder: SourceFinder;
  ingestion: Pick<IngestionService, 'accept'>;
  budget: Pick<ByteBudget, 'give'>;
  counters: DoorCounters;
  ids: () => string;
  log: { warn(fields: object, message: string): void };
};

type Pending = { source: IngestSource; lines: string[]; bytes: number; timer: NodeJS.Timeout };

/** Puts lines of one source together and sees to it that they are written, also when that takes several tries. */
export function createSyslogBatcher(deps: SyslogBatcherDependencies): SyslogBatcher {
  const { budget, counters, ingestion, log } = deps;
  const pending = new Map<string, Pending>();
  const working = new Set<Promise<void>>();
  const giveUp = new AbortController();

  function track(work: Promise<void>): void {
    const tracked = work.finally(() => working.delete(tracked));
    working.add(tracked);
  }

  function drop(lines: number, bytes: number): void {
    counters.dropped += lines;
    budget.give(bytes);
  }

  async function place(frame: Buffer, address: string): Promise<void> {
    const bytes = frame.length;
    try {
      const { source, line } = await attribute(frame.toString('utf8'), { finder: deps.finder, address });
      if (source === undefined) drop(1, bytes);
      else collect(source, line, bytes);
    } catch (error) {
      log.warn({ error: String(error) }, 'the source of a syslog line could not be looked up; the line is dropped');
      drop(1, bytes);
    }
  }

  function collect(source: IngestSource, line: string, bytes: number): void {
    const known = pending.get(source.id);
    const batch = known ?? { source, lines: [], bytes: 0, timer: setTimeout(() => send(source.id), WAIT_MS) };
    if (known === undefined) pending.set(source.id, batch);
    batch.lines.push(line);
    batch.bytes += bytes;
    if (batch.lines.length >= BATCH_LINES) send(source.id);
  }

  function send(sourceId: string): void {
    const batch = pending.get(sourceId);
    if (batch === undefined) return;
    pending.delete(sourceId);
    clearTimeout(batch.timer);
    track(write(batch));
  }

  async function write({ source, lines, bytes }: Pending): Promise<void> {
    const batchId = deps.ids();
    const delivery = {
      source,
      batchId,
      bodyHash: createHash('sha256').update(batchId).digest(),
      read: (receivedAt: number) => parse(lines, receivedAt),
    };
    for (let waitMs = RETRY_FIRST_MS; ; waitMs = Math.min(waitMs * 2, RETRY_MOST_MS)) {
      try {
        const answer = await ingestion.accept(delivery);
        counters.accepted += answer.accepted;
        budget.give(bytes);
        return;
      } catch (error) {
        log.warn({ source: source.id, lines: lines.length, error: String(error) }, 'syslog lines wait for the stores');
      }
      // The sender cannot repeat them, so they stay in memory, and the full budget holds the senders back.
      const gaveUp = await sleep(waitMs, undefined, { signal: giveUp.signal }).then(
        () => false,
        () => true,
      );
      if (gaveUp) return drop(lines.length, bytes);
    }
  }

  async function parse(lines: readonly string[], receivedAt: number): Promise<ReadBatch> {
    const batch: ReadBatch = { events: [], rejected: 0, errors: [] };
    let sliceStart = performance.now();
    for (const line of lines) {
      const { format, event } = recogniseRecord(line, { receivedAt });
      if (format === 'raw') counters.malformed++;
      batch.events.push(event);
      if (performance.now() - sliceStart < SLICE_MS) continue;
      await setImmediate();
      sliceStart = performance.now();
    }
    return batch;
  }

  async function settle(): Promise<void> {
    while (working.size > 0 || pending.size > 0) {
      for (const sourceId of [...pending.keys()]) send(sourceId);
      await Promise.allSettled([...working]);
    }
  }

  return {
    add: (frame, address) => track(place(frame, address)),
    async stop() {
      const deadline = setTimeout(() => giveUp.abort(), GIVE_UP_MS);
      await settle();
      clearTimeout(deadline);
    },
  };
}
