import { operationsSchema } from '@airdeck/contracts/operations/schema';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { DUE_REPORTS_JOB } from '../reports/reports-module.ts';

/** A process that works on no jobs. */
const ofApi = {
  ...{ ROLE: 'api', DATABASE_URL: 'postgresql://db/air', EVENTS_URL: 'http://events:8123' },
  ...{ FILES_URL: 's3://key:secret@files.example.com/air', CONNECTOR_KEYS_FILE: import.meta.filename },
  IDENTITY_SECRET: 'x'.repeat(32),
};

const HOUR_MS = 3_600_000;
const identitySecret = 'y'.repeat(48);

let server: TestServer;
let provider: string;
let admin: Actor;

beforeAll(async () => {
  server = await createTestServer({ identitySecret });
  provider = await server.createTenant({ name: 'Provider' });
  await server.stores.database.system((tx) =>
    tx.updateTable('tenant').set({ is_provider: true }).where('id', '=', provider).execute(),
  );
  admin = await server.createActor({ home: provider, roles: { [provider]: 'Admin' } });
});
afterAll(() => server?.close());

async function look() {
  const answer = await server.inject({ url: `/api/tenants/${provider}/operations`, headers: admin.headers });
  expect(answer.statusCode).toBe(200);
  return operationsSchema.parse(answer.json());
}

