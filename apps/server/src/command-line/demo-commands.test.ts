/** What the `airdeck` command does with the demo workspace alone: its file, its people, its sources and their doors. */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { currentUserSchema } from '@airdeck/contracts/me/schema';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestServer, type TestServer } from '../http/test-server.ts';
import type { DemoFile } from '../modules/demo/demo-file.ts';
import { type DemoModule, startDemo } from '../modules/demo/demo-module.ts';
import { LOCAL_ISSUER } from '../modules/identity/sign-in-provider.ts';
import { type Airdeck, createAirdeck, jsonOf } from './airdeck-fixture.ts';

let airdeck: Airdeck;
let demo: DemoModule;
let server: TestServer;
let file: DemoFile;
let tenant: DemoFile['tenants'][number];

beforeAll(async () => {
  airdeck = await createAirdeck();
  const from = { dataDir: airdeck.folder, host: '127.0.0.1', sandboxPort: 0 };
  demo = await startDemo({ ...from, ids: v7, now: () => new Date(), randomBytes });
  server = await createTestServer({ sandbox: { host: from.host, port: demo.sandbox.port } });
  const { app, tenants, apiKeys, identity, work, contract, files } = server.composition;
  const { policies, playbooks, connectors, sources, addRuleResponse } = work;
  await demo.ensureWorkspace({
    ...{ db: server.stores.database, issuer: LOCAL_ISSUER, users: identity.users, tenants, apiKeys },
    ...{ policies, playbooks, connectors, sources, addRuleResponse, contract: contract.service, files },
  });
  const spool = { folder: join(airdeck.folder, 'spool'), maxBytes: 1_000_000 };
  const syslog = await work.ingestion.openSyslog({ host: from.host, tcpPort: 0, udpPort: 0, spool });
  const url = await app.server.listen({ host: from.host, port: 0 });
  const ports = { http: Number(new URL(url).port), syslog_tcp: syslog.tcpPort ?? 0, syslog_udp: 0 };
  file = await demo.publish({ url, ports: { ...ports, sandbox: demo.sandbox.port } });
  const rolesIn = (id: string) => new Set(file.users.flatMap((user) => (user.tenant === id ? [user.role] : [])));
  const withAllRoles = file.tenants.find(({ id }) => rolesIn(id).size === 4);
  if (withAllRoles === undefined) throw new Error('The demo has no tenant with somebody of each role.');
  tenant = withAllRoles;
});
afterAll(async () => {
  await server?.close();
  await demo?.stop();
  await airdeck?.close();
});
beforeEach(() => changeFile(() => file));

const run = (args: readonly string[]) => airdeck.run(args, { AIRDECK_DATA_DIR: airdeck.folder });

/** The demo file as if something had happened to it since. */
async function changeFile(change: (given: DemoFile) => object): Promise<void> {
  await writeFile(join(airdeck.folder, 'demo.json'), JSON.stringify(change(structuredClone(file))));
}

function userOf(role: string) {
  const user = file.users.find((each) => each.role === role && each.tenant === tenant.id);
  if (user === undefined) throw new Error(`The demo has no ${role} in ${tenant.name}.`);
  return user;
}

async function meWith(token: string) {
  const answer = await server.inject({ url: '/me', headers: { authorization: `Bearer ${token}` } });
  return currentUserSchema.parse(answer.json());
}

describe('airdeck token', () => {
  it('signs in with password and authenticator code and prints what opens the API', async () => {
    const { email, id } = userOf('Analyst');
    const { code, results, words } = await run(['token', '--email', email.toUpperCase()]);
    expect({ code, words }).toEqual({ code: 0, words: [] });
    expect(results).toHaveLength(1);
    expect(await meWith(results[0] ?? '')).toMatchObject({ user: { id, email } });
  });

  it('gives a program the address beside it', async () => {
    const { email, id } = userOf('SystemManager');
    const { code, results } = await run(['token', '--email', email, '--json']);
    expect({ code, answers: jsonOf(results) }).toEqual({ code: 0, answers: [{ email, token: expect.any(String) }] });
    expect(await meWith(String(jsonOf(results)[0]?.token))).toMatchObject({ user: { id } });
  });

  it('passes on why somebody is not let in, and knows nobody else', async () => {
    const { email } = userOf('ReadOnly');
    await changeFile((given) => ({ ...given, users: given.users.map((user) => ({ ...user, password: 'changed' })) }));
    const refused = await run(['token', '--email', email, '--json']);
    expect(refused).toMatchObject({ code: 1, words: [] });
    expect(jsonOf(refused.results)).toEqual([
      { error: 'SIGN_IN_REFUSED', message: expect.stringMatching(/password/i) },
    ]);
    const unknown = await run(['token', '--email', 'nobody@example.com']);
    expect(unknown).toMatchObject({ code: 2, results: [], words: [expect.stringContaining(email)] });
  });

  it('is for stage local only, whatever an earlier start left behind', async () => {
    const env = { TARGET_STAGE: 'dev', MOCK_DATA: 'false' };
    const elsewhere = await createTestServer({ env, besides: { stores: server.stores, identitySecret: 'another' } });
    const url = await elsewhere.composition.app.server.listen({ host: '127.0.0.1', port: 0 });
    await changeFile((given) => ({ ...given, url }));
    const ended = await run(['token', '--email', userOf('Admin').email]);
    await elsewhere.close();
    expect(ended).toEqual({ code: 1, results: [], words: [`The server at ${url} is not at stage local.`] });
  });
});

