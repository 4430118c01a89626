/**
 * The continuous archive of an installation with its own stores.
 *
 * States: starting (nothing of this run is secured yet) → working ⇄ one of the troubles of `archive-error.ts`; late is
 * working that has secured nothing for a minute. A session holds a stream of the database's log, and beside it makes cuts
 * of the event store and, once a day, a copy of the database. Whatever fails ends the session, and the next one begins
 * after a pause, from what is in the archive: nothing is remembered but what is written there.
 *
 * What always holds: a moment counts as secured when everything acknowledged before it is durable in the archive: the log
 * to its position then, the parts of the event store after it, and a copy of the database to begin from. The product does
 * not wait for any of it. While the archive is away the database keeps a fixed amount of log for it (`KEPT_LOG_MB`) and no
 * more; when that was not enough, the log has a gap, and a new copy of the database is made at once.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ArchiveFigures } from '@airdeck/contracts/operations/schema';
import pg from 'pg';
import type { StorageLog } from '../../storage/storage-log.ts';
import { type EventsAddress, openEvents } from '../backup/events-access.ts';
import { ArchiveError, type ArchiveTrouble, troubleOf } from './archive-error.ts';
import { claimArchive, listWhole, makeFolder, momentOf } from './archive-folder.ts';
import { openArchivedFiles } from './archived-files.ts';
import { BASES, type Base, copyBase, endOfBase, listBases, startOf } from './base-copies.ts';
import { CUTS, type EventCuts, listCuts, openEventCuts, PARTS, readWholeCut } from './event-cuts.ts';
import { connectForReplication, identifySystem, type SystemFacts, streamWal } from './replication.ts';
import { endOf, listSegments, openWalFiles, readWalProgress, WAL, type WalFiles } from './wal-files.ts';
import { parsePosition, SEGMENT_BYTES, segmentName, segmentStart } from './wal-position.ts';

export type ArchivePeriods = {
  /** Between two syncs of the log. */
  flushMs: number;
  /** Between two cuts of the event store. */
  cutMs: number;
  /** Between two copies of the database. */
  baseMs: number;
  /** After something failed. */
  retryMs: number;
};

export const archivePeriods: ArchivePeriods = {
  flushMs: 5_000,
  cutMs: 20_000,
  baseMs: 24 * 3_600_000,
  retryMs: 10_000,
};

/** What may be lost. */
export const LATE_AFTER_MS = 60_000;
/**
 * Log that the database keeps for an archive that is away, and the bound of what it takes on the data disk beside the 512 MB
 * that the database may use anyway.
 */
export const KEPT_LOG_MB = 1_024;
/** In multiples of the shortest. */
const LONGEST_PAUSE = 6;
const BASES_KEPT = 2;
const THIN_OUT_EVERY_MS = 600_000;
const LOOK_EVERY_MS = 5_000;
const TELL_AGAIN_MS = 600_000;
const LAST_CUT_WITHIN_MS = 5_000;
const END_WITHIN_MS = 3_000;
/** The database has thrown away log that was asked for. */
const LOG_IS_GONE = '58P01';

export type Archive = {
  figures(): ArchiveFigures;
  /** Secures what there is, for a few seconds at most. */
  stop(): Promise<void>;
};

export type ArchiveDeps = {
  folder: string;
  dataDir: string;
  databaseUrl: string;
  events: EventsAddress;
  productVersion: string;
  now: () => Date;
  log: StorageLog;
  periods: ArchivePeriods;
};

