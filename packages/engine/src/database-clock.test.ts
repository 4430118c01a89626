import { beforeEach, describe, expect, it } from 'vitest';
import { createDatabaseClock } from './database-clock.ts';
import type { SqlClient } from './interfaces.ts';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-01-02T03:04:05Z');

let own: number;
let wall: number;
let database: number;
let asked: number;

/** An answer takes 10 ms there and 10 ms back. */
const tx: SqlClient = {
  query: async <Row>() => {
    asked += 1;
    pass(10);
    const rows = [{ now: new Date(database) }] as Row[];
    pass(10);
    return { rows, rowCount: 1 };
  },
};

beforeEach(() => {
  [own, wall, database, asked] = [500, START - HOUR_MS, START, 0];
});

function pass(ms: number): void {
  own += ms;
  wall += ms;
  database += ms;
}

function clockOf({ follow = true } = {}) {
  return createDatabaseClock({
    ...{ follow, clock: { now: () => new Date(wall) }, nowMs: () => own },
    pool: { transaction: (work) => work(tx) },
  });
}

describe('the time of the database', () => {
  it('is told as soon as it was measured, whatever the own clock says', async () => {
    const clock = clockOf();
    expect(clock.now().getTime()).toBe(wall);
    await clock.sync();
    expect(clock.now().getTime()).toBe(database);
    pass(1_234);
    expect(clock.now().getTime()).toBe(database);
  });

  it('goes on when somebody sets the own clock', async () => {
    const clock = clockOf();
    await clock.sync();
    for (const jump of [2 * HOUR_MS, -3 * HOUR_MS]) {
      wall += jump;
      pass(10);
      expect(clock.now().getTime()).toBe(database);
    }
  });

  it('is measured by whoever needs it, once in half a minute', async () => {
    const clock = clockOf();
    await clock.fresh(tx);
    expect([asked, clock.now().getTime()]).toEqual([1, database]);
    pass(29_000);
    await clock.fresh(tx);
    expect(asked).toBe(1);
    pass(2_000);
    // The own clock went wrong by a second in that time.
    database += 1_000;
    await clock.fresh(tx);
    expect([asked, clock.now().getTime()]).toEqual([2, database]);
  });

  it('is not asked for where the own clock is to be followed', async () => {
    const clock = clockOf({ follow: false });
    await clock.sync();
    await clock.fresh(tx);
    expect([asked, clock.now().getTime()]).toEqual([0, wall]);
  });
});
