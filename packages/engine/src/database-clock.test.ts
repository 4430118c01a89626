import { beforeEach, describe, expect, it } from 'vitest';
import { createDatabaseClock } from './database-clock.ts';
import type { SqlClient } from './interfaces.ts';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-01-02T03:04:05Z');

let own: number;
let wall: number;
let database: number;
let asked: number;
let asleep: number;
let stored: { generation: number; shift_ms: number; set_at: Date } | undefined;
let seen: number[];

/** An answer takes 10 ms there and 10 ms back. */
const tx: SqlClient = {
  query: async <Row>(sql: string, values?: readonly unknown[]) => {
    pass(10);
    const rows = (sql.startsWith('insert') ? [] : [{ now: new Date(database), ...stored }]) as Row[];
    if (sql.startsWith('insert')) {
      const [generation, shift_ms, set_at] = values as [number, number, Date];
      if (generation !== (stored?.generation ?? 0) + 1) return { rows, rowCount: 0 };
      stored = { generation, shift_ms, set_at };
    } else asked += 1;
    pass(10);
    return { rows, rowCount: 1 };
  },
};

beforeEach(() => {
  [own, wall, database, asked, asleep] = [500, START - HOUR_MS, START, 0, 0];
  [stored, seen] = [undefined, []];
});

function pass(ms: number): void {
  own += ms;
  wall += ms;
  database += ms;
}

function clockOf({ follow = true } = {}) {
  return createDatabaseClock({
    ...{ follow, clock: { now: () => new Date(wall) }, nowMs: () => own, uptimeMs: () => own + asleep },
    onSet: (byMs) => seen.push(Math.round(byMs)),
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

  it('is measured by whoever needs it, once in five seconds', async () => {
    const clock = clockOf();
    await clock.fresh(tx);
    expect([asked, clock.now().getTime()]).toEqual([1, database]);
    pass(4_000);
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

describe.each([1, -1])('a clock of the database that is set by an hour (%i)', (sign) => {
  const jump = sign * HOUR_MS;

  it('moves the time of nobody, and a fifth of what passes goes into making up for it', async () => {
    const [one, two] = [clockOf(), clockOf()];
    for (const clock of [one, two]) await clock.sync();
    const before = database;
    database += jump;
    for (const clock of [one, two, one, two]) await clock.sync();
    const passed = () => database - jump - before;
    expect(one.now().getTime()).toBeCloseTo(two.now().getTime(), -1);
    expect(Math.abs(one.now().getTime() - before - passed())).toBeLessThan(100);
    expect(seen).toEqual([jump]);
    expect(stored?.generation).toBe(1);

    for (let minute = 0; minute < 60; minute += 1) {
      pass(60_000);
      await one.sync();
    }
    const madeUp = one.now().getTime() - before - passed();
    expect(Math.abs(madeUp - (sign * passed()) / 5)).toBeLessThan(100);
    pass(5 * HOUR_MS);
    await two.sync();
    expect(two.now().getTime()).toBe(database);
    expect(stored?.generation).toBe(1);
  });

  it('is not asked about by who comes new, nor set again for it', async () => {
    const old = clockOf();
    await old.sync();
    const before = database;
    database += jump;
    const young = clockOf();
    await young.sync();
    await old.sync();
    pass(2_000);
    await young.sync();
    expect(Math.abs(young.now().getTime() - old.now().getTime())).toBeLessThan(100);
    expect(Math.abs(young.now().getTime() - before)).toBeLessThan(5_000);
    expect(seen).toEqual([jump]);
  });

  it('leaves the time as it was with who only starts runs, until a worker has written it down', async () => {
    const [api, worker] = [clockOf(), clockOf()];
    for (const clock of [api, worker]) await clock.sync();
    const before = database;
    database += jump;
    pass(31_000);
    await api.fresh(tx);
    expect(stored).toBeUndefined();
    expect(Math.abs(api.now().getTime() - before - 31_000)).toBeLessThan(1_000);
    await worker.sync();
    await api.fresh(tx);
    expect(Math.abs(api.now().getTime() - worker.now().getTime())).toBeLessThan(100);
    expect(seen).toEqual([jump]);
  });

  it('is followed at once where nobody can tell: after a sleep of the machine, and after a minute without word', async () => {
    const clock = clockOf();
    await clock.sync();
    database += jump;
    asleep += HOUR_MS;
    await clock.sync();
    expect(clock.now().getTime()).toBe(database);
    database -= jump;
    pass(61_000);
    await clock.sync();
    expect(clock.now().getTime()).toBe(database);
    expect(seen).toEqual([]);
  });
});

it('an answer that took long is no clock that was set', async () => {
  const slow: SqlClient = {
    query: async <Row>(sql: string, values?: readonly unknown[]) => {
      const answer = await tx.query<Row>(sql, values);
      pass(20_000);
      return answer;
    },
  };
  const late = createDatabaseClock({
    ...{ follow: true, clock: { now: () => new Date(wall) }, nowMs: () => own, uptimeMs: () => own },
    onSet: (byMs) => seen.push(byMs),
    pool: { transaction: (work) => work(asked < 1 ? tx : slow) },
  });
  await late.sync();
  await late.sync();
  expect([seen, stored]).toEqual([[], undefined]);
});
