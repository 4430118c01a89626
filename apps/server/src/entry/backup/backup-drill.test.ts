import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { type ActivityFixture, createActivityFixture, promptOf } from '../../modules/activity/activity-fixture.ts';
import { openKeyFile } from '../../modules/connectors/key-file.ts';
import { openDatabase } from '../../storage/database.ts';
import { createEventsStore } from '../../storage/events-store.ts';
import { quietLog, type TestDatabase } from '../../storage/test-database.ts';
import { eventsAddressOf } from '../stores.ts';
import { configOf, createEmptyStores, eventsUrlOf } from './backup-fixture.ts';
import type { Manifest } from './backup-manifest.ts';
import { lowerFence } from './restore-fence-row.ts';
import { runRestore } from './run-restore.ts';
import { takeBackup } from './take-backup.ts';

const identitySecret = randomBytes(48).toString('base64url');
const fileId = randomUUID();
const said: string[] = [];
const say = (line: string) => void said.push(line);

let root: string;
let source: ActivityFixture;
let manifest: Manifest;
let stores: TestDatabase;
let restored: TestServer;
let tenant: string;
let waiting: { run: string; prompt: string };
let pendingRun: string;
let target: Awaited<ReturnType<typeof createEmptyStores>>;
let actor: Awaited<ReturnType<ActivityFixture['createWorkspace']>>['analyst'];

const at = (path: string) => join(root, path);

const sourceConfig = () =>
  configOf(at('source'), {
    databaseUrl: source.server.stores.url,
    eventsUrl: eventsUrlOf(source.server.stores.eventsConnection.placement.database),
  });

async function countEvents(database: string): Promise<{ batch: string; rows: number }[]> {
  const client = createClient({
    url: inject('eventsUrl'),
    username: inject('eventsUser'),
    password: inject('eventsPassword'),
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  const answer = await client.query({
    query: `select toString(batch) as batch, count() as rows from ${database}.events group by batch`,
    format: 'JSONEachRow',
  });
  const rows = await answer.json<{ batch: string; rows: number }>();
  await client.close();
  return rows;
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'airdeck-drill-'));
  await mkdir(at('source/files'), { recursive: true });
  await writeFile(at('source/identity.secret'), identitySecret, { mode: 0o600 });
  await writeFile(at(`source/files/${fileId}`), 'a contract');
  const keys = await openKeyFile(at('source/connector-keys.json'));
  source = await createActivityFixture({ keys, identitySecret });
  const workspace = await source.createWorkspace();
  ({ tenant, analyst: actor } = workspace);
  const playbook = await workspace.addPlaybook();
  const run = await workspace.start(playbook);
  waiting = { run, prompt: promptOf(await workspace.runReaches(run, 'waiting')) };
  // From here nobody works on runs: what is started stays to be done.
  await source.server.composition.work.engine.stop();
  pendingRun = await workspace.start(playbook, { ip: '203.0.113.9' });

  const mail = { id: randomUUID(), recipient: 'ana@example.com', subject: 'A code', body: '123456' };
  await source.db.system((tx) =>
    tx
      .insertInto('mail')
      .values({ ...mail, dedupe_key: null, due_at: new Date(), sent_at: null, failure: null })
      .execute(),
  );
  const manager = await workspace.person('SystemManager');
  const created = await source.server.inject({
    method: 'POST',
    url: `/api/${tenant}/event/sources/new`,
    headers: manager.headers,
    payload: { name: 'Shipper', kind: 'ndjson' },
  });
  const { id, token } = created.json<{ id: string; token: string }>();
  let writing = true;
  let written = 0;
  const writer = (async () => {
    for (let batch = 0; writing; batch++) {
      const lines = Array.from({ length: 50 }, (_, at) => JSON.stringify({ batch, at, text: 'ä "quoted" \\ line\n' }));
      const answer = await source.server.inject({
        method: 'POST',
        url: `/api/${tenant}/event/ingest/${id}`,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
        payload: lines.join('\n'),
      });
      if (answer.statusCode === 202) written++;
    }
  })();
  await vi.waitFor(() => expect(written).toBeGreaterThan(5), { timeout: 30_000 });
  manifest = await takeBackup({
    config: sourceConfig(),
    productVersion: '0.0.0',
    folder: at('backup'),
    keys: { kept: 'elsewhere', path: at('keys.json') },
    log: quietLog,
    say,
  });
  const duringBackup = written;
  await vi.waitFor(() => expect(written).toBeGreaterThan(duringBackup), { timeout: 30_000 });
  writing = false;
  await writer;
  source.sandbox.reset();

  target = await createEmptyStores();
  const config = configOf(at('restored'), target);
  await runRestore({
    config,
    folder: at('backup'),
    keys: { from: 'file', path: at('keys.json') },
    log: quietLog,
    say,
  });
  const { placement = { database: '' }, ...connection } = eventsAddressOf(target.eventsUrl);
  const database = openDatabase({ url: target.databaseUrl, log: quietLog, poolSize: { app: 4, system: 6 } });
  const events = createEventsStore({ ...connection, placement, log: quietLog });
  stores = {
    ...{ url: target.databaseUrl, database, events, eventsConnection: { ...connection, placement } },
    close: async () => {
      await Promise.all([database.close(), events.close()]);
    },
  };
  restored = await createTestServer({
    besides: { stores, identitySecret: (await readFile(at('restored/identity.secret'), 'utf8')).trim() },
    keys: await openKeyFile(at('restored/connector-keys.json')),
    sandbox: { host: '127.0.0.1', port: source.sandbox.port },
    // Nobody listens there: a mail that is tried counts its attempt.
    env: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'air@example.com' },
  });
});

