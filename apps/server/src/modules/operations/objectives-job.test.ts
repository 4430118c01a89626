import { BURN_BAD_MIN } from '@airdeck/contracts/operations/objectives';
import type { JobContext } from '@airdeck/engine/interfaces';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createNotificationsFixture, type NotificationsFixture } from '../notifications/notifications-fixture.ts';
import { createObjectiveCounts } from './objective-counts.ts';
import { alertsNow, foldMinutes, minutesOf } from './objective-repository.ts';
import { createObjectivesJob } from './objectives-job.ts';

const MINUTE_MS = 60_000;
let fixture: NotificationsFixture;
let provider: string;

beforeAll(async () => {
  fixture = await createNotificationsFixture();
  provider = await fixture.tenant('Provider');
  await fixture.tenant('Customer');
  await fixture.db.system((tx) =>
    tx.updateTable('tenant').set({ is_provider: true }).where('id', '=', provider).execute(),
  );
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  fixture.later(40 * 24 * 60 * MINUTE_MS);
  await fixture.db.system(async (tx) => {
    await tx.deleteFrom('objective_minute').execute();
    await tx.deleteFrom('objective_alert').execute();
    await sql`delete from notification_event`.execute(tx);
  });
});

const look = () =>
  createObjectivesJob({ db: fixture.db, now: () => fixture.clock.now, notices: fixture.module.notices }).run(
    {} as JobContext,
  );

async function told(): Promise<{ tenant: string; title: string }[]> {
  const { rows } = await fixture.db.system((tx) =>
    sql<{ tenant: string; title: string }>`
      select tenant_id as tenant, title from notification_event where kind = 'objective_missed' order by id`.execute(
      tx,
    ),
  );
  return rows;
}

async function count(bad: number, good: number): Promise<void> {
  const counts = createObjectiveCounts({ db: fixture.db, now: () => fixture.clock.now });
  for (let n = 0; n < bad; n++) counts.add('api_answers', false);
  for (let n = 0; n < good; n++) counts.add('api_answers', true);
  await counts.flush();
}

