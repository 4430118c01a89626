import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from '@airdeck/api-client/api-error';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientAt, userOf } from '../src/api.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { statesOf } from './run-states.ts';
import { type Copy, temporaryFolders } from './server-process.ts';
import { type Member, type SharedInstallation, startSharedInstallation } from './shared-installation.ts';
import { bodyOf, type Door, doorAt, offer } from './source-door.ts';
import { stepsPlaybook } from './steps-playbook.ts';

/**
 * The program of the release before, `<its folder>/apps/server/dist/main.mjs`, to mix with this one (docs/reliability.md). Without
 * it both are this one, and the database gets what a later release might bring.
 */
const releaseBefore = process.env.AIRDECK_RELEASE_BEFORE;
const before: Copy | undefined = releaseBefore === undefined ? undefined : { program: releaseBefore };
const present = undefined;

/** There and back again. */
const ROUNDS = [present, before];
/** How long two releases work beside each other. */
const MIXED_MS = process.env.AIRDECK_FULL === undefined ? 0 : 60_000;
const READERS = 3;
const SENDERS = 2;
const LINES = 20;
const RUN_EVERY_MS = 100;

/** As docs/deploy.md says it is done, by a balancer that gives a process no more calls before it is told to stop. */
describe.skipIf(process.platform !== 'linux')('processes that are replaced one after the other', () => {
  const folders = temporaryFolders();
  let shared: SharedInstallation;
  let balancer: Balancer;
  let members: Member[];
  let door: Door;

  beforeAll(async () => {
    shared = await startSharedInstallation(folders, { maker: before });
    balancer = await startBalancer();
    members = await Promise.all(['first-1', 'first-2'].map((name) => shared.start('all', name, {}, before)));
    for (const { url } of members) balancer.add(url);
    const { tenant, api } = admin();
    const body = { name: 'Trial', kind: 'ndjson' as const };
    const { id, token } = await api.call('sources.create', { params: { tenant }, body });
    door = doorAt({ ...shared.demo, url: balancer.url }, { tenant, id, token });
  });
  afterAll(async () => {
    await balancer?.close();
    await shared?.stop();
    folders.remove();
  });

  function admin() {
    const user = userOf(shared.demo, 'Admin');
    return { tenant: user.tenant, api: clientAt(balancer.url, () => Promise.resolve(user.api_key)) };
  }

  it('answer every call, lose no event, and leave no run behind', { timeout: 240_000 + 4 * MIXED_MS }, async () => {
    const { tenant, api } = admin();
    const playbook = await stepsPlaybook(api, tenant, { name: 'While replaced', steps: 3, seconds: 0.5 });
    const ending = new AbortController();
    const failures: string[] = [];
    const runs: string[] = [];
    let answered = 0;
    let acknowledged = 0;

    async function noted<T>(call: () => Promise<T>): Promise<T | undefined> {
      try {
        return await call();
      } catch (error) {
        failures.push(
          error instanceof ApiError ? `${error.endpoint}: ${error.status} ${error.message}` : String(error),
        );
        return undefined;
      }
    }
    async function read(): Promise<void> {
      while (!ending.signal.aborted) {
        await noted(() => api.call('cases.list', { params: { tenant }, query: {} }));
        answered++;
      }
    }
    async function ship(name: string): Promise<void> {
      for (let batch = 0; !ending.signal.aborted; batch++) {
        const { status } = await offer(door, bodyOf(`${name} ${batch}`, LINES));
        if (status === 202) acknowledged += LINES;
        else failures.push(`ingestion: ${status}`);
      }
    }
    async function start(): Promise<void> {
      while (!ending.signal.aborted) {
        const body = { playbook_id: playbook, inputs: {} };
        const run = await noted(() => api.call('playbook-activity.start', { params: { tenant }, body }));
        if (run !== undefined) runs.push(run.playbook.workflow_instance_id);
        await wait(RUN_EVERY_MS);
      }
    }

    const work = [
      ...Array.from({ length: READERS }, read),
      ...Array.from({ length: SENDERS }, (_, index) => ship(`sender ${index}`)),
      start(),
    ];
    for (const [round, copy] of ROUNDS.entries()) {
      if (before === undefined && round === 1) await laterSchema(shared.databaseUrl);
      for (const [place, old] of [...members.entries()]) {
        const start = { answered, acknowledged, runs: runs.length };
        const fresh = await shared.start('all', `round-${round}-${place}`, {}, copy);
        balancer.add(fresh.url);
        members[place] = fresh;
        await wait(MIXED_MS);
        await balancer.remove(old.url);
        expect(await old.server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
        const went = [answered - start.answered, acknowledged - start.acknowledged, runs.length - start.runs];
        expect(Math.min(...went)).toBeGreaterThan(0);
      }
    }
    ending.abort();
    await Promise.all(work);
    expect(failures).toEqual([]);
    expect(await door.found()).toEqual({ events: acknowledged, different: acknowledged });
    await expect.poll(() => statesOf(api, tenant, runs), { timeout: 60_000, interval: 1_000 }).toEqual(['success']);
  });
});

/** Every table gets a column nobody knows here, as migrations of a later release may add them while this one works. */
async function laterSchema(databaseUrl: string): Promise<void> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    const { rows } = await database.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^(pg_|information_schema)'`,
    );
    expect(rows.length).toBeGreaterThan(100);
    for (const { name } of rows) await database.query(`alter table ${name} add column of_a_later_release text`);
    await database.query(`insert into airdeck_migration (id, checksum, ms) values ('9999-later', 'unknown here', 0)`);
  } finally {
    await database.end();
  }
}
