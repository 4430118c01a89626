/**
 * Tells the Admins of the provider when nobody takes up work, and when somebody does again. Processes of every role but
 * `ingest` look, because workers are what may be away.
 *
 * Nothing told → stalled at so many looks in a row → told, a row of `stalled_work` → not stalled at so many looks in a row →
 * told as over, the row is gone. The row is written and taken away in the transaction that tells, so each is told once
 * whatever number of processes look. The looks are counted in memory: after a start, an outage of the database or a sleep of
 * the machine, what was due meanwhile looks stalled until workers had their time to take it up.
 *
 * Notices are handed out by workers too. As long as the row is there, those who look do so in their place; mails and
 * messages to the outside wait.
 */
import { type Database, sqlClient } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { createWorkerLoop } from '../../worker-loop.ts';
import type { Notices } from '../notifications/notifications-port.ts';
import { listProviders } from './objective-repository.ts';
import { findStalledWork, type StalledWork } from './stalled-work.ts';
import { beginStall, endStall, isStallTold } from './stalled-work-repository.ts';

const LOOK_EVERY_MS = 20_000;
/** A minute from the first to the last of them. */
export const LOOKS_BEFORE_TOLD = 4;
/** Three minutes: a worker that takes something, falls and comes again is told of once, not with every fall. */
export const LOOKS_BEFORE_OVER = 10;

type Dependencies = {
  db: Pick<Database, 'system'>;
  notices: Pick<Notices, 'tell'>;
  /** Brings what was told into the app. */
  handOut: () => Promise<void>;
  jobKinds: () => readonly string[];
  now: () => Date;
  log: { warn(fields: object, message: string): void };
};

export type StalledWorkWatch = {
  /** For tests; otherwise it looks by itself. */
  look(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
};

export function createStalledWorkWatch(deps: Dependencies): StalledWorkWatch {
  const { db } = deps;
  /** Looks in a row that saw something else than what was told. */
  let looks = { stalled: 0, over: 0 };

  async function look(): Promise<void> {
    const before = looks;
    // One that fails saw nothing, and the next begins anew.
    looks = { stalled: 0, over: 0 };
    const { stalled, isTold } = await db.system(async (tx) => ({
      stalled: await findStalledWork(sqlClient(tx), deps.jobKinds()),
      isTold: await isStallTold(tx),
    }));
    if (stalled !== null && !isTold) looks.stalled = before.stalled + 1;
    if (stalled === null && isTold) looks.over = before.over + 1;
    const isNews = looks.stalled >= LOOKS_BEFORE_TOLD || looks.over >= LOOKS_BEFORE_OVER;
    if (isNews) await db.system((tx) => tellChange(deps, tx, stalled));
    if (isNews || isTold) await deps.handOut();
  }

  const loop = createWorkerLoop({
    async round() {
      await look();
      return false;
    },
    restMs: () => LOOK_EVERY_MS,
    afterFailureMs: LOOK_EVERY_MS,
    log: deps.log,
    failed: 'whether work stands still is seen with the next look',
  });
  return { look, start: loop.start, stop: () => loop.stop() };
}

async function tellChange({ notices, now }: Dependencies, tx: Tx, stalled: StalledWork | null): Promise<void> {
  const since = stalled === null ? await endStall(tx) : await began(tx, new Date(stalled.since));
  if (since === undefined) return;
  const seen = stalled === null ? null : { at: now(), workers: stalled.workers };
  for (const tenant of await listProviders(tx)) {
    await notices.tell(tx, { kind: 'work_stalled', tenant, since, seen });
  }
}

async function began(tx: Tx, since: Date): Promise<Date | undefined> {
  return (await beginStall(tx, since)) ? since : undefined;
}
