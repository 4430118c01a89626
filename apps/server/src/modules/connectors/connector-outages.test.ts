import type { JobContext } from '@airdeck/engine/interfaces';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createNotificationsFixture, type NotificationsFixture } from '../notifications/notifications-fixture.ts';
import type { Notices } from '../notifications/notifications-port.ts';
import { createOutagesJob } from './connector-outages.ts';

let fixture: NotificationsFixture;
let tenant: string;
let manager: { id: string };
let connectorId: string;

beforeAll(async () => {
  fixture = await createNotificationsFixture();
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  fixture.later(3_600_000);
  tenant = await fixture.tenant();
  manager = await fixture.person(tenant, 'SystemManager');
  connectorId = await addConnector();
});

const ago = (minutes: number) => new Date(fixture.clock.now.getTime() - minutes * 60_000);

/** One that worked half an hour ago. */
async function addConnector(change: { last_successful_connection?: Date | null } = {}): Promise<string> {
  const id = v7();
  const worked = ago(30);
  await fixture.db.system(async (tx) => {
    await tx
      .insertInto('connector')
      .values({
        ...{ id, tenant_id: tenant, definition_id: 'fortigate', name: 'Edge firewall', state: 'active', config: '{}' },
        is_default: false,
        ...{ last_successful_connection: worked, ...change },
      })
      .execute();
    await tx
      .insertInto('connector_work')
      .values({ tenant_id: tenant, connector_id: id, kind: 'test', due_at: worked })
      .execute();
  });
  return id;
}

/** As the work for connectors writes it after a failure. */
async function fails(failures: number, failing_since: Date, id = connectorId): Promise<void> {
  await fixture.db.system(async (tx) => {
    await tx.updateTable('connector').set({ state: 'error' }).where('id', '=', id).execute();
    await tx.updateTable('connector_work').set({ failures, failing_since }).where('connector_id', '=', id).execute();
    const about = { kind: 'test', done_by: 'schedule', status: 'error', code: 'TIMEOUT', duration_ms: 1 } as const;
    const check = { id: v7(), tenant_id: tenant, connector_id: id, at: fixture.clock.now, records: null };
    await tx
      .insertInto('connector_check')
      .values({ ...about, ...check, message: 'fw.example did not answer in time.' })
      .execute();
  });
}

async function works(id = connectorId): Promise<void> {
  await fixture.db.system(async (tx) => {
    const change = { state: 'active', last_successful_connection: fixture.clock.now } as const;
    await tx.updateTable('connector').set(change).where('id', '=', id).execute();
    await tx
      .updateTable('connector_work')
      .set({ failures: 0, failing_since: null })
      .where('connector_id', '=', id)
      .execute();
  });
}

const run = (notices: Pick<Notices, 'tell'> = fixture.module.notices) =>
  createOutagesJob({ db: fixture.db, notices, now: () => fixture.clock.now }).run({} as JobContext);

async function heard(): Promise<string[]> {
  await fixture.work();
  return (await fixture.inbox(manager.id)).map(({ title }) => title);
}

