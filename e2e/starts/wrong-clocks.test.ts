import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientAt, userOf } from '../src/api.ts';
import { temporaryFolders } from './server-process.ts';
import { type Member, type SharedInstallation, startSharedInstallation } from './shared-installation.ts';
import { bodyOf, doorAt, offer } from './source-door.ts';
import { stepsPlaybook } from './steps-playbook.ts';

const HOUR_MS = 3_600_000;
const RUNS = 30;
const WAIT_S = 2;
const LINES = 40;
const preload = pathToFileURL(fileURLToPath(new URL('./shifted-clock.mjs', import.meta.url))).href;

/** The database's clock is right; each process has another idea of the time, and the worker's is set while it works. */
describe.skipIf(process.platform !== 'linux')('clocks that are an hour off', () => {
  const folders = temporaryFolders();
  let shared: SharedInstallation;
  let database: pg.Client;
  let api: Member;
  let worker: Member;
  let ingest: Member;

  beforeAll(async () => {
    shared = await startSharedInstallation(folders);
    const shifted = (...shifts: number[]) => ({
      NODE_OPTIONS: `--import ${preload}`,
      TEST_CLOCK_SHIFTS_MS: shifts.map((hours) => hours * HOUR_MS).join(),
    });
    [api, worker, ingest] = await Promise.all([
      shared.start('api', 'api', shifted(0, 1)),
      shared.start('worker', 'worker', shifted(0, -1, 1, -1)),
      shared.start('ingest', 'ingest', shifted(0, 1)),
    ]);
    // Not before they run: a bucket takes nobody whose clock is wrong, and they say so instead of starting.
    for (const { server } of [api, worker, ingest]) process.kill(server.pid, 'SIGUSR2');
    database = new pg.Client({ connectionString: shared.databaseUrl });
    await database.connect();
  });
  afterAll(async () => {
    await database?.end();
    await shared?.stop();
    folders.remove();
  });

  function admin() {
    const user = userOf(shared.demo, 'Admin');
    return { tenant: user.tenant, client: clientAt(api.url, () => Promise.resolve(user.api_key)) };
  }

  it('neither hold up runs nor end their waits before their time, also when a clock is set', async () => {
    const { tenant, client } = admin();
    const playbook = await stepsPlaybook(client, tenant, { name: 'Waits', steps: 1, seconds: WAIT_S });
    const runs: string[] = [];
    for (let n = 0; n < RUNS; n++) {
      const body = { playbook_id: playbook, inputs: {} };
      const { playbook: started } = await client.call('playbook-activity.start', { params: { tenant }, body });
      runs.push(started.workflow_instance_id);
      if (n === RUNS / 3 || n === (2 * RUNS) / 3) process.kill(worker.server.pid, 'SIGUSR2');
    }
    const ends = async () => {
      const { rows } = await database.query<{ status: string; n: number; shortest: number }>(runsByStatus, [runs]);
      return rows;
    };
    const byStatus = async () => (await ends()).map(({ status, n }) => ({ status, n }));
    await expect.poll(byStatus, { timeout: 60_000, interval: 200 }).toEqual([{ status: 'success', n: RUNS }]);
    expect((await ends())[0]?.shortest).toBeGreaterThanOrEqual(WAIT_S);
  });

  it('lose nothing that comes in, and find it', async () => {
    const { tenant, client } = admin();
    const body = { name: 'Trial', kind: 'ndjson' as const };
    const { id, token } = await client.call('sources.create', { params: { tenant }, body });
    const at = (member: Member) => doorAt({ ...shared.demo, url: member.url }, { tenant, id, token });
    for (let batch = 0; batch < 3; batch++) {
      const sent = () => offer(at(ingest), bodyOf(`batch ${batch}`, LINES)).then(({ status }) => status);
      await expect.poll(sent, { timeout: 20_000 }).toBe(202);
    }
    expect(await at(api).found()).toEqual({ events: 3 * LINES, different: 3 * LINES });
  });
});

/** By the database's own times. */
const runsByStatus = `
select status, count(*)::int as n, min(extract(epoch from finished_at - created_at))::float8 as shortest
from engine.run where id = any($1::uuid[]) group by status order by status`;
