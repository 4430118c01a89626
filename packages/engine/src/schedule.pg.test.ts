import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fireDueSchedules, latestDueSlot, putSchedule, removeSchedule } from './schedule.ts';
import { createTestDatabase, type TestCluster } from './testing/test-database.ts';
import { testTenant } from './testing/test-engine.ts';
import { uuidV7 } from './testing/test-ids.ts';
import { testServerUrl } from './testing/test-server.ts';

let cluster: TestCluster;
let nowMs = 0;
const START = Date.parse('2026-03-01T00:00:30Z');

/** `every <seconds>`: slots at multiples of that many seconds. */
function nextSlot(expression: string, after: Date): Date | null {
  const seconds = Number(/^every (\d+)$/.exec(expression)?.[1]);
  if (!Number.isInteger(seconds)) throw new Error('expected "every <seconds>"');
  const ms = seconds * 1000;
  return new Date((Math.floor(after.getTime() / ms) + 1) * ms);
}

const deps = { nextSlot, ids: uuidV7, now: () => new Date(nowMs) };
const minutely = { tenantId: testTenant, name: 'poll', expression: 'every 60', kind: 'work' };
const put = (input = minutely) => cluster.database.pool.transaction((tx) => putSchedule(tx, input, deps));
const fireAs = (...kinds: string[]) =>
  cluster.database.pool.transaction((tx) => fireDueSchedules(tx, { ...deps, kinds }));
const fire = () => fireAs('work');

async function counts(): Promise<{ slots: number; jobs: number }> {
  const { rows } = await cluster.database.sql.query<{ slots: number; jobs: number }>(
    'select (select count(*)::int from engine.cron_slot) as slots, (select count(*)::int from engine.job) as jobs',
  );
  return rows[0] ?? { slots: -1, jobs: -1 };
}

beforeAll(async () => {
  cluster = await createTestDatabase(testServerUrl());
});
afterAll(() => cluster.drop());
beforeEach(async () => {
  nowMs = START;
  await cluster.database.sql.query('delete from engine.cron');
  await cluster.database.sql.query('delete from engine.job');
});

describe('schedules', () => {
  it('fires a slot once although many schedulers look at it at the same time', async () => {
    await put();
    for (let minute = 1; minute <= 5; minute += 1) {
      nowMs = START + minute * 60_000;
      const fired = await Promise.all(Array.from({ length: 6 }, fire));
      expect(fired.reduce((sum, each) => sum + each, 0)).toBe(1);
    }
    expect(await counts()).toEqual({ slots: 5, jobs: 5 });
  });

  it('leaves slots of a kind it does not carry out to who does', async () => {
    await put();
    nowMs = START + 300_000;
    expect(await fireAs('other work')).toBe(0);
    expect(await counts()).toEqual({ slots: 0, jobs: 0 });
    expect(await fireAs('other work', 'work')).toBe(1);
  });

  it('does not fire a slot again when a clock is set back', async () => {
    await put();
    nowMs = START + 60_000;
    expect(await fire()).toBe(1);
    await cluster.database.sql.query(`update engine.cron set next_slot_at = '2026-03-01T00:01:00Z'`);
    expect(await fire()).toBe(0);
    expect(await counts()).toEqual({ slots: 1, jobs: 1 });
  });

  it('makes up for a long stop with one firing, of the latest slot', async () => {
    await put();
    nowMs = START + 10 * 60_000;
    expect(await fire()).toBe(1);
    const { rows } = await cluster.database.sql.query('select slot_at from engine.cron_slot');
    expect(rows).toEqual([{ slot_at: new Date('2026-03-01T00:10:00Z') }]);
    expect(await fire()).toBe(0);
  });

  it('keeps the next slot when the same schedule is put again, and takes the new one when it changes', async () => {
    await put();
    nowMs = START + 59_000;
    await put();
    expect(await fire()).toBe(1);
    await put({ ...minutely, expression: 'every 3600' });
    nowMs += 60_000;
    expect(await fire()).toBe(0);
  });

  it('stops firing when it is removed', async () => {
    await put();
    await cluster.database.pool.transaction((tx) => removeSchedule(tx, minutely));
    nowMs += 3_600_000;
    expect(await fire()).toBe(0);
  });

  it('refuses an expression that cannot be read', async () => {
    await expect(put({ ...minutely, expression: 'now and then' })).rejects.toMatchObject({ code: 'SCHEDULE_INVALID' });
  });

  it('jumps over slots nobody can count', () => {
    const first = new Date(0);
    const now = new Date(10_000_000);
    const { next } = latestDueSlot('every 1', first, now, nextSlot);
    expect(next).toEqual(new Date(10_001_000));
  });
});