export function startArchive(deps: ArchiveDeps): Archive {
  const { log, now, periods } = deps;
  const ending = new AbortController();
  const standing: Standing = {
    ...{ trouble: undefined, isWorking: false, securedUntil: undefined },
    ...{ baseAt: undefined, rebuiltAt: undefined, detail: undefined },
  };
  let last: Session | undefined;

  const figures = () => figuresOf(standing, now());
  const watch = setInterval(createTeller({ figures, detail: () => standing.detail, log }), LOOK_EVERY_MS);
  watch.unref();

  const onReady = (ready: Session) => {
    last = ready;
  };

  // Each session looks anew, and there may be many of them before one works.
  const said = new Set<string>();
  const say = (line: string) => {
    if (!said.has(line)) log.warn({}, `the archive: ${line}`);
    said.add(line);
  };

  async function run(): Promise<void> {
    let isGap = false;
    let failures = 0;
    while (!ending.signal.aborted) {
      try {
        await session({ ...deps, standing, isGap, signal: ending.signal, onReady, say });
      } catch (error) {
        last = undefined;
        if (ending.signal.aborted) return;
        isGap = !isGap && codeOf(error) === LOG_IS_GONE;
        if (isGap) {
          log.warn({}, 'the archive was away for too long: the log has a gap, and the database is copied anew');
          continue;
        }
        if (standing.isWorking) {
          failures = 0;
          said.clear();
        }
        [standing.isWorking, standing.trouble] = [false, troubleOf(error)];
        const detail = error instanceof ArchiveError ? error.detail : undefined;
        log.debug({ error: String(error), detail }, 'the archive could not go on');
        standing.detail = detail ?? (error instanceof Error ? error.message : String(error));
      }
      // Each attempt at a copy of the database makes it begin a new file of its log.
      await pause(periods.retryMs * Math.min(++failures, LONGEST_PAUSE), ending.signal);
    }
  }

  const running = run();
  return {
    figures,
    async stop() {
      clearInterval(watch);
      if (last !== undefined && standing.isWorking) {
        const securing = last.secure().catch((error: unknown) => {
          log.warn({ error: String(error) }, 'the archive lacks what came last');
        });
        await Promise.race([securing, wait(LAST_CUT_WITHIN_MS, undefined, { ref: false })]);
      }
      ending.abort();
      // A disk that does not answer keeps nobody from stopping.
      await Promise.race([running, wait(END_WITHIN_MS, undefined, { ref: false })]);
    },
  };
}

type Standing = {
  trouble: ArchiveTrouble | undefined;
  isWorking: boolean;
  securedUntil: Date | undefined;
  baseAt: Date | undefined;
  /** When it had to be found out how far the log goes. */
  rebuiltAt: Date | undefined;
  /** Of what is wrong now, for the log only. */
  detail: string | undefined;
};

function figuresOf({ trouble, isWorking, securedUntil, baseAt, rebuiltAt }: Standing, at: Date): ArchiveFigures {
  const isLate = securedUntil !== undefined && at.getTime() - securedUntil.getTime() > LATE_AFTER_MS;
  return {
    state: trouble ?? (isWorking ? (isLate ? 'late' : 'working') : 'starting'),
    secured_until: securedUntil?.toISOString() ?? null,
    base_at: baseAt?.toISOString() ?? null,
    rebuilt_at: rebuiltAt?.toISOString() ?? null,
  };
}

/** Says once what is wrong, again from time to time, and when it is over. */
function createTeller(deps: {
  figures: () => ArchiveFigures;
  detail: () => string | undefined;
  log: StorageLog;
}): () => void {
  const { figures, detail, log } = deps;
  let told: ArchiveFigures['state'] = 'starting';
  let toldAt = 0;
  return () => {
    const { state, secured_until } = figures();
    const isFine = state === 'working' || state === 'starting';
    const wasFine = told === 'working' || told === 'starting';
    if (isFine) {
      if (!wasFine && state === 'working') log.info({ secured_until }, 'the archive is written again');
      if (state === 'working' || wasFine) told = state;
      return;
    }
    if (state === told && performance.now() - toldAt < TELL_AGAIN_MS) return;
    [told, toldAt] = [state, performance.now()];
    log.warn(
      { state, secured_until, detail: detail() },
      'the archive is not written: what comes in now is lost with the disk',
    );
  };
}

type Session = { secure(): Promise<void> };

