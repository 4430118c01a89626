import type { JobContext } from '@airdeck/engine/interfaces';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tx } from '../../storage/schema.ts';
import { createNotificationsFixture, type NotificationsFixture } from '../notifications/notifications-fixture.ts';
import type { Notices } from '../notifications/notifications-port.ts';
import { createSilencesJob } from './source-silences.ts';

const HOUR_MS = 3_600_000;
let fixture: NotificationsFixture;
let tenant: string;
let manager: { id: string };

beforeAll(async () => {
  fixture = await createNotificationsFixture();
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  fixture.later(48 * HOUR_MS);
  tenant = await fixture.tenant();
  manager = await fixture.person(tenant, 'SystemManager');
  // Somebody has been looking for a day.
  const row = { since: ago(24), looked_at: ago(1 / 60) };
  await fixture.db.system((tx) => tx.insertInto('source_watch').values(row).execute());
});
afterEach(() =>
  fixture.db.system(async (tx) => {
    for (const table of ['source_watch', 'event_source'] as const) await tx.deleteFrom(table).execute();
  }),
);

const ago = (hours: number) => new Date(fixture.clock.now.getTime() - hours * HOUR_MS);

async function addSource(name: string, connector: string | null = null): Promise<string> {
  const id = v7();
  await fixture.db.system((tx) =>
    tx
      .insertInto('event_source')
      .values({
        ...{ id, tenant_id: tenant, name, kind: 'syslog', connector_id: connector },
        ...{ token_hash: Buffer.from(id), token_hint: 'abcd', created_at: ago(240) },
      })
      .execute(),
  );
  return id;
}

/** As the writer of events counts them. */
async function arrived(source: string, ...at: Date[]): Promise<void> {
  for (const last_event_at of at) {
    const hour = new Date(Math.floor(last_event_at.getTime() / HOUR_MS) * HOUR_MS);
    await fixture.db.system((tx) =>
      tx
        .insertInto('source_arrival_hour')
        .values({ tenant_id: tenant, source_id: source, hour, events: 5, last_event_at })
        .onConflict((on) => on.columns(['source_id', 'hour']).doUpdateSet({ last_event_at }))
        .execute(),
    );
  }
}

const steadyUntil = (hours: number) => Array.from({ length: 24 }, (_, back) => ago(hours + back));

const run = (
  notices: Pick<Notices, 'tell'> = fixture.module.notices,
  db: Parameters<typeof createSilencesJob>[0]['db'] = fixture.db,
) => createSilencesJob({ db, notices, now: () => fixture.clock.now }).run({} as JobContext);

/** With looks in between, as somebody is there all the time. */
async function lookAfter(minutes: number): Promise<void> {
  for (let left = minutes; left > 0; left -= 5) {
    fixture.later(Math.min(left, 5) * 60_000);
    await run();
  }
}

async function heard(): Promise<string[]> {
  await fixture.work();
  return (await fixture.inbox(manager.id)).map(({ title }) => title);
}