describe('promises of the installation', () => {
  it('tells the provider once when one is being broken, and once when it is kept again', async () => {
    await count(50, 50);
    await Promise.all([look(), look(), look()]);
    await look();
    expect(await told()).toEqual([{ tenant: provider, title: 'Calls of the API fail more often than promised' }]);
    fixture.later(40 * MINUTE_MS);
    await count(0, 1_000);
    await look();
    expect((await fixture.db.system(alertsNow)).get('api_answers')?.severity).toBe('slow');
    expect(await told()).toHaveLength(1);
    fixture.later(7 * 60 * MINUTE_MS);
    await count(0, 1_000);
    await look();
    await look();
    expect((await told()).map(({ title }) => title)).toEqual([
      'Calls of the API fail more often than promised',
      'Calls of the API fail: over',
    ]);
  });

  it('says nothing while too few failed to tell anything', async () => {
    await count(BURN_BAD_MIN - 1, 0);
    await look();
    expect(await told()).toEqual([]);
  });

  it('adds up what several processes counted in one minute', async () => {
    await Promise.all([count(1, 2), count(3, 4), count(5, 6)]);
    const since = new Date(fixture.clock.now.getTime() - 10 * MINUTE_MS);
    const minutes = await fixture.db.system((tx) => minutesOf(tx, 'api_answers', since));
    expect(minutes).toMatchObject([{ good: 12, bad: 9 }]);
  });

  it('folds old minutes into hours and keeps their sums, however often', async () => {
    await count(1, 2);
    fixture.later(MINUTE_MS);
    await count(3, 4);
    const at = fixture.clock.now;
    await fixture.db.system((tx) => foldMinutes(tx, new Date(at.getTime() - 60 * MINUTE_MS)));
    const since = new Date(at.getTime() - 120 * MINUTE_MS);
    const all = () => fixture.db.system((tx) => minutesOf(tx, 'api_answers', since));
    expect(await all()).toHaveLength(2);
    for (let n = 0; n < 2; n++) await fixture.db.system((tx) => foldMinutes(tx, new Date(at.getTime() + MINUTE_MS)));
    const [hour] = await all();
    expect(await all()).toHaveLength(1);
    expect(hour).toMatchObject({ good: 6, bad: 4 });
    expect(hour?.minute.getUTCMinutes()).toBe(0);
  });

  it('keeps what could not be added for the next time, so that an outage of the database is not a gap', async () => {
    let isAway = true;
    const counts = createObjectiveCounts({
      db: {
        system: async (work) => {
          if (isAway) throw new Error('away');
          return await fixture.db.system(work);
        },
      },
      now: () => fixture.clock.now,
    });
    counts.add('events_taken', false);
    await expect(counts.flush()).rejects.toThrow('away');
    counts.add('events_taken', true);
    isAway = false;
    await counts.flush();
    await counts.flush();
    const since = new Date(fixture.clock.now.getTime() - 10 * MINUTE_MS);
    const minutes = await fixture.db.system((tx) => minutesOf(tx, 'events_taken', since));
    expect(minutes).toMatchObject([{ good: 1, bad: 1 }]);
  });

  it('counts a run as late that has not begun, and leaves out dry ones and those that are to begin later', async () => {
    const from = minuteNow() - MINUTE_MS;
    await addRuns([
      { createdAt: from, begunAfterMs: 500 },
      { createdAt: from + 1_000, begunAfterMs: 5_000 },
      { createdAt: from + 2_000 },
      { createdAt: from + 3_000, isDry: true },
      { createdAt: from + 4_000, trigger: { time_scheduled: '2030-01-01T00:00:00.000Z' } },
    ]);
    await look();
    await look();
    expect(await beginningsSince(from)).toEqual([{ minute: 0, good: 1, bad: 2 }]);
    expect((await fixture.db.system(alertsNow)).size).toBe(0);
  });

  it('counts the minutes in which no worker was there to look, and tells of them', async () => {
    const from = minuteNow() - MINUTE_MS;
    await addRuns([{ createdAt: from, begunAfterMs: 500 }]);
    await look();
    fixture.later(20 * MINUTE_MS);
    const away = Array.from({ length: 19 }, (_, n) => from + (n + 1) * MINUTE_MS);
    // One of each minute began when the workers came back, the other still waits.
    await addRuns(
      away.flatMap((createdAt) => [{ createdAt }, { createdAt, begunAfterMs: from + 20 * MINUTE_MS - createdAt }]),
    );
    await addRuns([{ createdAt: from + 20 * MINUTE_MS, begunAfterMs: 500 }]);
    await look();
    expect(await beginningsSince(from)).toEqual([
      { minute: 0, good: 1, bad: 0 },
      ...away.map((_, n) => ({ minute: n + 1, good: 0, bad: 2 })),
      { minute: 20, good: 1, bad: 0 },
    ]);
    expect((await fixture.db.system(alertsNow)).get('runs_begin')?.severity).toBe('urgent');
  });

  it('goes on from a quiet minute, looks once more at one it saw too early, and back six hours at most', async () => {
    const from = minuteNow() - MINUTE_MS;
    await addRuns([{ createdAt: from - 7 * 60 * MINUTE_MS }]);
    await look();
    expect(await beginningsSince(from - 8 * 60 * MINUTE_MS)).toEqual([]);
    // Told of only after the minute was looked at.
    await addRuns([{ createdAt: from - 5 * MINUTE_MS }, { createdAt: from, begunAfterMs: 500 }]);
    fixture.later(MINUTE_MS);
    await look();
    expect(await beginningsSince(from - 8 * 60 * MINUTE_MS)).toEqual([{ minute: 8 * 60, good: 1, bad: 0 }]);
  });
});

const minuteNow = () => Math.floor(fixture.clock.now.getTime() / MINUTE_MS) * MINUTE_MS;

/** Those in which any was started, by how many minutes they come after the first. */
async function beginningsSince(from: number): Promise<{ minute: number; good: number; bad: number }[]> {
  const counted = await fixture.db.system((tx) => minutesOf(tx, 'runs_begin', new Date(from - 1)));
  return counted
    .filter(({ good, bad }) => good + bad > 0)
    .map(({ minute, good, bad }) => ({ minute: (minute.getTime() - from) / MINUTE_MS, good, bad }));
}

type TestRun = { createdAt: number; begunAfterMs?: number; isDry?: boolean; trigger?: object };

/** Those without a time wait to begin. */
async function addRuns(runs: readonly TestRun[]): Promise<void> {
  await fixture.db.system(async (tx) => {
    await sql`insert into engine.definition (tenant_id, hash, body, traits) values (${provider}, 'h', '{}', '{}')
      on conflict do nothing`.execute(tx);
    for (const { createdAt, begunAfterMs, isDry = false, trigger = {} } of runs) {
      const created = new Date(createdAt);
      const begun = begunAfterMs === undefined ? null : new Date(createdAt + begunAfterMs);
      await sql`insert into engine.run (id, tenant_id, kind, name, definition_hash, status, inputs, trigger, priority,
          dry_run, created_at, updated_at, started_at)
        values (${v7({ msecs: createdAt })}, ${provider}, 'playbook', 'A run', 'h', ${begun === null ? 'pending' : 'running'},
          '{}', ${JSON.stringify(trigger)}::jsonb, 0, ${isDry}, ${created}, ${created}, ${begun})`.execute(tx);
    }
  });
}