describe('airdeck simulate', () => {
  const eventsOf = async (where: string): Promise<number> => {
    const sql = `select count() as n from events where tenant = {tenant:UUID} and ${where}`;
    const [counted] = await server.stores.events.query<{ n: number }>({ tenant: tenant.id, sql });
    return Number(counted?.n);
  };
  const scenario = ['simulate', '--scenario', 'ssh-password-guessing', '--tenant'];

  it('plays a scenario through the doors of the tenant, which stores every record of it', async () => {
    const before = await eventsOf('true');
    const { code, results, words } = await run([...scenario, tenant.name.toUpperCase(), '--json']);
    expect({ code, words }).toEqual({ code: 0, words: [] });
    const [played] = jsonOf(results);
    expect(played).toMatchObject({ name: 'ssh-password-guessing', attacker: expect.any(String) });
    await expect.poll(() => eventsOf('true'), { timeout: 60_000 }).toBe(before + Number(played?.records));
    expect(await eventsOf(`src_ip = '${String(played?.attacker)}'`)).toBeGreaterThan(4);
  });

  it('feeds everyday events for as long as it is told and says how many', async () => {
    const before = await eventsOf('true');
    const { code, results, words } = await run([
      'simulate',
      '--tenant',
      tenant.id,
      '--rate',
      '50',
      '--duration',
      '2',
      '--json',
    ]);
    expect({ code, words }).toEqual({ code: 0, words: ['Feeding events for 2 s.'] });
    const [{ delivered, failed } = {}] = jsonOf(results);
    expect(failed).toBe(0);
    expect(delivered).toBeGreaterThan(0);
    await expect.poll(() => eventsOf('true'), { timeout: 60_000 }).toBe(before + Number(delivered));
  });

  it('ends with 1 and a sentence when a token of a source is not taken or a door is shut', async () => {
    await changeFile((given) => ({ ...given, sources: given.sources.map((source) => ({ ...source, token: 'old' })) }));
    const okta = ['simulate', '--scenario', 'okta-password-spray', '--tenant', tenant.id];
    expect(await run(okta)).toMatchObject({
      ...{ code: 1, results: [], words: [expect.stringMatching(/^The server answered 401: .*TOKEN_INVALID/)] },
    });
    await changeFile((given) => ({ ...given, ports: { ...given.ports, syslog_tcp: 1 } }));
    const words = ['No syslog server answers at 127.0.0.1 port 1.'];
    expect(await run([...scenario, tenant.id])).toEqual({ code: 1, results: [], words });
  });

  it('says so when the syslog server goes away under it, and shows nobody our code', async () => {
    const door = createServer((socket) => void socket.once('data', () => socket.resetAndDestroy()));
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
    const address = door.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    await changeFile((given) => ({ ...given, ports: { ...given.ports, syslog_tcp: port } }));
    const ended = await run([...scenario, tenant.id]);
    door.close();
    expect(ended).toEqual({ code: 1, results: [], words: ['The syslog server ended the connection.'] });
  });
});

describe('commands without a key', () => {
  it('take that of somebody of the demo who may', async () => {
    await airdeck.write({
      'rule.yml':
        'title: Denied\nlogsource: { product: acme }\ndetection:\n  sel: { result: denied }\n  condition: sel\n',
    });
    const query = await run(['query', '*', '--tenant', tenant.id, '--limit', '1']);
    expect([query.code, query.results.length]).toEqual([0, 1]);
    const audit = await run(['audit', 'verify', '--tenant', tenant.id]);
    expect(audit).toMatchObject({ code: 0, results: [expect.stringMatching(/^The audit log is intact: \d+ records/)] });
    const imported = await run(['import', 'sigma', 'rule.yml', '--tenant', tenant.id]);
    expect(imported).toMatchObject({ code: 0, results: ['imported Denied'] });
  });

  it('say what is missing for a tenant the demo does not have', async () => {
    const ended = await run(['query', '*', '--tenant', v7(), '--json']);
    expect({ code: ended.code, answers: jsonOf(ended.results) }).toEqual({
      code: 2,
      answers: [{ error: 'TENANT_UNKNOWN', message: expect.stringContaining('AIRDECK_TOKEN') }],
    });
  });
});