describe('a source that falls silent', () => {
  it('is told once after two hours where it sent steadily, and once when it is heard again', async () => {
    const analyst = await fixture.person(tenant, 'Analyst');
    const source = await addSource('Edge firewall');
    await arrived(source, ...steadyUntil(1.9));
    await run();
    expect(await heard()).toEqual([]);
    await lookAfter(10);
    await run();
    expect(await heard()).toEqual(['Edge firewall sends no events any more']);
    expect((await fixture.inbox(manager.id))[0]).toMatchObject({
      kind: 'source_silent',
      link: '/integrations/sources',
    });
    await arrived(source, fixture.clock.now);
    await run();
    await run();
    expect(await heard()).toEqual(['Edge firewall sends no events any more', 'Edge firewall sends events again']);
    expect(await fixture.inbox(analyst.id)).toEqual([]);
  });

  it('is told after a day where it sends now and then, and never where it never sent', async () => {
    const source = await addSource('Badge reader');
    await addSource('Not connected yet');
    await arrived(source, ago(30), ago(23.9));
    await run();
    expect(await heard()).toEqual([]);
    await lookAfter(10);
    expect(await heard()).toEqual(['Badge reader sends no events any more']);
  });

  it('is not told where a vendor has nothing to say, or its connector is down or off', async () => {
    const connector = async (name: string, change: object) => {
      const id = v7();
      const row = { id, tenant_id: tenant, definition_id: 'okta', name, state: 'active' as const, config: '{}' };
      await fixture.db.system((tx) =>
        tx
          .insertInto('connector')
          .values({ ...row, last_successful_connection: null, events_enabled: true, is_default: false, ...change })
          .execute(),
      );
      return id;
    };
    const [rare, down, off, quiet] = [
      await connector('Rare', {}),
      await connector('Down', {}),
      await connector('Off', { enabled: false }),
      await connector('Okta log', {}),
    ];
    await arrived(await addSource('Rare', rare), ago(40));
    for (const id of [down, off, quiet]) await arrived(await addSource('Old name', id), ...steadyUntil(3));
    const outage = { connector_id: down, tenant_id: tenant, since: ago(2), told_at: ago(2) };
    await fixture.db.system((tx) => tx.insertInto('connector_outage').values(outage).execute());
    await run();
    expect(await heard()).toEqual(['Okta log sends no events any more']);
    expect((await fixture.inbox(manager.id))[0]?.link).toBe(`/integrations/${quiet}`);
  });

  it('while nobody was there to receive has an hour to be heard again', async () => {
    const [back, gone] = [await addSource('Back'), await addSource('Gone')];
    for (const source of [back, gone]) await arrived(source, ...steadyUntil(5));
    const row = { since: ago(24), looked_at: ago(5) };
    await fixture.db.system((tx) => tx.updateTable('source_watch').set(row).execute());
    await run();
    await arrived(back, fixture.clock.now);
    await lookAfter(55);
    expect(await heard()).toEqual([]);
    await lookAfter(5);
    expect(await heard()).toEqual(['Gone sends no events any more']);
  });

  it('before anybody looked is history', async () => {
    await fixture.db.system((tx) => tx.deleteFrom('source_watch').execute());
    const source = await addSource('Long gone');
    await arrived(source, ago(47));
    await run();
    await lookAfter(70);
    await arrived(source, fixture.clock.now);
    await run();
    expect(await heard()).toEqual([]);
  });

  it('is told once although the process was killed while it told, and by however many processes', async () => {
    const source = await addSource('Edge firewall');
    await arrived(source, ...steadyUntil(2.1));
    const killed: Pick<Notices, 'tell'> = {
      async tell(tx, happening) {
        await fixture.module.notices.tell(tx, happening);
        await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
      },
    };
    await expect(run(killed)).rejects.toThrow();
    expect(await heard()).toEqual([]);
    await Promise.all(Array.from({ length: 8 }, () => run()));
    expect(await heard()).toEqual(['Edge firewall sends no events any more']);
    await arrived(source, fixture.clock.now);
    await expect(run(killed)).rejects.toThrow();
    await Promise.all(Array.from({ length: 8 }, () => run()));
    expect(await heard()).toEqual(['Edge firewall sends no events any more', 'Edge firewall sends events again']);
  });

  it('costs a look of each minute no more for all it sent before', async () => {
    const source = await addSource('Edge firewall');
    await fixture.db.system((tx) =>
      sql`insert into source_arrival_hour (tenant_id, source_id, hour, events, last_event_at)
        select ${tenant}, ${source}, hour, 5, hour + interval '59 minutes'
        from generate_series(date_trunc('hour', ${ago(9_000)}::timestamptz), ${ago(40)}, interval '1 hour') hour`.execute(
        tx,
      ),
    );
    // As autovacuum does after so many rows.
    await fixture.db.system(async (tx) => {
      await sql`set local role none`.execute(tx);
      await sql`analyze source_arrival_hour`.execute(tx);
    });
    await run();
    expect(await heard()).toEqual(['Edge firewall sends no events any more']);
    let rowsRead = 0;
    // What the transactions before it read may be among it still.
    const readIn = async (tx: Tx) => {
      const { rows } = await sql<{ read: number }>`
        select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
        where relname = 'source_arrival_hour'`.execute(tx);
      return rows[0]?.read ?? 0;
    };
    const counted: Parameters<typeof createSilencesJob>[0]['db'] = {
      system: (work) =>
        fixture.db.system(async (tx) => {
          const before = await readIn(tx);
          const result = await work(tx);
          rowsRead += (await readIn(tx)) - before;
          return result;
        }),
    };
    await run(fixture.module.notices, counted);
    // The newest of them, and those of the day before it.
    expect(rowsRead).toBeGreaterThan(0);
    expect(rowsRead).toBeLessThan(100);
    await arrived(source, fixture.clock.now);
    await run();
    expect(await heard()).toEqual(['Edge firewall sends no events any more', 'Edge firewall sends events again']);
  });
});
