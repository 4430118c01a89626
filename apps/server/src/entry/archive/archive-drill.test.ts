import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openKeyFile } from '../../modules/connectors/key-file.ts';
import { runningEvents } from '../../storage/embedded-events.ts';
import { quietLog } from '../../storage/test-database.ts';
import { configOf } from '../backup/backup-fixture.ts';
import { ask, openEvents } from '../backup/events-access.ts';
import { readKeysOf, writeKeyFile } from '../backup/key-bundle.ts';
import { withDatabase } from '../backup/store-access.ts';
import { type RunningStores, startStores } from '../stores.ts';
import type { Told } from './archive-drill-fixture.ts';
import type { EventsVerdict } from './recover-events.ts';
import { restoreArchive } from './restore-archive.ts';

/** Instead of seconds, twenty of them and a day. */
const periods = { flushMs: 100, cutMs: 700, baseMs: 4_000, retryMs: 200 };
const FILE = randomUUID();

let root: string;
let child: ChildProcess | undefined;
const told: Told[] = [];
const complaints: string[] = [];
const said: string[] = [];
let verdict: EventsVerdict;
let running: RunningStores;
let securedUntil: number;
let middle: { at: number; verdict: EventsVerdict } | undefined;
const at = (path: string) => join(root, path);

const acknowledged = (kind: 'case' | 'run') => told.filter((each) => each.kind === kind);
const events = () => told.flatMap((each) => (each.kind === 'events' ? [each] : []));

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'airdeck-archive-drill-'));
  for (const folder of ['source', 'source/files', 'archive']) await mkdir(at(folder));
  await writeFile(at('source/identity.secret'), randomBytes(48).toString('base64url'), { mode: 0o600 });
  await writeFile(at(`source/files/${FILE}`), 'a contract');
  await openKeyFile(at('source/connector-keys.json'));
  await writeKeyFile(at('keys.json'), await readKeysOf(configOf(at('source'))));

  child = fork(
    fileURLToPath(new URL('./archive-drill-fixture.ts', import.meta.url)),
    [at('source'), at('archive'), JSON.stringify(periods)],
    { execArgv: ['--import', import.meta.resolve('tsx')], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  );
  child.stderr?.on('data', (text: Buffer) => void complaints.push(text.toString()));
  if (child.stdout === null) throw new Error('it says nothing');
  createInterface({ input: child.stdout }).on('line', (line) => void told.push(JSON.parse(line) as Told));
  const ended = once(child, 'exit');
  // Copies of the database are taken and forgotten, and the log goes on, all of it under load.
  await vi.waitFor(
    async () => {
      expect(child?.exitCode, complaints.join('')).toBeNull();
      const working = told.filter((each) => each.kind === 'archive' && each.state === 'working');
      expect(working.length).toBeGreaterThan(100);
      expect((await readdir(at('archive/bases'))).filter((name) => !name.endsWith('.new')).length).toBe(2);
      expect(acknowledged('run').length).toBeGreaterThan(20);
    },
    { timeout: 180_000, interval: 200 },
  );
  const postmaster = Number((await readFile(at('source/postgres/postmaster.pid'), 'utf8')).split('\n')[0]);
  child.kill('SIGKILL');
  process.kill(postmaster, 'SIGKILL');
  await ended;
  const last = told.findLast((each) => each.kind === 'archive');
  if (last?.kind !== 'archive' || last.securedUntil === null) throw new Error('nothing was secured');
  securedUntil = Date.parse(last.securedUntil);
  expect(last.at - securedUntil).toBeLessThan(60_000);
  await rm(at('source'), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });

  verdict = await restoreArchive({
    config: configOf(at('restored')),
    folder: at('archive'),
    until: undefined,
    keys: { from: 'file', path: at('keys.json') },
    log: quietLog,
    say: (line) => void said.push(line),
  });
  running = await startStores(configOf(at('restored')), pino({ level: 'silent' }));
}, 240_000);

afterAll(async () => {
  child?.kill('SIGKILL');
  await running?.stop();
  await rm(root, { recursive: true, force: true });
});

async function countById(query: string, database = running.stores.databaseUrl): Promise<Map<string, number>> {
  return await withDatabase({ databaseUrl: database }, async (client) => {
    const { rows } = await client.query<{ id: string; rows: string }>(query);
    return new Map(rows.map(({ id, rows: count }) => [id, Number(count)]));
  });
}

