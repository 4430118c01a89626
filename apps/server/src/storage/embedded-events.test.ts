import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createClient } from '@clickhouse/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nicenessOfThreads } from '../niceness-of-threads-fixture.ts';
import { type EmbeddedEvents, startEmbeddedEvents } from './embedded-events.ts';
import { createEventsStore, type EventsStore } from './events-store.ts';
import { identifyProcess } from './process-identity.ts';
import type { StorageLog } from './storage-log.ts';
import { quietLog } from './test-database.ts';
import { eventRow } from './test-events.ts';
import type { HostNews } from './test-store-host.ts';

const TENANT = randomUUID();
let dataDir: string;
const running: { stop(): Promise<void> }[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'airdeck-events-'));
});
afterEach(async () => {
  for (const store of running.splice(0)) await store.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(log: StorageLog = quietLog): Promise<{ events: EmbeddedEvents; store: EventsStore }> {
  const events = await startEmbeddedEvents({ dataDir, log });
  running.push(events);
  const store = createEventsStore({ ...events, log: quietLog, isOwnProcess: true });
  running.push({ stop: () => store.close() });
  await store.prepare();
  return { events, store };
}

async function eventually(attempt: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + 15_000;
  for (;;) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await wait(25);
    }
  }
}

describe('the embedded event store', () => {
  it.runIf(process.platform === 'linux')('works in threads that give way to whoever answers', async () => {
    const { events, store } = await start();
    await store.insert([eventRow({ tenant: TENANT })]);
    await store.query({ tenant: TENANT, sql: 'select count() from events group by host order by count() desc' });
    const own = getPriority();
    const above = [...nicenessOfThreads(events.pid() ?? 0).values()].map((niceness) => niceness - own);
    // The engine sets a thread of its own apart.
    expect(above.filter((more) => more === 5).length).toBeGreaterThanOrEqual(above.length - 2);
  });

  it('keeps its events over a stop', async () => {
    const first = await start();
    await first.store.insert([eventRow({ tenant: TENANT })]);
    await first.events.stop();
    const second = await start();
    expect(await second.store.query({ tenant: TENANT, sql: 'select count() as n from events' })).toEqual([{ n: 1 }]);
  });

  it('asks for its password', async () => {
    const { events } = await start();
    const stranger = createEventsStore({ ...events, password: 'guess', log: quietLog });
    await expect(stranger.query({ tenant: TENANT, sql: 'select 1' })).rejects.toMatchObject({
      code: 'EVENTS_QUERY_FAILED',
    });
    await stranger.close();
  });

  it('comes back at the same address when its process is killed, with every acknowledged row and none twice', async () => {
    const { events, store } = await start();
    const acknowledged = new Set<string>();
    const failures: unknown[] = [];
    for (let batch = 0, kills = 0; batch < 40; batch++) {
      const rows = Array.from({ length: 100 }, (_, n) => eventRow({ tenant: TENANT, message: `${batch}-${n}` }));
      const token = randomUUID();
      const sending = store.insert(rows, { token });
      const pid = events.pid();
      if (batch % 10 === 5 && pid !== undefined) {
        kills++;
        process.kill(pid, 'SIGKILL');
      }
      await sending.catch((error: unknown) => {
        failures.push(error);
        return eventually(() => store.insert(rows, { token }));
      });
      for (const row of rows) acknowledged.add(row.id);
      if (batch === 39) expect([kills, events.restarts()]).toEqual([4, 4]);
    }
    const [found] = await store.query<{ n: number; ids: number }>({
      tenant: TENANT,
      sql: 'select count() as n, uniqExact(id) as ids from events',
    });
    expect(acknowledged.size).toBe(4_000);
    // Whoever has events that were on their way may write them again at once: nothing of the process that ended comes after it.
    expect(failures).toEqual(failures.map(() => expect.objectContaining({ underWayMs: undefined })));
    expect(found).toEqual({ n: 4_000, ids: 4_000 });
  }, 60_000);

  it('answers while a long query runs, and stops that query when nobody waits for it', async () => {
    const { events, store } = await start();
    await store.insert([eventRow({ tenant: TENANT })]);
    const impatient = new AbortController();
    const endless = store.query({
      tenant: TENANT,
      sql: 'select count() from numbers(1000000000000) where sipHash64(number) = 1',
      signal: impatient.signal,
    });
    const inspector = createClient({ url: events.url, username: events.user, password: events.password });
    running.push({ stop: () => inspector.close() });
    const busy = async () => {
      const sql = `select count() as n from system.processes where query like '%numbers(1000000000000)%' and query not like '%system.processes%'`;
      return await (await inspector.query({ query: sql, format: 'JSONEachRow' })).json();
    };
    await eventually(async () => expect(await busy()).toEqual([{ n: 1 }]));
    await store.ping();
    expect(await store.query({ tenant: TENANT, sql: 'select count() as n from events' })).toEqual([{ n: 1 }]);
    impatient.abort();
    await expect(endless).rejects.toThrow();
    await eventually(async () => expect(await busy()).toEqual([{ n: 0 }]));
  });

  it('ends with the program that started it, and its folder can be taken over at once', async () => {
    const host: ChildProcess = fork(fileURLToPath(new URL('./test-store-host.ts', import.meta.url)), [dataDir], {
      execArgv: ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const news = await new Promise<HostNews>((resolve) => host.once('message', resolve));
    if (news.kind !== 'up' || news.eventsPid === undefined) throw new Error('not up');
    const gone = new Promise((resolve) => host.once('exit', resolve));
    host.kill('SIGKILL');
    await gone;
    process.kill(news.postgresPid, 'SIGKILL');
    const { store } = await start();
    await store.ping();
    expect(identifyProcess(news.eventsPid)).toBeUndefined();
  });

  it('waits for a folder that its predecessor still holds', async () => {
    const first = await start();
    const warn = vi.fn();
    const leave = async () => {
      await eventually(async () => expect(warn).toHaveBeenCalled());
      await first.events.stop();
    };
    const [{ store }] = await Promise.all([start({ ...quietLog, warn }), leave()]);
    expect(warn).toHaveBeenCalledTimes(1);
    await store.ping();
  });
});
