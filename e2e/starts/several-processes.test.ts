import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoFile } from '../src/airdeck-process.ts';
import { adminOf, clientAt, userOf } from '../src/api.ts';
import { createAuthenticator } from '../src/authenticator.ts';
import { createVisitor } from '../src/visitor.ts';
import { refusedStart, temporaryFolders } from './server-process.ts';
import { type Member, type SharedInstallation, startSharedInstallation } from './shared-installation.ts';
import { bodyOf, type DoorPlace, post } from './source-door.ts';
import { stepsPlaybook } from './steps-playbook.ts';

const MARK = randomBytes(4).toString('hex');
const runtimeTree = fileURLToPath(new URL('../../tools/runtime-tree.mjs', import.meta.url));
/** An account that owns nothing here. */
const STRANGER = 65_534;
const LINES = 40;
const RUNS = 60;
/** The announcement ends it, not the end of the token's five minutes; how fast exactly is no matter for a busy machine. */
const REVOKED_WITHIN_MS = 10_000;

type DemoUser = DemoFile['users'][number];

/** Two of each role on one PostgreSQL, one event store and one bucket. */
describe.skipIf(process.platform !== 'linux')('six processes of one installation', () => {
  const folders = temporaryFolders();
  let shared: SharedInstallation;
  let database: pg.Client;
  let apis: readonly [Member, Member];
  let workers: readonly [Member, Member];
  let ingests: readonly [Member, Member];

  beforeAll(async () => {
    shared = await startSharedInstallation(folders);
    const pair = async (role: 'api' | 'worker' | 'ingest') =>
      await Promise.all([shared.start(role, `${role}-1`), shared.start(role, `${role}-2`)]);
    // All at once: they also meet at the migrations and the schedules.
    [apis, workers, ingests] = await Promise.all([pair('api'), pair('worker'), pair('ingest')]);
    database = new pg.Client({ connectionString: shared.databaseUrl });
    await database.connect();
    await database.query(noteSlots);
  });
  afterAll(async () => {
    await database?.end();
    await shared?.stop();
    folders.remove();
  });

  const apiAt = ({ url }: Member, role = 'Admin') => {
    const user = userOf(shared.demo, role);
    return { tenant: user.tenant, api: clientAt(url, () => Promise.resolve(user.api_key)) };
  };

  /** Signed in at the first, with the code of the second factor. */
  async function signIn(user: DemoUser) {
    const visitor = createVisitor(apis[0].url);
    await visitor.post('/auth/sign-in/email', { email: user.email, password: user.password });
    const code = createAuthenticator(user.totp_secret).nextCode();
    await visitor.post('/auth/two-factor/verify-totp', { code });
    const { token } = await visitor.get<{ token: string }>('/auth/token');
    const cookie = visitor.cookies().map(({ name, value }) => `${name}=${value}`);
    return { visitor, token, tenant: user.tenant, cookie: cookie.join('; ') };
  }

  const statusAt = async ({ url }: Member, path: string, headers: Record<string, string>) =>
    (await fetch(`${url}${path}`, { headers: { origin: url, ...headers } })).status;

  async function tokenAt({ url }: Member, cookie: string): Promise<unknown> {
    const answer = await fetch(`${url}/auth/token`, { headers: { origin: url, cookie } });
    return ((await answer.json()) as { token: unknown }).token;
  }

  it('say that they are ready, each in its role', async () => {
    for (const { url } of [...apis, ...workers, ...ingests]) {
      expect(await statusAt({ url } as Member, '/health/ready', {})).toBe(200);
    }
    for (const one of apis) expect(await statusAt(one, '/login', { accept: 'text/html' })).toBe(200);
    for (const one of [...workers, ...ingests]) {
      expect(await statusAt(one, '/login', { accept: 'text/html' })).toBe(404);
    }
  });

  it('run from what the image holds alone, as an account that owns none of it', async () => {
    const isRoot = process.getuid?.() === 0;
    const place = folders.folder(`image-${randomBytes(4).toString('hex')}`);
    const data = join(place, 'data');
    const keys = join(place, 'connector-keys.json');
    mkdirSync(data, { recursive: true });
    // As a platform mounts a secret: to be read, and nobody's to change.
    copyFileSync(shared.environment.CONNECTOR_KEYS_FILE ?? '', keys);
    chmodSync(keys, isRoot ? 0o444 : 0o400);
    execFileSync(process.execPath, [runtimeTree, join(place, 'app')]);
    if (isRoot) {
      chmodSync(join(place, '..'), 0o711);
      chownSync(data, STRANGER, STRANGER);
    }
    const copy = { program: join(place, 'app/apps/server/dist/main.mjs'), ...(isRoot ? { uid: STRANGER } : {}) };
    const own = { CONNECTOR_KEYS_FILE: keys, AIRDECK_DATA_DIR: data, METRICS_PORT: '0' };
    const member = await shared.start('api', 'from-image', own, copy);
    expect(await statusAt(member, '/health/ready', {})).toBe(200);
    expect(await statusAt(member, '/login', { accept: 'text/html' })).toBe(200);
    const { api, tenant } = apiAt(member);
    expect((await api.call('policies.list', { params: { tenant }, query: {} })).rules.length).toBeGreaterThan(0);
    const made = await api.call('cases.create', { params: { tenant }, body: { alert_name: `Written down ${MARK}` } });
    const written = await fetch(`${member.url}/api/tenants/${tenant}/case/${made.id}/pdf`, {
      headers: { authorization: `Bearer ${userOf(shared.demo, 'Admin').api_key}` },
    });
    expect(written.status, await written.clone().text()).toBe(200);
    expect(
      Buffer.from(await written.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect((await member.server.kill('SIGTERM')).code).toBe(0);
  });

  it('tell the provider how each of them is', async () => {
    const provider = adminOf(shared.demo, 'Lumen Ridge Security');
    const api = clientAt(apis[0].url, () => Promise.resolve(provider.api_key));
    const rolesTold = async () => {
      const { processes } = await api.call('operations.get', { params: { tenant: provider.tenant } });
      return processes.map(({ role }) => role).sort();
    };
    await expect.poll(rolesTold, { timeout: 30_000 }).toEqual(['api', 'api', 'ingest', 'ingest', 'worker', 'worker']);
  });

  it('take a session made at one of them at the other, and end it in both at once', async () => {
    const { visitor, token, cookie } = await signIn(userOf(shared.demo, 'Analyst'));
    const authorization = `Bearer ${token}`;
    for (const one of apis) {
      expect(await statusAt(one, '/me', { authorization })).toBe(200);
      expect(await tokenAt(one, cookie)).toEqual(expect.any(String));
    }
    await visitor.post('/auth/sign-out');
    const ended = performance.now();
    for (const one of apis) {
      while ((await statusAt(one, '/me', { authorization })) !== 401) await wait(20);
      expect(performance.now() - ended).toBeLessThan(REVOKED_WITHIN_MS);
      expect(await tokenAt(one, cookie)).toBeNull();
    }
  });

  it('count wrong passwords together', async () => {
    const { email, password } = userOf(shared.demo, 'ReadOnly');
    const tryAt = async ({ url }: Member, text: string) => {
      const headers = { origin: url, 'content-type': 'application/json' };
      const body = JSON.stringify({ email, password: text });
      const answer = await fetch(`${url}/auth/sign-in/email`, { method: 'POST', headers, body });
      return (await answer.json()) as { code?: string };
    };
    for (const one of [apis[0], apis[1], apis[0], apis[1], apis[0]]) await tryAt(one, `wrong ${MARK}`);
    const locked = await tryAt(apis[1], password);
    expect(locked.code).toBe('ACCOUNT_TEMPORARILY_LOCKED');
    expect(locked).toEqual(
      await tryAt(apis[0], password).then((again) => ({ ...again, request_id: expect.anything() })),
    );
  });

  it('count a batch once that is sent to both doors, and open one case from what both took', async () => {
    const { api, tenant } = apiAt(apis[0]);
    const { id, token } = await api.call('sources.create', {
      params: { tenant },
      body: { name: MARK, kind: 'ndjson' },
    });
    const name = `Several processes ${MARK}`;
    const doors = ingests.map(({ url }) => ({ url, tenant, id, token }));
    const policy = await api.call('policies.create', { params: { tenant }, body: { rule: ruleFor(name) } });
    // Both doors have seen this tenant's policies, without this one, when it is switched on.
    await Promise.all(doors.map((door) => send(door, bodyOf('before', 1))));
    await api.call('policies.update', { params: { tenant, id: policy.id }, body: { enabled: true } });
    await Promise.all(doors.map((door) => send(door, bodyOf(`${MARK} both`, LINES))));
    await Promise.all(doors.map((door, at) => send(door, bodyOf(`${MARK} door ${at}`, LINES))));

    const now = Date.now();
    const found = await api.call('search.run', {
      params: { tenant },
      body: {
        query: MARK,
        time_range: { start: new Date(now - 3_600_000).toISOString(), end: new Date(now + 60_000).toISOString() },
        live: false,
      },
    });
    expect(found.total).toEqual({ value: 3 * LINES, relation: 'eq' });
    const source = (await api.call('sources.list', { params: { tenant } })).find((one) => one.id === id);
    expect(source?.events_24h).toBe(3 * LINES + 1);
    const { cases } = await api.call('cases.list', { params: { tenant }, query: { q: name } });
    expect(cases.map(({ alert_name, event_count }) => ({ alert_name, event_count }))).toEqual([
      { alert_name: name, event_count: 3 * LINES },
    ]);
  });

  it('fire each slot of a schedule once, with two workers that look at it', async () => {
    const slots = async () => (await database.query<{ slots: number; jobs: number }>(slotsAndJobs)).rows[0];
    await expect.poll(async () => (await slots())?.slots, { timeout: 40_000, interval: 200 }).toBeGreaterThan(4);
    const seen = await slots();
    expect(seen?.jobs).toBe(seen?.slots);
  });

  it('finish at one worker what another one had in hand when it was killed', async () => {
    const { api, tenant } = apiAt(apis[0]);
    const playbook = await stepsPlaybook(api, tenant, { name: `Steps ${MARK}`, steps: 8, seconds: 0.05 });
    const [dying, surviving] = workers;
    // Only the one that will be killed works, so that what is in hand is in its hands.
    process.kill(surviving.server.pid, 'SIGSTOP');
    try {
      const starts = Array.from({ length: RUNS }, () =>
        api.call('playbook-activity.start', { params: { tenant }, body: { playbook_id: playbook, inputs: {} } }),
      );
      await expect.poll(() => leasedAfterStop(dying.server.pid), { timeout: 60_000, interval: 1 }).toBeGreaterThan(0);
      await dying.server.kill('SIGKILL');
      await Promise.all(starts);
      expect(await leased()).toBeGreaterThan(0);
    } finally {
      process.kill(surviving.server.pid, 'SIGCONT');
    }
    const ends = async () => {
      const query = { playbook_id: playbook, limit: 100 };
      const runs = await apiAt(apis[1]).api.call('playbook-activity.list', { params: { tenant }, query });
      return runs.map(({ summary }) => summary.status).filter((status) => status === 'success').length;
    };
    await expect.poll(ends, { timeout: 60_000, interval: 200 }).toBe(RUNS);
  });

  it('serve at one of them a file that came in at the other', async () => {
    const { token, tenant } = await signIn(adminOf(shared.demo, 'Lumen Ridge Security'));
    const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(9 * 1_048_576)]);
    const headers = { authorization: `Bearer ${token}` };
    const terms = { start_date: '2026-01-01', end_date: '2026-12-31', renewal_notice_date: null, seats: 10 };
    const set = await clientAt(apis[0].url, async () => token).call('contract.set', {
      params: { tenant },
      body: terms,
    });
    expect(set.seats).toBe(10);
    const up = await fetch(`${apis[0].url}/api/tenants/${tenant}/contract/files?name=${MARK}`, {
      ...{ method: 'POST', body: content },
      headers: { ...headers, 'content-type': 'application/pdf' },
    });
    expect(up.status, await up.clone().text()).toBe(201);
    const { id } = (await up.json()) as { id: string };
    const at = await fetch(`${apis[1].url}/api/tenants/${tenant}/contract/download/${id}`, { headers });
    const { url } = (await at.json()) as { url: string };
    const down = await fetch(new URL(new URL(url, apis[1].url).pathname, apis[1].url));
    expect(Buffer.from(await down.arrayBuffer()).equals(content)).toBe(true);
  });

  it('let nobody in who has other secrets, and say why', async () => {
    const { DATABASE_URL = '', EVENTS_URL = '', FILES_URL = '' } = shared.environment;
    const stores = { DATABASE_URL, EVENTS_URL, FILES_URL };
    const stranger = await refusedStart(folders.folder('stranger'), stores);
    expect(stranger.code).toBe(1);
    expect(stranger.words).toContain('Another process works on this database with other secrets or files.');
  });

  // Last: nobody signs in from this address for a minute after it.
  it('count the sign-in calls of an address together', async () => {
    // Whoever called before in this minute.
    await database.query('delete from identity.auth_call_window');
    const call = async ({ url }: Member) => (await fetch(`${url}/auth/jwks`, { headers: { origin: url } })).status;
    // Fewer at each than one alone would refuse.
    const answers = await Promise.all(apis.flatMap((one) => Array.from({ length: 110 }, () => call(one))));
    expect(answers.filter((status) => status === 200)).toHaveLength(120);
    expect(answers.filter((status) => status === 429)).toHaveLength(100);
  });

  /** Jobs a worker has in hand, alive or not. */
  async function leased(): Promise<number> {
    const { rows } = await database.query<{ n: number }>(
      `select count(*)::int as n from engine.job where state = 'leased' and run_id is not null`,
    );
    return rows[0]?.n ?? 0;
  }

  /** Stops this worker when it has jobs in hand; how many it still has then. With none it goes on. */
  async function leasedAfterStop(pid: number): Promise<number> {
    if ((await leased()) === 0) return 0;
    process.kill(pid, 'SIGSTOP');
    // What it sent before is still done by the database.
    await wait(200);
    const inHand = await leased();
    if (inHand === 0) process.kill(pid, 'SIGCONT');
    return inHand;
  }
});