async function session(
  deps: ArchiveDeps & {
    standing: Standing;
    /** Begin at the present end of the log, whatever is missing before. */
    isGap: boolean;
    signal: AbortSignal;
    onReady: (session: Session) => void;
    say: (line: string) => void;
  },
): Promise<void> {
  const { folder, standing, periods, now, say } = deps;
  const own = new AbortController();
  const signal = AbortSignal.any([deps.signal, own.signal]);
  const client = await connectForReplication(deps.databaseUrl);
  const database = new pg.Client({ connectionString: deps.databaseUrl, application_name: 'airdeck-archive' });
  database.on('error', () => undefined);
  const access = openEvents(deps.events);
  try {
    await database.connect();
    const facts = await identifySystem(client);
    await claimArchive({ ...deps, ...facts });
    for (const name of [CUTS, PARTS, BASES]) await makeFolder(join(folder, name));
    const onRebuilt = (line: string) => {
      say(line);
      standing.rebuiltAt = now();
    };
    const wal = await openWalFiles({ folder, timeline: facts.timeline, now, say: onRebuilt });
    const from = await startingPoint({ ...deps, facts, wal });
    wal.startAt(from);
    const bases = await connectedBases({ folder, timeline: facts.timeline, from, say });
    standing.baseAt = atOf(bases.at(-1));
    standing.securedUntil = await securedBefore(folder, wal.next, say);
    const stream = streamWal(client, { timeline: facts.timeline, position: from }, wal.take);
    const cuts = await openEventCuts({
      ...{ folder, events: access, storeFolder: join(deps.dataDir, 'events') },
      say,
    });
    const files = await openArchivedFiles(deps);

    const flush = async () => {
      const flushed = await wal.flush();
      stream.report(flushed);
      return flushed;
    };
    const makeCut = createCutMaker({ ...deps, database, cuts, files, flush, bases, signal });
    deps.onReady({ secure: makeCut });
    const work = [
      stream.ended,
      every(periods.flushMs, signal, async () => void (await flush())),
      every(periods.cutMs, signal, makeCut),
      keepBases({ ...deps, database, bases, signal, forgetFiles: files.forget, onFirst: makeCut }),
    ];
    try {
      await Promise.race(work);
    } finally {
      own.abort();
      await client.end().catch(() => undefined);
      await Promise.allSettled(work);
    }
  } finally {
    own.abort();
    await Promise.allSettled([client.end(), database.end(), access.client.close()]);
  }
}

/** Where the stream starts. A database that is behind its archive has gone back in time: it is not the one archived. */
async function startingPoint(deps: {
  folder: string;
  facts: SystemFacts;
  wal: WalFiles;
  isGap: boolean;
  say: (line: string) => void;
}): Promise<bigint> {
  const { folder, facts, wal, isGap, say } = deps;
  const progress = await readWalProgress(folder, say);
  const reached = progress === undefined ? 0n : endOf(progress);
  if (reached > facts.flushed || (wal.next ?? 0n) > facts.flushed) throw new ArchiveError('foreign');
  return wal.next === undefined || isGap ? segmentStart(facts.flushed) : wal.next;
}

/** Copies from which the log leads without a gap to where the stream starts. */
async function connectedBases(at: {
  folder: string;
  timeline: number;
  from: bigint;
  say: (line: string) => void;
}): Promise<Base[]> {
  const segments = await listSegments(at.folder, at.timeline);
  const bases = await listBases(at.folder, at.say);
  return bases.filter((base) => {
    if (base.timeline !== at.timeline) return false;
    for (let position = segmentStart(startOf(base)); position < at.from; position += BigInt(SEGMENT_BYTES)) {
      if (!segments.has(segmentName(at.timeline, position))) return false;
    }
    return true;
  });
}

/** From what an earlier run left. */
async function securedBefore(
  folder: string,
  until: bigint | undefined,
  say: (line: string) => void,
): Promise<Date | undefined> {
  const progress = await readWalProgress(folder, say);
  const reached = [until ?? 0n, progress === undefined ? 0n : endOf(progress)].reduce((a, b) => (a > b ? a : b));
  for (const name of (await listCuts(folder)).reverse()) {
    const cut = await readWholeCut(folder, name, () => undefined);
    if (cut !== undefined && parsePosition(cut.position) <= reached) return new Date(cut.at);
  }
  return undefined;
}

