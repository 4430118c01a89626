import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import { expect, it, onTestFinished } from 'vitest';
import { startEmbeddedEvents } from '../storage/embedded-events.ts';
import { createEventsStore, type EventsStore } from '../storage/events-store.ts';
import { quietLog } from '../storage/test-database.ts';
import { eventRow } from '../storage/test-events.ts';
import { createExpiredParts, dropExpiredParts, type ExpiredDeeds } from './expired-parts.ts';

const DAY_MS = 86_400_000;

it('takes away parts that are over although merges stand still, and none that holds a row to be kept', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'airdeck-expired-'));
  const events = await startEmbeddedEvents({ dataDir, log: quietLog });
  const store = createEventsStore({ ...events, log: quietLog });
  const { url, user: username, password } = events;
  const client = createClient({ url, username, password });
  try {
    await store.prepare();
    await client.command({ query: 'system stop merges' });
    const tenant = randomUUID();
    const at = Date.now() - 40 * DAY_MS;
    const row = (message: string, retention_days: number) =>
      eventRow({ tenant, time: at, received_at: at, message, retention_days, id: randomUUID() });
    await store.insert([row('over', 30), row('over too', 39)]);
    await store.insert([row('over beside one that is not', 30), row('not over', 90)]);
    const messages = async () =>
      (await store.query<{ message: string }>({ tenant, sql: 'select message from events order by message' })).map(
        ({ message }) => message,
      );
    expect(await messages()).toHaveLength(4);
    const deeds = await dropExpiredParts(async (query) => {
      if (query.trim().startsWith('select'))
        return await (await client.query({ query, format: 'TabSeparated' })).text();
      await client.command({ query });
      return '';
    });
    expect(deeds).toEqual({ parts: 1, rows: 2, failed: 0 });
    expect(await messages()).toEqual(['not over', 'over beside one that is not']);
  } finally {
    await client.close();
    await store.close();
    await events.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

type Command = (query: string) => Promise<unknown>;

const partsNamed = (...names: string[]) => names.map((name) => `airdeck\tevents\t${name}\t10`).join('\n');

it('tries each part, although one cannot be taken away', async () => {
  const tried: string[] = [];
  const deeds = await dropExpiredParts(async (query) => {
    if (query.trim().startsWith('select')) return partsNamed('a', 'b', 'c', 'd');
    tried.push(query.slice(-3));
    if (/'[bc]'$/.test(query)) throw new Error(`no: ${query.slice(-3)}`);
    return '';
  });
  expect(tried).toEqual(["'a'", "'b'", "'c'", "'d'"]);
  expect(deeds).toEqual({ parts: 2, rows: 20, failed: 2, failure: "Error: no: 'b'" });
});

it('tells what it did, also that it could not even look, and nothing where there was nothing', async () => {
  const told: ExpiredDeeds[] = [];
  const lookOnce = async (ask: (statement: string) => Promise<string>) => {
    const expired = createExpiredParts(ask, (deeds) => told.push(deeds));
    expired.look();
    await expired.idle();
  };
  await lookOnce(async () => '');
  await lookOnce(() => Promise.reject(new Error('away')));
  await lookOnce(async (query) => (query.trim().startsWith('select') ? partsNamed('a') : ''));
  expect(told).toEqual([
    { parts: 0, rows: 0, failed: 0, failure: 'Error: away' },
    { parts: 1, rows: 10, failed: 0 },
  ]);
});

it('leaves what is over alone in a store that is opened to be compared, also on a full disk', async ({ skip }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'airdeck-kept-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  try {
    // So small that merges stand still from the start.
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=700m', 'tmpfs', dataDir], { stdio: 'ignore' });
  } catch {
    skip('no disk of its own could be mounted: only root may');
  }
  onTestFinished(() => void execFileSync('umount', ['-l', dataDir]));
  const tenant = randomUUID();
  const at = Date.now() - 40 * DAY_MS;
  const told: string[] = [];
  const log = { ...quietLog, info: (_fields: object, message: string) => told.push(message) };
  /** The engine looks when it is opened, and ends no sooner than it is done. */
  const opened = async (keepsExpired: boolean, work: (store: EventsStore, command: Command) => Promise<unknown>) => {
    const events = await startEmbeddedEvents({ dataDir, log, keepsExpired });
    const store = createEventsStore({ ...events, log: quietLog });
    const client = createClient({ url: events.url, username: events.user, password: events.password });
    try {
      return await work(store, (query) => client.command({ query }));
    } finally {
      await client.close();
      await store.close();
      await events.stop();
    }
  };
  const messages = (store: EventsStore) => store.query({ tenant, sql: 'select message from events' });
  await opened(true, async (store, command) => {
    await store.prepare();
    // A table that was not there when merges were stopped still has them.
    await command('alter table airdeck.events modify setting max_number_of_merges_with_ttl_in_pool = 0');
    await store.insert([eventRow({ tenant, time: at, received_at: at, message: 'over', retention_days: 30 })]);
  });
  for (let time = 0; time < 2; time++) await opened(true, messages);
  expect(await opened(true, messages)).toEqual([{ message: 'over' }]);
  expect(told).toEqual([]);
  await opened(false, messages);
  expect(await opened(false, messages)).toEqual([]);
  expect(told).toEqual(['events whose time is over were taken away, as the disk is nearly full']);
});
