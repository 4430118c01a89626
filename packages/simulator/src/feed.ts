/**
 * The live side of the simulator: hands over what the company's products write, at the time they write it, through the doors
 * a real product uses. One hand-over at a time; a door that is slow or fails loses its records (they are counted), because
 * catching up would make a burst that never happened.
 */
import type { RawRecord } from './raw-record.ts';
import type { ScenarioSchedule } from './timeline.ts';
import { createTimeline } from './timeline.ts';

export type Deliver = {
  /** A batch of NDJSON lines. Records of products that speak HTTP are not made without it. */
  readonly http?: (lines: readonly string[]) => Promise<void>;
  /** One syslog line without its line end. */
  readonly syslog?: (line: string) => Promise<void>;
};

export type FeedOptions = {
  readonly seed: string;
  readonly clock: () => Date;
  /** Everyday records per second at the busiest hour. */
  readonly ratePerSecond: number;
  readonly deliver: Deliver;
  readonly scenarios?: ScenarioSchedule;
  /** Milliseconds between hand-overs, default 500. */
  readonly everyMs?: number;
  readonly onError?: (error: unknown) => void;
};

export type FeedStats = { readonly delivered: number; readonly failed: number };

export type PlayedScenario = {
  readonly name: string;
  /** Address a policy should name. */
  readonly attacker: string;
  readonly records: number;
};

export interface Feed {
  start(): void;
  /** Resolves when nothing is being handed over any more. */
  stop(): Promise<void>;
  /** Hands over everything since the last time. `start` calls it; tests and drivers of their own clock may. */
  tick(): Promise<void>;
  /** Plays a scenario that ends now, at once. Throws `UnknownScenarioError`, or what a door throws. */
  runScenario(name: string): Promise<PlayedScenario>;
  stats(): FeedStats;
}

/** A pause longer than this (a laptop asleep) is skipped, not made up for. */
const LONGEST_GAP_MS = 30_000;

export function createFeed(options: FeedOptions): Feed {
  const { clock, deliver, everyMs = 500 } = options;
  const timeline = createTimeline(options);
  const counts = { delivered: 0, failed: 0 };
  let doneUntil = clock().getTime();
  let timer: NodeJS.Timeout | undefined;
  let busy: Promise<void> | undefined;
  let plays = 0;

  async function handOver(): Promise<void> {
    const until = clock().getTime();
    const from = until - doneUntil > LONGEST_GAP_MS ? until - everyMs : doneUntil;
    // The clock of a machine can be set back; nothing is handed over twice.
    if (until <= from) return;
    doneUntil = until;
    await deliverAll(timeline.recordsBetween(from, until), deliver, counts).catch((error: unknown) =>
      options.onError?.(error),
    );
  }

  function tick(): Promise<void> {
    busy ??= handOver().finally(() => {
      busy = undefined;
    });
    return busy;
  }

  return {
    start() {
      if (timer !== undefined) return;
      doneUntil = clock().getTime();
      timer = setInterval(() => void tick(), everyMs);
    },
    async stop() {
      clearInterval(timer);
      timer = undefined;
      await busy;
    },
    tick,
    async runScenario(name) {
      const now = clock().getTime();
      plays += 1;
      const drafted = timeline.play(name, now, `play ${plays}`);
      const lastsMs = (drafted.records.at(-1)?.time ?? now) - now;
      const played = timeline.play(name, now - lastsMs, `play ${plays}`);
      await deliverAll(played.records, deliver, counts);
      return { name, attacker: played.attacker, records: played.records.length };
    },
    stats: () => ({ ...counts }),
  };
}

/** Both doors side by side; syslog lines one after the other, as one sender does. Throws the first failure at the end. */
async function deliverAll(
  records: readonly RawRecord[],
  { http, syslog }: Deliver,
  counts: { delivered: number; failed: number },
): Promise<void> {
  const overHttp = http === undefined ? [] : records.filter((record) => record.transport === 'http');
  const overSyslog = syslog === undefined ? [] : records.filter((record) => record.transport === 'syslog');
  const errors: unknown[] = [];
  const attempt = async (size: number, send: () => Promise<void>): Promise<void> => {
    try {
      await send();
      counts.delivered += size;
    } catch (error) {
      counts.failed += size;
      errors.push(error);
    }
  };
  await Promise.all([
    overHttp.length === 0 ? undefined : attempt(overHttp.length, async () => http?.(overHttp.map((one) => one.line))),
    (async () => {
      for (const record of overSyslog) await attempt(1, async () => syslog?.(record.line));
    })(),
  ]);
  if (errors.length > 0) throw errors[0];
}