afterAll(async () => {
  await restored?.close();
  await stores?.close();
  await target?.drop();
  await source?.close();
  await rm(root, { recursive: true, force: true });
});

const ask = async (method: 'GET' | 'POST', path: string, body?: object) => {
  const answer = await restored.inject({
    method,
    url: `/api/tenants/${tenant}${path}`,
    headers: { ...actor.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  return { status: answer.statusCode, body: answer.json() as Record<string, unknown> };
};
const statusOf = async (run: string) => {
  const { body } = await ask('GET', `/soar/playbook_activity/${run}`);
  return (body as { summary: { status: string } }).summary.status;
};
const mailAttempts = async () => {
  const mails = await stores.database.system((tx) =>
    tx.selectFrom('mail').select('attempts').where('subject', '=', 'A code').execute(),
  );
  return mails.map(({ attempts }) => attempts);
};
const prompt = () => `/soar/playbook_activity/${waiting.run}/prompt/${waiting.prompt}`;

describe('a backup taken while events come in, restored into an empty place', () => {
  it('says plainly where the keys are, and keeps them from everybody else', async () => {
    expect(said.find((line) => line.startsWith('Keys:'))).toContain(at('keys.json'));
    expect((await stat(at('keys.json'))).mode & 0o777).toBe(0o600);
    expect((await readFile(at('backup/manifest.json'))).includes(identitySecret)).toBe(false);
  });

  it('holds exactly the events of the batches it knows to be done, and of none it does not know', async () => {
    const batches = await stores.database.system((tx) =>
      tx
        .selectFrom('ingest_batch')
        .select((eb) => [eb.fn.coalesce('stored_as', 'id').as('id'), 'status', 'accepted'])
        .execute(),
    );
    const events = new Map(
      (await countEvents(stores.eventsConnection.placement.database)).map((row) => [row.batch, row.rows]),
    );
    expect(batches.length).toBeGreaterThan(5);
    for (const { id, status, accepted } of batches) if (status === 'done') expect(events.get(id)).toBe(accepted);
    const known = new Set(batches.map(({ id }) => id));
    expect([...events.keys()].filter((batch) => !known.has(batch))).toEqual([]);
  });

  it('verified rows, the audit log and the secrets, and put the files back', async () => {
    const open = said.find((line) => line.startsWith('Secrets:'));
    expect(open).toBe('Secrets: 2 open.');
    expect(said.some((line) => /^Audit log: \d+ records hold together\.$/.test(line))).toBe(true);
    expect(manifest.tables.find(({ name }) => name === 'audit_record')?.rows).toBeGreaterThan(5);
    expect(await readFile(at(`restored/files/${fileId}`), 'utf8')).toBe('a contract');
  });

  it('still refuses to change an audit record, and shows a tenant only its own rows', async () => {
    const change = stores.database.system((tx) => tx.updateTable('audit_record').set({ code: 'X' }).execute());
    await expect(change).rejects.toThrow();
    const other = await stores.database.tenant(randomUUID(), (tx) => tx.selectFrom('connector').selectAll().execute());
    expect(other).toEqual([]);
  });

  it('lets people read what waits, and refuses what acts, until the fence is lifted', async () => {
    expect(await statusOf(waiting.run)).toBe('waiting');
    expect(await statusOf(pendingRun)).toBe('pending');
    expect((await ask('GET', prompt())).status).toBe(200);
    expect(await ask('GET', '')).toMatchObject({ status: 200, body: { is_fenced: true } });
    const refused = await ask('POST', prompt(), { option: 'Block' });
    expect(refused).toMatchObject({ status: 503, body: { code: 'RESTORE_FENCE_UP' } });
    const started = await ask('POST', '/soar/actions_activity', {
      action_name: 'abuseipdb.check_ip',
      action_input: { ip: '203.0.113.30' },
    });
    expect(started).toMatchObject({ status: 503, body: { code: 'RESTORE_FENCE_UP' } });
    expect(restored.composition.work.engine.stats().started).toBe(false);
    expect(source.sandbox.state().calls).toEqual([]);
    expect(await mailAttempts()).toEqual([0]);
  });

  it('goes on where it stood once the fence is lifted, and says so in the audit log', async () => {
    await lowerFence(stores.database, new Date());
    await vi.waitFor(async () => expect(await statusOf(pendingRun)).toBe('waiting'), { timeout: 30_000 });
    expect(source.sandbox.state().calls.length).toBeGreaterThan(0);
    expect(await ask('GET', '')).toMatchObject({ body: { is_fenced: false } });
    await vi.waitFor(async () => expect(await mailAttempts()).toEqual([1]), { timeout: 30_000 });
    const records = await stores.database.tenant(tenant, (tx) =>
      tx
        .selectFrom('audit_record')
        .select(['action', 'actor_name'])
        .where('action', '=', 'restore_fence.lift')
        .execute(),
    );
    expect(records).toEqual([{ action: 'restore_fence.lift', actor_name: 'Operator' }]);
    await expect(lowerFence(stores.database, new Date())).rejects.toThrow('nothing to lift');
  });
});