/** Jobs are gone when they are done: what is ever put in for a schedule of every second is noted apart. */
const noteSlots = `
create table public.noted_job (job_id uuid);
create function public.note_job() returns trigger language plpgsql security definer as $$
begin
  insert into public.noted_job values (new.id);
  return null;
end $$;
create trigger note_job after insert on engine.job for each row when (new.kind = 'connectors.due')
  execute function public.note_job();
insert into engine.cron (tenant_id, name, expression, kind, max_attempts, next_slot_at, updated_at)
  values ('00000000-0000-0000-0000-000000000000', 'every second', '* * * * * *', 'connectors.due', 1, now(), now());
`;

const slotsAndJobs = `
select (select count(*)::int from public.noted_job) as jobs,
       (select count(*)::int from engine.cron_slot where job_id in (select job_id from public.noted_job)) as slots`;

/** As a shipper does: the same batch until it is taken. */
async function send(door: DoorPlace, body: string): Promise<void> {
  await expect.poll(async () => (await post(door, body)).status, { timeout: 20_000, interval: 200 }).toBe(202);
}

function ruleFor(name: string) {
  return {
    name,
    description: '',
    type: 'custom' as const,
    severity: 'high' as const,
    logic: {
      rule_type: 'filter_and_group' as const,
      filter_criteria: [{ field: 'message', operator: 'contains' as const, value: MARK }],
      group_by: [],
      source: { source_type: 'log' as const, connector_definition_id: '', event_type: '' },
    },
  };
}