describe('operations of the installation', () => {
  it('shows the running process, the stores and every promise', async () => {
    await expect.poll(async () => (await look()).processes.length).toBe(1);
    const found = await look();
    expect(found.processes[0]).toMatchObject({
      role: 'all',
      release: '0.0.0',
      node: process.version,
      is_silent: false,
    });
    expect(found.processes[0]?.memory_bytes).toBeGreaterThan(1_000_000);
    expect(found.database.version).toMatch(/^\d+/);
    expect(found.database.connections).toBeGreaterThan(0);
    expect(found.event_store?.version).toMatch(/^\d+\.\d+/);
    expect(found.objectives.map(({ id }) => id)).toContain('api_answers');
    expect(found.answers).toHaveLength(60);
  });

  it('tells sign-ins from pages and files, all of them under one name', async () => {
    for (const url of ['/auth/account', '/auth/account?x=1']) await server.inject({ url });
    const text = await server.composition.operations.metrics.text();
    expect(text).toMatch(/^airdeck_http_answer_seconds_count\{route="auth",status="4xx"\} 2$/m);
    expect(text).not.toMatch(/route="[^"]*auth[^"]+"/);
  });

  it('counts jobs by kind with the age of the oldest that could begin, and those given up', async () => {
    const kind = 'test.operations';
    await server.stores.database.system((tx) =>
      sql`insert into engine.job (id, tenant_id, kind, payload, priority, state, available_at, attempt, max_attempts,
          backoff_ms, lease_token, created_at)
        select gen_random_uuid(), ${provider}::uuid, ${kind}, 'null', 0, state, now() - interval '1 minute' * age, 0, 1, 1000, 0, now()
        from (values ('held', 9), ('dead', 9), ('scheduled', -60)) as rows (state, age)`.execute(tx),
    );
    const queue = (await look()).queues.find((row) => row.kind === kind);
    expect(queue).toEqual({ kind, ready: 0, oldest_seconds: null, working: 0, scheduled: 1, held: 1, dead: 1 });
  });

  it('measures in the time jobs are written in, whatever the clocks of this machine and of the database say', async () => {
    const ahead = await createTestServer({
      besides: { stores: server.stores, identitySecret },
      now: () => new Date(Date.now() + 2 * HOUR_MS),
    });
    const { database } = server.stores;
    const kind = 'test.clocks';
    try {
      // The clock of the database went forward by an hour just now: the engine goes on from before.
      await database.system((tx) =>
        sql`insert into engine.clock_shift (generation, shift_ms, set_at) values (1, -3600000, now())`.execute(tx),
      );
      await database.system((tx) =>
        sql`insert into engine.job (id, tenant_id, kind, payload, priority, state, available_at, attempt, max_attempts,
            backoff_ms, lease_token, created_at)
          values (gen_random_uuid(), ${provider}::uuid, ${kind}, 'null', 0, 'available', now() - interval '65 minutes', 0, 1, 1000,
            0, now())`.execute(tx),
      );
      const metrics = await ahead.composition.operations.metrics.text();
      const [, oldest] = /^airdeck_jobs_oldest_ready_seconds\{kind="test.clocks"\} (\S+)$/m.exec(metrics) ?? [];
      expect(Number(oldest) / 60).toBeCloseTo(5, 0);
      // A worker that told of itself a moment ago, in that time.
      const seen_at = new Date(Date.now() - HOUR_MS);
      const [told] = (await look()).processes;
      const row = {
        id: v7(),
        role: 'worker',
        host: 'other',
        release: '0',
        node: 'v0',
        started_at: seen_at,
        seen_at,
      } as const;
      await database.system((tx) =>
        tx
          .insertInto('process_report')
          .values({ ...row, figures: JSON.stringify(figuresOf(told)) })
          .execute(),
      );
      await expect.poll(async () => (await look()).processes.length).toBe(3);
      const { processes, queues } = await look();
      const ageS = queues.find((row) => row.kind === kind)?.oldest_seconds ?? 0;
      expect(ageS / 60).toBeCloseTo(5, 0);
      expect(processes.filter(({ is_silent }) => is_silent)).toEqual([]);
    } finally {
      await ahead.close();
      await database.system(async (tx) => {
        await sql`delete from engine.job where kind = ${kind}`.execute(tx);
        await tx.deleteFrom('process_report').where('host', '=', 'other').execute();
        await sql`delete from engine.clock_shift`.execute(tx);
      });
    }
  });

  it('says that work is due which no worker takes up, and stops when somebody does', async () => {
    const idle = await createTestServer({ env: ofApi, identitySecret: ofApi.IDENTITY_SECRET });
    const own = await idle.createTenant();
    const { database } = idle.stores;
    await database.system((tx) => tx.updateTable('tenant').set({ is_provider: true }).where('id', '=', own).execute());
    const { headers } = await idle.createActor({ home: own, roles: { [own]: 'Admin' } });
    const seen = async () => {
      const answer = await idle.inject({ url: `/api/tenants/${own}/operations`, headers });
      return operationsSchema.parse(answer.json()).stalled;
    };
    expect(await seen()).toBeNull();
    await database.system((tx) =>
      sql`insert into engine.job (id, tenant_id, kind, payload, priority, state, available_at, attempt, max_attempts,
          backoff_ms, lease_token, created_at)
        values (${v7()}::uuid, ${own}::uuid, ${DUE_REPORTS_JOB.kind}, 'null', 0, 'available', now() - interval '5 minutes', 0, 1, 1000,
          0, now())`.execute(tx),
    );
    expect(await seen()).toMatchObject({ workers: 0 });
    const metrics = () => idle.composition.operations.metrics.text();
    expect(await metrics()).toMatch(/^airdeck_work_stalled_seconds 3\d\d/m);
    await database.system((tx) => sql`delete from engine.job`.execute(tx));
    expect(await seen()).toBeNull();
    expect(await metrics()).toMatch(/^airdeck_work_stalled_seconds 0$/m);
    await idle.close();
  });

  it('shows a process that fell silent, and forgets it after a day', async () => {
    const row = {
      role: 'worker',
      host: 'old',
      release: '0',
      node: 'v0',
      started_at: new Date(0),
      figures: '{}',
    } as const;
    const figures = JSON.stringify((await look()).processes[0] && figuresOf((await look()).processes[0]));
    const [silent, old] = [v7(), v7()];
    await server.stores.database.system((tx) =>
      tx
        .insertInto('process_report')
        .values([
          { ...row, id: silent, figures, seen_at: new Date(Date.now() - 60_000) },
          { ...row, id: old, figures, seen_at: new Date(Date.now() - 25 * 3_600_000) },
        ])
        .execute(),
    );
    expect((await look()).processes.find(({ id }) => id === silent)).toMatchObject({ host: 'old', is_silent: true });
    await server.composition.operations.purge();
    const ids = (await look()).processes.map(({ id }) => id);
    expect(ids).toContain(silent);
    expect(ids).not.toContain(old);
  });

  it('is refused to the Admin of a tenant that is no provider, and the attempt is recorded', async () => {
    const tenant = await server.createTenant();
    const other = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
    const answer = await server.inject({ url: `/api/tenants/${tenant}/operations`, headers: other.headers });
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ code: 'NOT_A_PROVIDER' });
    const { rows } = await server.stores.database.system((tx) =>
      sql<{ code: string }>`select code from audit_record where tenant_id = ${tenant} and outcome = 'refused'`.execute(
        tx,
      ),
    );
    expect(rows).toEqual([{ code: 'NOT_A_PROVIDER' }]);
  });
});

function figuresOf(report: ReturnType<typeof operationsSchema.parse>['processes'][number] | undefined) {
  const { memory_bytes, cpu_percent, loop_delay_ms, held_bytes, spool_bytes, lines_lost, working } = report ?? {};
  return { memory_bytes, cpu_percent, loop_delay_ms, held_bytes, spool_bytes, lines_lost, working };
}
