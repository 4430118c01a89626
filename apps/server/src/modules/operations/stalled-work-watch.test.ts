import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestServer } from '../../http/test-server.ts';
import { quietLog } from '../../storage/test-database.ts';
import { createNotificationsFixture, type NotificationsFixture } from '../notifications/notifications-fixture.ts';
import { createStalledWorkWatch, LOOKS_BEFORE_OVER, LOOKS_BEFORE_TOLD } from './stalled-work-watch.ts';

let fixture: NotificationsFixture;
let provider: string;
let admin: { id: string };
let analyst: { id: string };
let customer: { id: string };

beforeAll(async () => {
  fixture = await createNotificationsFixture();
  provider = await fixture.tenant('Provider');
  const tenant = await fixture.tenant('Customer');
  await fixture.db.system((tx) =>
    tx.updateTable('tenant').set({ is_provider: true }).where('id', '=', provider).execute(),
  );
  admin = await fixture.person(provider, 'Admin');
  analyst = await fixture.person(provider, 'Analyst');
  customer = await fixture.person(tenant, 'Admin');
});
afterAll(() => fixture?.close());
beforeEach(() =>
  fixture.db.system(async (tx) => {
    for (const table of ['stalled_work', 'engine.job', 'process_report', 'notification_event', 'notification']) {
      await sql`delete from ${sql.table(table)}`.execute(tx);
    }
  }),
);

const dependencies = () => ({
  ...{ db: fixture.db, notices: fixture.module.notices, handOut: fixture.module.handOut },
  ...{ now: () => fixture.clock.now, log: quietLog, jobKinds: () => ['test'] },
});
const newProcess = () => createStalledWorkWatch(dependencies());

/** Due for five minutes; with a lease, somebody has it in hand. */
async function job({ isTaken = false } = {}): Promise<string> {
  const id = v7();
  await fixture.db.system((tx) =>
    sql`insert into engine.job (id, tenant_id, kind, payload, priority, state, available_at, attempt, max_attempts,
        backoff_ms, lease_token, lease_owner, lease_until, created_at)
      values (${id}::uuid, ${provider}::uuid, 'test', 'null', 0, ${isTaken ? 'leased' : 'available'},
        now() - interval '5 minutes', 0, 1, 1000, 0, ${isTaken ? 'a/worker' : null},
        case when ${isTaken} then now() + interval '1 hour' end, now())`.execute(tx),
  );
  return id;
}

const done = (id: string) => fixture.db.system((tx) => sql`delete from engine.job where id = ${id}::uuid`.execute(tx));

async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n++) await work();
}

/** What somebody finds in the app, though no worker handed anything out. */
const titles = async ({ id }: { id: string }) => (await fixture.inbox(id)).map(({ title }) => title);
const stalled = 'Nobody takes up work';
const over = 'Work is taken up again';