async function eventsByName(dataDir: string): Promise<Map<string, number>> {
  const account = runningEvents(dataDir);
  if (account === undefined) throw new Error('no event store runs');
  const access = openEvents(account);
  try {
    const rows = await ask<{ name: string; rows: number }>(
      access,
      `select host as name, count() as rows from ${access.table} group by name`,
    );
    return new Map(rows.map(({ name, rows: count }) => [name, count]));
  } finally {
    await access.client.close();
  }
}

describe('an installation whose disk is lost under load, restored from its archive alone', () => {
  it('has every event that was acknowledged before the last secured moment, once', async () => {
    const found = await eventsByName(at('restored'));
    const names = events().flatMap((each) => (each.at <= securedUntil ? each.names : []));
    expect(names.length).toBeGreaterThan(200);
    expect(names.filter((name) => found.get(name) !== 1)).toEqual([]);
    expect([...found.values()].filter((rows) => rows !== 1)).toEqual([]);
  });

  it('has every case and run of before, once', async () => {
    const cases = await countById('select id, count(*) as rows from public.case_record group by id');
    const runs = await countById('select id, count(*) as rows from engine.run group by id');
    for (const [kind, rows] of [['case', cases] as const, ['run', runs] as const]) {
      const ids = acknowledged(kind).flatMap((each) => ('id' in each && each.at <= securedUntil ? [each.id] : []));
      expect(ids.length).toBeGreaterThan(5);
      expect(ids.filter((id) => rows.get(id) !== 1)).toEqual([]);
    }
  });

  it('counts the events that the database knows as done and that came too late for the archive', async () => {
    const found = await eventsByName(at('restored'));
    const done = await countById(
      `select coalesce(stored_as, id) as id, accepted as rows from public.ingest_batch where status = 'done'`,
    );
    const accepted = [...done.values()].reduce((sum, rows) => sum + rows, 0);
    const there = [...found.values()].reduce((sum, rows) => sum + rows, 0);
    const unfinished = await countById(
      `select coalesce(stored_as, id) as id, accepted as rows from public.ingest_batch where status = 'writing'`,
    );
    const mayBeThere = [...unfinished.values()].reduce((sum, rows) => sum + rows, 0);
    expect(accepted - verdict.missing.events).toBeLessThanOrEqual(there);
    expect(there).toBeLessThanOrEqual(accepted - verdict.missing.events + mayBeThere);
    if (verdict.missing.events > 0) expect(said.join('\n')).toContain(`${verdict.missing.events} acknowledged ones`);
    else expect(said).toContain('Events: everything acknowledged is there.');
  });

  it('is behind its fence, with its files, its secrets open and its audit log whole', async () => {
    const fence = await countById('select state as id, 1 as rows from public.restore_fence');
    expect([...fence.keys()]).toEqual(['up']);
    expect(await readFile(at(`restored/files/${FILE}`), 'utf8')).toBe('a contract');
    expect(said).toContain('Secrets: 1 open.');
    expect(said.some((line) => /^Audit log: [1-9]\d* records hold together\.$/.test(line))).toBe(true);
  });

  it('comes back to an earlier moment as well, without what came later', async () => {
    const until = new Date(securedUntil - 2_500);
    middle = {
      at: until.getTime(),
      verdict: await restoreArchive({
        config: configOf(at('earlier')),
        folder: at('archive'),
        until,
        keys: { from: 'none' },
        log: quietLog,
        say: (line) => void said.push(line),
      }),
    };
    expect(middle.verdict.missing.events).toBe(0);
    const earlier = await startStores(configOf(at('earlier')), pino({ level: 'silent' }));
    try {
      const found = await eventsByName(at('earlier'));
      const before = events().flatMap((each) => (each.at <= until.getTime() ? each.names : []));
      expect(before.filter((name) => found.get(name) !== 1)).toEqual([]);
      const runs = await countById(
        'select id, count(*) as rows from engine.run group by id',
        earlier.stores.databaseUrl,
      );
      const all = acknowledged('run').flatMap((each) => ('id' in each ? [each] : []));
      expect(all.filter((each) => each.at <= until.getTime() && runs.get(each.id) !== 1)).toEqual([]);
      const later = all.filter((each) => each.at > until.getTime() + 1_000);
      expect(later.length).toBeGreaterThan(0);
      expect(later.filter((each) => runs.has(each.id))).toEqual([]);
    } finally {
      await earlier.stop();
    }
  });
});
