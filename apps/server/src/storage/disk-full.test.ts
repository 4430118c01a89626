/**
 * A disk that another program fills to the last byte while events come in, several times, with the engine killed in
 * between: whatever was acknowledged is there, once. Needs a disk of its own, which only root may mount.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EmbeddedEvents, startEmbeddedEvents } from './embedded-events.ts';
import { createEventsStore, type EventsStore } from './events-store.ts';
import { quietLog } from './test-database.ts';
import { eventRow } from './test-events.ts';

const TENANT = randomUUID();
const DISK_MIB = 1_400;
const ROUNDS = 2;
let folder: string;
let mounted = false;
let running: { events: EmbeddedEvents; store: EventsStore } | undefined;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdeck-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', folder], { stdio: 'ignore' });
    mounted = true;
  } catch {
    // Left to the test to say.
  }
});
afterAll(async () => {
  await stop();
  if (mounted) execFileSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true, force: true });
});

async function start() {
  const events = await startEmbeddedEvents({ dataDir: folder, log: quietLog });
  const store = createEventsStore({ ...events, log: quietLog });
  running = { events, store };
  await store.prepare();
  return running;
}

async function stop(): Promise<void> {
  await running?.store.close();
  await running?.events.stop();
  running = undefined;
}

/** Another program that takes everything there is. */
function fillDisk(): () => void {
  const path = join(folder, 'foreign.bin');
  const file = openSync(path, 'w');
  const chunk = Buffer.alloc(8 * 1024 * 1024, 7);
  try {
    for (;;) writeSync(file, chunk);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  }
  for (let size = chunk.length >> 1; size >= 1; size >>= 1) {
    try {
      writeSync(file, chunk, 0, size);
    } catch {
      // A smaller piece may still fit.
    }
  }
  closeSync(file);
  return () => rmSync(path);
}

/** Rewrites everything that is stored, as merges in the background do with parts of it. */
async function mergeAll({ url, user, password }: EmbeddedEvents): Promise<void> {
  const client = createClient({
    url,
    username: user,
    password,
    database: 'airdeck',
    log: { level: ClickHouseLogLevel.OFF },
  });
  await client.command({ query: 'optimize table events final' }).catch(() => undefined);
  await client.close();
}

async function storedIds(store: EventsStore): Promise<string[]> {
  const rows = await store.query<{ id: string }>({ tenant: TENANT, sql: 'select id from events order by id' });
  return rows.map(({ id }) => id);
}

it('loses nothing that was acknowledged', { timeout: 300_000 }, async ({ skip }) => {
  if (!mounted) skip('no disk of its own could be mounted: only root may');
  const acknowledged = new Set<string>();
  let refused = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { events, store } = await start();
    let going = true;
    const writing = Array.from({ length: 4 }, async () => {
      while (going) {
        const rows = Array.from({ length: 200 }, () =>
          eventRow({ tenant: TENANT, id: randomUUID(), raw: randomUUID().repeat(20) }),
        );
        await store.insert(rows).then(
          () => {
            for (const { id } of rows) acknowledged.add(id);
          },
          async () => {
            refused++;
            await new Promise((resolve) => setTimeout(resolve, 5));
          },
        );
      }
    });
    const before = acknowledged.size;
    await expect.poll(() => acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(before + 3_000);
    const merging = mergeAll(events);
    const free = fillDisk();
    const refusedBefore = refused;
    await expect.poll(() => refused, { timeout: 60_000 }).toBeGreaterThan(refusedBefore + 20);
    const killed = round % 2 === 1 ? events.pid() : undefined;
    if (killed !== undefined) process.kill(killed, 'SIGKILL');
    const whileFull = acknowledged.size;
    await mergeAll(events);
    expect(acknowledged.size).toBe(whileFull);
    free();
    await expect.poll(() => acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(before + 6_000);
    going = false;
    await Promise.all([...writing, merging]);
    await stop();
  }
  const { store } = await start();
  const stored = await storedIds(store);
  expect(new Set(stored).size).toBe(stored.length);
  const there = new Set(stored);
  expect([...acknowledged].filter((id) => !there.has(id))).toEqual([]);
  expect(acknowledged.size).toBeGreaterThanOrEqual(ROUNDS * 6_000);
});