describe('a connector that fails', () => {
  it('is told once to those who look after it, with why and a link, and once when it works again', async () => {
    const analyst = await fixture.person(tenant, 'Analyst');
    await fails(1, fixture.clock.now);
    await run();
    expect(await heard()).toEqual([]);
    await fails(2, ago(1));
    await run();
    fixture.later(60_000);
    await fails(3, ago(2));
    await run();
    expect(await heard()).toEqual(['Edge firewall is down']);
    const [told] = await fixture.inbox(manager.id);
    expect(told).toMatchObject({ kind: 'connector_down', link: `/integrations/${connectorId}` });
    expect(told?.text).toMatch(
      /^Since [A-Z][a-z]+ \d+, 20\d\d \d+:\d\d [AP]M UTC\. fw\.example did not answer in time\.$/,
    );
    fixture.later(60_000);
    await works();
    await run();
    await run();
    expect(await heard()).toEqual(['Edge firewall is down', 'Edge firewall works again']);
    expect(await fixture.inbox(analyst.id)).toEqual([]);
    fixture.later(60_000);
    await fails(2, ago(1));
    await run();
    expect((await heard()).length).toBe(3);
  });

  it('is told after five minutes where the second attempt waits longer', async () => {
    await fails(1, ago(4));
    await run();
    expect(await heard()).toEqual([]);
    fixture.later(60_000);
    await run();
    expect(await heard()).toEqual(['Edge firewall is down']);
  });

  it('but never worked is not told: whoever sets it up sees it', async () => {
    const id = await addConnector({ last_successful_connection: null });
    await fails(5, ago(60), id);
    await run();
    expect(await heard()).toEqual([]);
  });

  it('is not told to work again while a part of it fails, nor when it was paused', async () => {
    await fails(2, ago(1));
    await run();
    fixture.later(60_000);
    await works();
    await fixture.db.system((tx) =>
      tx
        .insertInto('connector_work')
        .values({ tenant_id: tenant, connector_id: connectorId, kind: 'events', failures: 4, failing_since: ago(3) })
        .execute(),
    );
    await run();
    expect(await heard()).toEqual(['Edge firewall is down']);
    await fixture.db.system((tx) =>
      tx.updateTable('connector').set({ enabled: false }).where('id', '=', connectorId).execute(),
    );
    await run();
    expect(await heard()).toEqual(['Edge firewall is down']);
    const open = await fixture.db.system((tx) => tx.selectFrom('connector_outage').selectAll().execute());
    expect(open.filter((row) => row.tenant_id === tenant)).toEqual([]);
  });

  it('but only where its metrics are read is not down, whatever its state was before, and works again with the rest', async () => {
    const metricsFail = { failures: 9, failing_since: ago(20) };
    await fixture.db.system(async (tx) => {
      const piece = { tenant_id: tenant, connector_id: connectorId, kind: 'metrics', ...metricsFail } as const;
      await tx.insertInto('connector_work').values(piece).execute();
      await tx.updateTable('connector').set({ state: 'error' }).where('id', '=', connectorId).execute();
    });
    await run();
    expect(await heard()).toEqual([]);
    await fails(2, ago(1));
    await run();
    expect(await heard()).toEqual(['Edge firewall is down']);
    fixture.later(60_000);
    await works();
    await fixture.db.system((tx) =>
      tx.updateTable('connector_work').set(metricsFail).where('kind', '=', 'metrics').execute(),
    );
    await run();
    expect(await heard()).toEqual(['Edge firewall is down', 'Edge firewall works again']);
  });

  it('is told with what went wrong with itself, not with its metrics', async () => {
    await fails(2, ago(1));
    await fixture.db.system(async (tx) => {
      const about = { kind: 'metrics', done_by: 'schedule', status: 'error', code: 'X', duration_ms: 1 } as const;
      const at = new Date(fixture.clock.now.getTime() + 1000);
      const check = { id: v7(), tenant_id: tenant, connector_id: connectorId, at, records: null };
      await tx
        .insertInto('connector_check')
        .values({ ...about, ...check, message: 'No metrics.' })
        .execute();
    });
    await run();
    await fixture.work();
    expect((await fixture.inbox(manager.id))[0]?.text).toContain('did not answer in time');
  });

  it('is told once although the process was killed while it told, and by however many processes', async () => {
    await fails(2, ago(1));
    const killed: Pick<Notices, 'tell'> = {
      async tell(tx, happening) {
        await fixture.module.notices.tell(tx, happening);
        await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
      },
    };
    await expect(run(killed)).rejects.toThrow();
    expect(await heard()).toEqual([]);
    await Promise.all(Array.from({ length: 8 }, () => run()));
    expect(await heard()).toEqual(['Edge firewall is down']);
    fixture.later(60_000);
    await works();
    await expect(run(killed)).rejects.toThrow();
    await Promise.all(Array.from({ length: 8 }, () => run()));
    expect(await heard()).toEqual(['Edge firewall is down', 'Edge firewall works again']);
  });
});
