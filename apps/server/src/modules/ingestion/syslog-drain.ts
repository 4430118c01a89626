/**
 * From the spool to the stores. A block holds the lines of a moment, of whichever sources; each source's share of it is a
 * delivery of its own. A share that fails is tried again beside, as often as it takes, and holds up neither the other shares
 * nor the next blocks: one source whose lines cannot be written must not be waited for by all. Its block stays in the
 * spool until then. While the stores are away all shares fail, so beyond some of them no block is taken.
 */
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
/** Whose lines they are: a sender for each of them, as forged addresses are, is one question to the database. */
const LOOKED_UP_TOGETHER = 500;
const AT_ONCE = 32;
const LINES_AT_ONCE = 4_000;
/** Shares that wait to be tried again, and their lines. */
const WAITING_MAX = 128;
const LINES_WAITING_MAX = 8_000;
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
  let linesWaiting = 0;
  const later = new Set<Promise<boolean>>();
  const waiting: (() => void)[] = [];

  async function work(): Promise<void> {
    for (let block = await deps.spool.take(); block !== undefined; block = await deps.spool.take()) {
      const { length } = block.lines;
      while (!hasRoom(length)) {
        if (stopping.signal.aborted) return;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      inHand += length;
      const isTaken = await persist(block);
      inHand -= length;
      goOn();
      if (!isTaken) return;
    }
  }

  function hasRoom(lines: number): boolean {
    if (later.size >= WAITING_MAX || linesWaiting >= LINES_WAITING_MAX) return false;
    return inHand === 0 || inHand + lines <= LINES_AT_ONCE;
  }

  function goOn(): void {
    for (const wake of waiting.splice(0)) wake();
  }

  /** Resolves once each share was tried. False when it was given up because of a stop. */
  async function persist(block: SpoolDelivery): Promise<boolean> {
    let found: Awaited<ReturnType<typeof sharesOf>> | undefined;
    const isKnown = await untilDone(block.lines.length, async () => {
      found = await sharesOf(block.lines);
    });
    if (!isKnown || found === undefined) return false;
    const { shares, strangers } = found;
    for (const { door } of strangers) counters[door].dropped++;
    const failed: Share[] = [];
    await Promise.all(
      shares.map((share) =>
        write(block, share).catch((error: unknown) => {
          note(share.lines.length, error);
          failed.push(share);
        }),
      ),
    );
    if (failed.length === 0) block.done();
    else void retry(block, failed);
    return !stopping.signal.aborted;
  }

  async function retry(block: SpoolDelivery, shares: readonly Share[]): Promise<void> {
    const tries = shares.map(({ lines }) => {
      const trying = untilDone(lines.length, () => writeAgain(block, lines), RETRY_FIRST_MS);
      later.add(trying);
      linesWaiting += lines.length;
      return trying.finally(() => {
        later.delete(trying);
        linesWaiting -= lines.length;
        goOn();
      });
    });
    const done = await Promise.all(tries);
    if (done.every(Boolean)) block.done();
  }

  /** Its source may be gone by now. */
  async function writeAgain(block: SpoolDelivery, lines: readonly OwnLine[]): Promise<void> {
    const { shares, strangers } = await sharesOf(lines.map(({ line }) => line));
    for (const share of shares) await write(block, share);
    for (const { door } of strangers) counters[door].dropped++;
  }

  /** False when it was given up because of a stop. */
  async function untilDone(lines: number, work: () => Promise<void>, firstWaitMs = 0): Promise<boolean> {
    const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
    if (firstWaitMs > 0) await pause(firstWaitMs);
    for (let waitMs = RETRY_FIRST_MS; !stopping.signal.aborted; waitMs = Math.min(waitMs * 2, RETRY_MOST_MS)) {
      try {
        await work();
        return true;
      } catch (error) {
        note(lines, error);
      }
      await pause(waitMs);
    }
    return false;
  }

  function note(lines: number, error: unknown): void {
    log.warn({ lines, error: String(error) }, 'syslog lines wait for the stores');
  }

  async function sharesOf(lines: readonly SpooledLine[]): Promise<{ shares: Share[]; strangers: SpooledLine[] }> {
    const shares = new Map<string, Share>();
    const strangers: SpooledLine[] = [];
    for (let from = 0; from < lines.length; from += LOOKED_UP_TOGETHER) {
      const looked = lines.slice(from, from + LOOKED_UP_TOGETHER).map(async (line) => {
        const { address, port } = line;
        return { line, own: await attribute(line.bytes.toString('utf8'), { finder: deps.finder, address, port }) };
      });
      for (const { line, own } of await Promise.all(looked)) {
        if (own.source === undefined) strangers.push(line);
        else {
          const share = shares.get(own.source.id) ?? { source: own.source, lines: [] };
          share.lines.push({ text: own.line, line });
          shares.set(own.source.id, share);
        }
      }
    }
    return { shares: [...shares.values()], strangers };
  }

  /** Counts only once all of it is written. */
  async function write(block: SpoolDelivery, { source, lines }: Share): Promise<void> {
    const hash = createHash('sha256');
    for (const { text } of lines) hash.update(`${Buffer.byteLength(text)} `).update(text);
    const bodyHash = hash.digest();
    let raw: readonly number[] = [];
    await deps.ingestion.accept({
      source,
      // With the lines, as damage may leave fewer of them for the next run.
      batchId: batchIdOf(source.id, { key: `${block.key} ${bodyHash.toString('hex')}`, bodyHash }),
      bodyHash,
      neverRecurs: true,
      mayBeStored: block.isLeft,
      receivedAt: block.lines[0]?.receivedAt,
      arrival: { kind: 'lines', lines: lines.map(({ text, line }) => ({ text, receivedAt: line.receivedAt })) },
      onWritten: (events) => {
        raw = events.raw;
      },
    });
    for (const { line } of lines) counters[line.door].accepted++;
    for (const place of raw) {
      const door = lines[place]?.line.door;
      if (door !== undefined) counters[door].malformed++;
    }
  }

  const workers = Array.from({ length: AT_ONCE }, work);
  return {
    async stop() {
      stopping.abort();
      goOn();
      await Promise.all(workers);
      await Promise.all(later);
    },
  };
}