describe('work that nobody takes up', () => {
  it('is told once by two processes, in the app and to Admins of the provider only, and once when it is over', async () => {
    const [one, other] = [newProcess(), newProcess()];
    const both = () => Promise.all([one.look(), other.look()]);
    await job();
    await times(LOOKS_BEFORE_TOLD + 2, both);
    expect(await titles(admin)).toEqual([stalled]);
    await job({ isTaken: true });
    await times(LOOKS_BEFORE_OVER + 2, both);
    expect(await titles(admin)).toEqual([stalled, over]);
    expect(await titles(analyst)).toEqual([]);
    expect(await titles(customer)).toEqual([]);
  });

  it('is told with since when it is due and what to do, by whether workers are there', async () => {
    const { look } = newProcess();
    await job();
    await times(LOOKS_BEFORE_TOLD, look);
    const [none] = await fixture.inbox(admin.id);
    expect(none?.text).toMatch(/^No worker was running at .+ UTC, and work had been due since .+ UTC\. Start/);
    expect(none?.times).toHaveLength(2);
    expect(none?.link).toBe('/settings/tenant-settings?panel=operations');
    await fixture.db.system(async (tx) => {
      await tx.deleteFrom('stalled_work').execute();
      const row = { id: v7(), role: 'worker' as const, host: 'h', release: '1', node: 'v22', figures: '{}' };
      const at = { started_at: new Date(), seen_at: new Date() };
      await tx
        .insertInto('process_report')
        .values({ ...row, ...at })
        .execute();
    });
    await times(LOOKS_BEFORE_TOLD, look);
    expect((await fixture.inbox(admin.id))[1]?.text).toMatch(/^The workers that ran at .+ UTC took none of/);
  });

  it('is told again at the next outage', async () => {
    const { look } = newProcess();
    for (let outage = 0; outage < 2; outage++) {
      const id = await job();
      await times(LOOKS_BEFORE_TOLD, look);
      await done(id);
      await times(LOOKS_BEFORE_OVER, look);
    }
    expect(await titles(admin)).toEqual([stalled, over, stalled, over]);
  });

  it('is not told at the first looks: after a start, workers need a moment for what was due meanwhile', async () => {
    const { look } = newProcess();
    const id = await job();
    await times(LOOKS_BEFORE_TOLD - 1, look);
    await done(id);
    await look();
    await job();
    await times(LOOKS_BEFORE_TOLD - 1, look);
    expect(await titles(admin)).toEqual([]);
    await look();
    expect(await titles(admin)).toEqual([stalled]);
  });

  it('is not told as over, and anew, with every worker that comes and falls', async () => {
    const { look } = newProcess();
    await job();
    await times(LOOKS_BEFORE_TOLD, look);
    for (let fall = 0; fall < 2; fall++) {
      const taken = await job({ isTaken: true });
      await times(LOOKS_BEFORE_OVER - 1, look);
      await done(taken);
      await look();
    }
    expect(await titles(admin)).toEqual([stalled]);
  });

  it('is told as over by a process that started since', async () => {
    await job();
    await times(LOOKS_BEFORE_TOLD, newProcess().look);
    await job({ isTaken: true });
    await times(LOOKS_BEFORE_OVER, newProcess().look);
    expect(await titles(admin)).toEqual([stalled, over]);
  });

  it('lets other notices into the app meanwhile, which workers would hand out', async () => {
    const { look } = newProcess();
    await job();
    await times(LOOKS_BEFORE_TOLD, look);
    await fixture.tell({
      kind: 'run_failed',
      tenant: provider,
      runId: v7(),
      isPlaybook: true,
      runName: 'A run',
      reason: 'x',
      starter: admin.id,
    });
    await look();
    expect(await titles(admin)).toEqual([stalled, 'A run failed']);
  });

  it('is looked for again after a look that failed, which counts for nothing', async () => {
    let isAway = false;
    const watch = createStalledWorkWatch({
      ...dependencies(),
      db: {
        system: async (work) => {
          if (isAway) throw new Error('away');
          return await fixture.db.system(work);
        },
      },
    });
    await job();
    await times(LOOKS_BEFORE_TOLD - 1, watch.look);
    isAway = true;
    await expect(watch.look()).rejects.toThrow('away');
    isAway = false;
    await times(LOOKS_BEFORE_TOLD - 1, watch.look);
    expect(await titles(admin)).toEqual([]);
    await watch.look();
    expect(await titles(admin)).toEqual([stalled]);
  });

  it('costs a line of the log where it cannot be looked for, and nothing else', async () => {
    const warned: string[] = [];
    const db = {
      system: async () => {
        throw new Error('away');
      },
    };
    const log = { warn: (_fields: object, message: string) => warned.push(message) };
    const watch = createStalledWorkWatch({ ...dependencies(), db, log });
    watch.start();
    await expect.poll(() => warned).toEqual(['whether work stands still is seen with the next look']);
    await watch.stop();
  });
});

describe('a process that works on no jobs', () => {
  const env = {
    ...{ ROLE: 'api', DATABASE_URL: 'postgresql://db/air', EVENTS_URL: 'http://events:8123' },
    ...{ FILES_URL: 's3://key:secret@files.example.com/air', CONNECTOR_KEYS_FILE: import.meta.filename },
    IDENTITY_SECRET: 'x'.repeat(32),
  };

  it('looks by itself, and lets notices into the app while nobody else does', async () => {
    const server = await createTestServer({ env, identitySecret: env.IDENTITY_SECRET });
    const { database } = server.stores;
    const tenant = await server.createTenant();
    const person = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
    await database.system(async (tx) => {
      await tx.insertInto('stalled_work').values({ since: new Date() }).execute();
      const seen = { at: new Date(), workers: 0 };
      await server.composition.notices.tell(tx, { kind: 'work_stalled', tenant, since: new Date(), seen });
    });
    const kinds = () =>
      database.system(async (tx) => {
        const rows = await tx.selectFrom('notification').select('kind').where('user_id', '=', person.id).execute();
        return rows.map(({ kind }) => kind);
      });
    expect(await kinds()).not.toContain('work_stalled');
    const started = await createTestServer({
      env,
      besides: { stores: server.stores, identitySecret: env.IDENTITY_SECRET },
    });
    await expect.poll(kinds).toContain('work_stalled');
    await started.close();
    await server.close();
  });
});
