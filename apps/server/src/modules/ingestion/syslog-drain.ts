import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IngestSource, SourceFinder } from '../sources/ingest-source.ts';
import { batchIdOf } from './batch-identity.ts';
import type { DoorCounters } from './door-counters.ts';
import type { IngestionService } from './ingestion-service.ts';
import type { Spool, SpoolDelivery } from './spool.ts';
import type { SpoolDoor, SpooledLine } from './spool-records.ts';
import { attribute } from './syslog-sender.ts';

/**
 * While one block is being written, others are made ready. Lines that came one by one are blocks of their own, and after a
 * while without stores there are many thousands: what bounds them is how many lines are in hand.
 */
const AT_ONCE = 32;
const LINES_AT_ONCE = 4_000;
const RETRY_FIRST_MS = 250;
const RETRY_MOST_MS = 5_000;

export type SyslogDrain = {
  /** Ends after the blocks in hand, or in the middle of waiting for stores; what is not done stays in the spool. */
  stop(): Promise<void>;
};

export type SyslogDrainDependencies = {
  spool: Pick<Spool, 'take'>;
  finder: SourceFinder;
  ingestion: Pick<IngestionService, 'accept'>;
  counters: Readonly<Record<SpoolDoor, DoorCounters>>;
  log: { warn(fields: object, message: string): void };
};

/** Lines of one source out of one block. The same block gives the same again, so that its repetition is recognised. */
type Share = { source: IngestSource; lines: OwnLine[] };
type OwnLine = { text: string; line: SpooledLine };

/** Hands what waits in the spool on to the stores, as often as it takes. */
export function startSyslogDrain(deps: SyslogDrainDependencies): SyslogDrain {
  const { counters, log } = deps;
  const stopping = new AbortController();
  let inHand = 0;
  const waiting: (() => void)[] = [];

  async function work(): Promise<void> {
    for (let block = await deps.spool.take(); block !== undefined; block = await deps.spool.take()) {
      const { length } = block.lines;
      while (inHand > 0 && inHand + length > LINES_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
      inHand += length;
      const isDone = await persist(block);
      inHand -= length;
      for (const goOn of waiting.splice(0)) goOn();
      if (!isDone) return;
    }
  }

  /** False when it was given up because of a stop. */
  async function persist(block: SpoolDelivery): Promise<boolean> {
    for (let waitMs = RETRY_FIRST_MS; !stopping.signal.aborted; waitMs = Math.min(waitMs * 2, RETRY_MOST_MS)) {
      try {
        await handOn(block);
        block.done();
        return true;
      } catch (error) {
        log.warn({ lines: block.lines.length, error: String(error) }, 'syslog lines wait for the stores');
      }
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    return false;
  }

  /** Counts only once everything is written: a block that fails half way is handed on again. */
  async function handOn(block: SpoolDelivery): Promise<void> {
    const { shares, strangers } = await sharesOf(block.lines);
    const raw = await Promise.all(shares.map((share) => write(block, share)));
    for (const { door } of strangers) counters[door].dropped++;
    for (const { lines } of shares) for (const { line } of lines) counters[line.door].accepted++;
    for (const { door } of raw.flat()) counters[door].malformed++;
  }

  async function sharesOf(lines: readonly SpooledLine[]): Promise<{ shares: Share[]; strangers: SpooledLine[] }> {
    const shares = new Map<string, Share>();
    const strangers: SpooledLine[] = [];
    for (const line of lines) {
      const { address, port } = line;
      const own = await attribute(line.bytes.toString('utf8'), { finder: deps.finder, address, port });
      if (own.source === undefined) strangers.push(line);
      else {
        const share = shares.get(own.source.id) ?? { source: own.source, lines: [] };
        share.lines.push({ text: own.line, line });
        shares.set(own.source.id, share);
      }
    }
    return { shares: [...shares.values()], strangers };
  }

  /** Returns the lines no format took. */
  async function write(block: SpoolDelivery, { source, lines }: Share): Promise<SpooledLine[]> {
    const hash = createHash('sha256');
    for (const { text } of lines) hash.update(`${Buffer.byteLength(text)} `).update(text);
    const bodyHash = hash.digest();
    let raw: SpooledLine[] = [];
    await deps.ingestion.accept({
      source,
      // With the lines, as damage may leave fewer of them for the next run.
      batchId: batchIdOf(source.id, { key: `${block.key} ${bodyHash.toString('hex')}`, bodyHash }),
      bodyHash,
      receivedAt: block.lines[0]?.receivedAt,
      arrival: { kind: 'lines', lines: lines.map(({ text, line }) => ({ text, receivedAt: line.receivedAt })) },
      onWritten: (events) => {
        raw = events.raw.flatMap((place) => lines[place]?.line ?? []);
      },
    });
    return raw;
  }

  const workers = Array.from({ length: AT_ONCE }, work);
  return {
    async stop() {
      stopping.abort();
      await Promise.all(workers);
    },
  };
}
