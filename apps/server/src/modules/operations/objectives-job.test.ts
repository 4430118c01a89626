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
    const from = new Date(Math.floor(fixture.clock.now.getTime() / MINUTE_MS) * MINUTE_MS - MINUTE_MS);
    await fixture.db.system(async (tx) => {
      await sql`insert into engine.definition (tenant_id, hash, body, traits) values (${provider}, 'h', '{}', '{}')`.execute(
        tx,
      );
      const runs = [
        { status: 'running', started: 500 },
        { status: 'running', started: 5_000 },
        { status: 'pending', started: null },
        { status: 'pending', started: null, dry: true },
        { status: 'pending', started: null, trigger: { time_scheduled: '2030-01-01T00:00:00.000Z' } },
      ];
      for (const [n, { status, started, dry = false, trigger = {} }] of runs.entries()) {
        const created = new Date(from.getTime() + n * 1_000);
        const begun = started === null ? null : new Date(created.getTime() + started);
        await sql`insert into engine.run (id, tenant_id, kind, name, definition_hash, status, inputs, trigger, priority,
            dry_run, created_at, updated_at, started_at)
          values (${v7({ msecs: created.getTime() })}, ${provider}, 'playbook', 'A run', 'h', ${status}, '{}',
            ${JSON.stringify(trigger)}::jsonb, 0, ${dry}, ${created}, ${created}, ${begun})`.execute(tx);
      }
    });
    await look();
    await look();
    const minutes = await fixture.db.system((tx) => minutesOf(tx, 'runs_begin', new Date(from.getTime() - 1)));
    expect(minutes).toMatchObject([{ minute: from, good: 1, bad: 2 }]);
    expect((await fixture.db.system(alertsNow)).size).toBe(0);
  });
});
