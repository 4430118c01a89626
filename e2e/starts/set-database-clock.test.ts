import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoFile } from '../src/airdeck-process.ts';
import { clientAt, userOf } from '../src/api.ts';
import { createAuthenticator } from '../src/authenticator.ts';
import { guessingRun } from '../src/syslog-sender.ts';
import { createVisitor } from '../src/visitor.ts';
import { temporaryFolders } from './server-process.ts';
import { type Member, type SharedInstallation, startSharedInstallation } from './shared-installation.ts';
import { bodyOf, doorAt, offer, post } from './source-door.ts';
import { stepsPlaybook } from './steps-playbook.ts';

/** Where Debian puts what lies about the time. */
const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path));
const HOUR_MS = 3_600_000;
/** Off the right time, one after the other. */
const HOURS = [1, -1, 0];
const RUNS = 20;
const WAIT_S = 4;
const LINES = 40;

/** The processes' clocks are right; the one of the machine their database runs on is set while they work. */
describe.skipIf(process.platform !== 'linux')("the clock of the database's machine, set by an hour", () => {
  const folders = temporaryFolders();
  // The database runs as another account, which must be able to read it.
  const clockFolder = mkdtempSync(join(tmpdir(), 'airdeck-clock-'));
  const clockFile = join(clockFolder, 'clock');
  let shared: SharedInstallation;
  let database: pg.Client;
  let api: Member;
  let ingest: Member;

  const setClock = (hours: number) => writeFileSync(clockFile, `${hours < 0 ? '' : '+'}${hours}h`);

  beforeAll(async () => {
    if (library === undefined) return;
    await chmod(clockFolder, 0o755);
    setClock(0);
    shared = await startSharedInstallation(folders, {
      databaseEnvironment: {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: clockFile,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      },
    });
    [api, ingest] = await Promise.all([
      shared.start('api', 'api'),
      shared.start('ingest', 'ingest'),
      shared.start('worker', 'worker-1'),
      shared.start('worker', 'worker-2'),
    ]);
    database = new pg.Client({ connectionString: shared.databaseUrl });
    await database.connect();
  });
  afterAll(async () => {
    await database?.end();
    await shared?.stop();
    folders.remove();
    rmSync(clockFolder, { recursive: true });
  });

  async function isOffBy(hours: number): Promise<boolean> {
    const { rows } = await database.query<{ now: Date }>('select clock_timestamp() as now');
    const offMs = (rows[0]?.now.getTime() ?? 0) - Date.now();
    return Math.abs(offMs - hours * HOUR_MS) < HOUR_MS / 10;
  }

  it('holds up no run, ends no wait early, loses and doubles nothing that comes in, and signs nobody out', {
    timeout: 300_000,
  }, async ({ skip }) => {
    if (library === undefined) skip('libfaketime is not installed: it is what sets the clock of one program');
    const user = userOf(shared.demo, 'Admin');
    const { tenant } = user;
    const client = clientAt(api.url, () => Promise.resolve(user.api_key));
    const source = async (name: string) => {
      const { id, token } = await client.call('sources.create', { params: { tenant }, body: { name, kind: 'ndjson' } });
      return (member: Member) => doorAt({ ...shared.demo, url: member.url }, { tenant, id, token });
    };
    const [trial, guesses] = [await source('Trial'), await source('Guesses')];
    const strangers = shared.demo.users.filter(({ email }) => email !== user.email);
    const signedIn = await visit(user);
    const playbook = await stepsPlaybook(client, tenant, { name: 'Waits', steps: 1, seconds: WAIT_S });
    const runs: string[] = [];
    let batches = 0;
    const load = async () => {
      for (let n = 0; n < RUNS; n++) {
        const body = { playbook_id: playbook, inputs: {} };
        const { playbook: run } = await client.call('playbook-activity.start', { params: { tenant }, body });
        runs.push(run.workflow_instance_id);
      }
      const batch = bodyOf(`batch ${batches++}`, LINES);
      await expect.poll(() => offer(trial(ingest), batch), { timeout: 20_000 }).toMatchObject({ status: 202 });
    };
    const runsByStatus = async () => (await database.query(byStatus, [runs])).rows;
    const casesOf = async (q: string) => (await client.call('cases.list', { params: { tenant }, query: { q } })).total;

    for (const [turn, hours] of HOURS.entries()) {
      await load();
      setClock(hours);
      expect(await isOffBy(hours)).toBe(true);
      await load();
      expect(await signedIn.get<{ token: string }>('/auth/token')).toHaveProperty('token');
      // Another person each time: a code is good for once.
      await visit(strangers[turn] ?? user);
      const guesser = `192.0.2.${100 + turn}`;
      const lines = guessingRun({ guesser, bystander: `198.51.100.${100 + turn}` }, new Date()).join('\n');
      expect(await post(guesses(ingest), lines, { 'content-type': 'text/plain' })).toMatchObject({ status: 202 });
      await expect.poll(runsByStatus, { timeout: 30_000 }).toEqual([{ status: 'success', n: runs.length }]);
      await expect.poll(() => casesOf(guesser), { timeout: 30_000 }).toBe(1);
    }
    const { rows } = await database.query<{ shortest: number; longest: number }>(lengthsOfRuns, [runs]);
    expect(rows[0]?.shortest).toBeGreaterThanOrEqual(WAIT_S);
    expect(rows[0]?.longest).toBeLessThan(WAIT_S + HOUR_MS / 4_000);
    expect(await trial(api).found()).toEqual({ events: batches * LINES, different: batches * LINES });
  });

  /** Signed in, with the code of the second factor. */
  async function visit({ email, password, totp_secret }: DemoFile['users'][number]) {
    const visitor = createVisitor(api.url);
    await visitor.post('/auth/sign-in/email', { email, password });
    const code = createAuthenticator(totp_secret).nextCode();
    await visitor.post('/auth/two-factor/verify-totp', { code });
    expect(await visitor.get<{ token: string }>('/auth/token')).toHaveProperty('token');
    return visitor;
  }
});

const byStatus = `
select status, count(*)::int as n from engine.run where id = any($1::uuid[]) group by status order by status`;
/** By the engine's own times. */
const lengthsOfRuns = `
select min(extract(epoch from finished_at - created_at))::float8 as shortest,
  max(extract(epoch from finished_at - created_at))::float8 as longest
from engine.run where id = any($1::uuid[])`;