/** One cut at a time; resolves when its moment is secured. */
function createCutMaker(deps: {
  standing: Standing;
  database: pg.Client;
  cuts: EventCuts;
  files: { copyNew(now: Date): Promise<void> };
  flush: () => Promise<bigint>;
  bases: readonly Base[];
  signal: AbortSignal;
  now: () => Date;
}): () => Promise<void> {
  const { standing, database, cuts, files, flush, bases, signal, now } = deps;
  let thinnedAt = Number.NEGATIVE_INFINITY;
  let before: Promise<unknown> = Promise.resolve();

  async function make(): Promise<void> {
    const at = now();
    const { rows } = await database.query<{ position: string }>('select pg_current_wal_flush_lsn() as position');
    const position = rows[0]?.position ?? '';
    await files.copyNew(at);
    await cuts.take({ at, position });
    let flushed = await flush();
    while (flushed < parsePosition(position)) {
      await wait(SOON_MS, undefined, { signal });
      flushed = await flush();
    }
    const base = bases.at(-1);
    if (base === undefined || endOfBase(base) > flushed) return;
    [standing.securedUntil, standing.isWorking] = [at, true];
    [standing.trouble, standing.detail] = [undefined, undefined];
    if (performance.now() - thinnedAt < THIN_OUT_EVERY_MS) return;
    thinnedAt = performance.now();
    await cuts.thinOut({ now: at, oldest: atOf(bases[0]) });
  }

  return () => {
    const done = before.then(make);
    before = done.catch(() => undefined);
    return done;
  };
}

const SOON_MS = 100;

/** A copy when there is none to begin from, and one each day. */
async function keepBases(deps: {
  folder: string;
  databaseUrl: string;
  productVersion: string;
  standing: Standing;
  periods: ArchivePeriods;
  database: pg.Client;
  /** Grows and shrinks here. */
  bases: Base[];
  forgetFiles: (before: Date) => Promise<void>;
  /** There was none to begin from before. */
  onFirst: () => Promise<void>;
  signal: AbortSignal;
  now: () => Date;
}): Promise<void> {
  const { folder, bases, standing, signal, now } = deps;
  const { rows } = await deps.database.query<{ postgres: string }>('show server_version');
  const postgres = Object.values(rows[0] ?? {})[0] ?? '';
  await every(deps.periods.flushMs, signal, async () => {
    const newest = bases.at(-1);
    if (newest !== undefined && now().getTime() - Date.parse(newest.finished_at) < deps.periods.baseMs) return;
    const base = await copyBase({ ...deps, postgres });
    // Also of those the log does not lead on from: each gap leaves one, and a disk they filled would stay full.
    // Damaged ones do not count, and were told when the session began.
    const oldest = (await listBases(folder, () => undefined)).at(-BASES_KEPT);
    if (oldest !== undefined) await forgetBefore(folder, oldest, deps.forgetFiles);
    if (bases.push(base) === 1) await deps.onFirst();
    standing.baseAt = atOf(base);
    bases.splice(0, bases.length - BASES_KEPT);
  });
}

async function forgetBefore(folder: string, oldest: Base, forgetFiles: (before: Date) => Promise<void>): Promise<void> {
  for (const name of await listWhole(join(folder, BASES))) {
    if (name < oldest.name) await rm(join(folder, BASES, name), { recursive: true, force: true });
  }
  const first = segmentName(oldest.timeline, startOf(oldest));
  for (const name of await listWhole(join(folder, WAL))) {
    if (/^[0-9A-F]{24}[-.]/.test(name) && name.slice(0, 24) < first) await rm(join(folder, WAL, name), { force: true });
  }
  await forgetFiles(momentOf(oldest.name));
}

/** At once, and then each time so long after the last one ended. */
async function every(ms: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await work();
    await pause(ms, signal);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}

function atOf(base: Base | undefined): Date | undefined {
  return base === undefined ? undefined : new Date(base.finished_at);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
