import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { currentUserSchema } from '@airdeck/contracts/me/schema';
import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { LOCAL_ISSUER } from '../identity/sign-in-provider.ts';
import { shippedPlaybooks } from '../playbooks/library/shipped-playbooks.ts';
import { blockGuessingAddress } from '../playbooks/starter-playbooks.ts';
import { type DemoFile, demoFileSchema } from './demo-file.ts';
import { type DemoModule, startDemo } from './demo-module.ts';
import type { DemoServices } from './demo-workspace.ts';

let dataDir: string;
let demo: DemoModule;
let server: TestServer;

const open = () =>
  startDemo({ dataDir, host: '127.0.0.1', sandboxPort: 0, ids: v7, now: () => new Date(), randomBytes });
const path = () => join(dataDir, 'demo.json');

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'demo-'));
  demo = await open();
  server = await createTestServer({ sandbox: { host: '127.0.0.1', port: demo.sandbox.port } });
});
afterEach(async () => {
  await server.close();
  await demo.stop();
  await rm(dataDir, { recursive: true });
});

function services(): DemoServices {
  const { tenants, apiKeys, identity, work, contract, files } = server.composition;
  const { policies, playbooks, connectors, sources, addRuleResponse } = work;
  const db = server.stores.database;
  const users = identity.users;
  return {
    db,
    issuer: LOCAL_ISSUER,
    users,
    tenants,
    apiKeys,
    policies,
    playbooks,
    connectors,
    sources,
    addRuleResponse,
    contract: contract.service,
    files,
  };
}

/** The same services, whose calls are counted together; call number `crashAt` dies in place of doing its work. */
function crashing(crashAt: number) {
  const state = { calls: 0 };
  const counted =
    <Args extends readonly unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      state.calls += 1;
      if (state.calls >= crashAt) throw new Error('Killed.');
      return await work(...args);
    };
  const real = services();
  const wrapped: DemoServices = {
    ...real,
    users: { create: counted(real.users.create) },
    tenants: {
      ...real.tenants,
      createTenant: counted(real.tenants.createTenant),
      createUser: counted(real.tenants.createUser),
      addMembership: counted(real.tenants.addMembership),
    },
    apiKeys: { create: counted(real.apiKeys.create) },
    policies: { addShipped: counted(real.policies.addShipped) },
    // The library counts as one step: it is written by the same call again and again.
    playbooks: {
      create: (tx, scope, definition, ...more) =>
        (definition === blockGuessingAddress ? counted(real.playbooks.create) : real.playbooks.create)(
          tx,
          scope,
          definition,
          ...more,
        ),
    },
    connectors: { ...real.connectors, create: counted(real.connectors.create) },
    sources: { createSource: counted(real.sources.createSource) },
    addRuleResponse: counted(real.addRuleResponse),
    contract: {
      set: counted(real.contract.set),
      addFile: counted(real.contract.addFile),
      setBilling: counted(real.contract.setBilling),
    },
    files: { put: counted(real.files.put) },
  };
  return { state, wrapped };
}

const read = async () => demoFileSchema.parse(JSON.parse(await readFile(path(), 'utf8')));

async function me(apiKey: string) {
  const answer = await server.inject({ url: '/me', headers: { authorization: `Bearer ${apiKey}` } });
  expect(answer.statusCode).toBe(200);
  return currentUserSchema.parse(answer.json());
}

async function expectUsable(file: DemoFile): Promise<void> {
  for (const user of file.users) {
    const { user: found, tenant_roles } = await me(user.api_key);
    expect(found).toMatchObject({ id: user.id, email: user.email, tenant: user.tenant });
    expect(tenant_roles[user.tenant]).toBe(user.role);
  }
  for (const user of file.users.filter(({ role }) => role === 'Admin')) await expectContract(user);
  for (const source of file.sources) {
    const delivered = server.composition.work.ingestion.http.deliver({
      tenantId: source.tenant,
      sourceId: source.id,
      headers: { authorization: `Bearer ${source.token}`, 'content-type': 'text/plain' },
      stream: Readable.from([Buffer.from(`hello from ${source.id}`)]),
    });
    expect(await delivered).toMatchObject({ accepted: 1, rejected: 0 });
  }
  for (const { id } of file.tenants) {
    const verdict = server.stores.database.system((tx) => server.composition.audit.verify(tx, trustedTenantScope(id)));
    expect(await verdict).toMatchObject({ intact: true });
  }
}

/** One contract with one document that is a PDF. */
async function expectContract({ tenant, api_key }: DemoFile['users'][number]): Promise<void> {
  const get = (url: string) => server.inject({ url, headers: { authorization: `Bearer ${api_key}` } });
  const { files } = (await get(`/api/tenants/${tenant}/contract`)).json<{ files: { id: string }[] }>();
  expect(files).toHaveLength(1);
  const link = (await get(`/api/tenants/${tenant}/contract/download/${files[0]?.id}`)).json<{ url: string }>();
  expect((await server.inject({ url: link.url })).body).toMatch(/^%PDF-1\.4\n[\s\S]*%%EOF\n$/);
}

async function countOf(table: 'tenant' | 'app_user' | 'connector' | 'playbook' | 'policy' | 'rule_response') {
  const count = (tx: Parameters<Parameters<typeof server.stores.database.system>[0]>[0]) =>
    tx
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
  return (await server.stores.database.system(count)).n;
}

async function whatIsStored() {
  return await server.stores.database.system(async (tx) => {
    const roles = new Map<string, string[]>();
    for (const { user_id, role } of await tx.selectFrom('membership').selectAll().execute()) {
      roles.set(user_id, [...(roles.get(user_id) ?? []), role]);
    }
    const tenants = await tx.selectFrom('tenant').selectAll().execute();
    return {
      roles,
      plans: tenants.map(({ sku_info }) => sku_info),
      managers: tenants.map(({ managed_by }) => managed_by),
      providers: tenants.filter(({ is_provider }) => is_provider).map(({ id }) => id),
    };
  });
}

describe('the demo workspace', () => {
  test('is made once, complete, and found at every later start', async () => {
    const made = await demo.ensureWorkspace(services());
    expect(made.isNew).toBe(true);
    const file = await demo.publish({
      url: 'http://localhost:4000',
      ports: { http: 4000, syslog_tcp: 1, syslog_udp: 2, sandbox: demo.sandbox.port },
    });
    expect(await read()).toEqual(file);
    expect((await stat(path())).mode & 0o777).toBe(0o600);
    const again = await demo.ensureWorkspace(services());
    expect(again).toEqual({ file, isNew: false });
    expect(await countOf('tenant')).toBe(3);
    await expectUsable(file);
    expect(await demo.signIns()).toHaveLength(file.users.length);

    const { roles, plans, managers, providers } = await whatIsStored();
    const rolesIn = (tenant: string) => file.users.filter((user) => user.tenant === tenant).map(({ role }) => role);
    expect(file.tenants.some(({ id }) => new Set(rolesIn(id)).size === 4)).toBe(true);
    const differing = file.users.filter(({ id }) => new Set(roles.get(id)).size > 1);
    expect(differing.some(({ id }) => (roles.get(id)?.length ?? 0) > 1)).toBe(true);
    expect(plans.some((plan) => !plan.is_search_enabled && !plan.is_mdr_enabled)).toBe(true);
    expect(managers.filter((manager) => manager !== null)).toHaveLength(2);
    expect(providers).toEqual([...new Set(managers.filter((manager) => manager !== null))]);
  });

  test('is the same one after a crash at any step', { timeout: 240_000 }, async () => {
    const plan = await read();
    for (let crashAt = 1; ; crashAt += 1) {
      const { state, wrapped } = crashing(crashAt);
      const ended = await demo.ensureWorkspace(wrapped).catch((error: Error) => error);
      if (!(ended instanceof Error)) {
        expect(ended.isNew).toBe(true);
        break;
      }
      expect(ended.message).toBe('Killed.');
      expect(state.calls).toBeGreaterThanOrEqual(crashAt);
      expect(await countOf('tenant')).toBe(0);
    }
    // Between the file and the commit nothing is stored, and the file's tokens are for nothing.
    const file = await read();
    expect(file).toMatchObject({ tenants: plan.tenants, sandbox_keys: plan.sandbox_keys });
    expect(file.users.map(({ password, totp_secret }) => [password, totp_secret])).toEqual(
      plan.users.map(({ password, totp_secret }) => [password, totp_secret]),
    );
    expect([await countOf('tenant'), await countOf('app_user'), await countOf('connector')]).toEqual([3, 6, 9]);
    expect([await countOf('playbook'), await countOf('rule_response')]).toEqual([
      3 * Object.keys(shippedPlaybooks).length,
      3,
    ]);
    await expectUsable(file);
  });

  test('is made again when its transaction was lost after the file was written', async () => {
    const { db, ...rest } = services();
    const losing: DemoServices['db'] = {
      system: (work) =>
        db.system(async (tx) => {
          const result = await work(tx);
          if ((await read()).sources.length > 0) throw new Error('Killed.');
          return result;
        }),
    };
    await expect(demo.ensureWorkspace({ ...rest, db: losing })).rejects.toThrow('Killed.');
    const lost = await read();
    expect(lost.sources).toHaveLength(6);
    const { file, isNew } = await demo.ensureWorkspace({ ...rest, db });
    expect(isNew).toBe(true);
    expect(file.sources.map(({ token }) => token)).not.toEqual(lost.sources.map(({ token }) => token));
    await expectUsable(file);
  });

  test('keeps its sandbox port where it is free, and its connectors follow to another one', async () => {
    const { file } = await demo.ensureWorkspace(services());
    const first = demo.sandbox.port;
    await demo.publish({ url: '', ports: { http: 0, syslog_tcp: 0, syslog_udp: 0, sandbox: first } });
    await demo.stop();
    demo = await open();
    expect(demo.sandbox.port).toBe(first);
    await demo.stop();

    const held: Socket[] = [];
    const squatter = createServer((socket) => held.push(socket)).listen(first, '127.0.0.1');
    await new Promise((resolve) => squatter.once('listening', resolve));
    demo = await open();
    expect(demo.sandbox.port).not.toBe(first);
    expect((await demo.ensureWorkspace(services())).isNew).toBe(false);
    // A connector that still knows this port may hold a connection open, and an end would wait for it.
    for (const socket of held) socket.destroy();
    await new Promise((resolve) => squatter.close(resolve));
    for (const tenant of file.tenants) {
      const wanted = { definitionId: 'abuseipdb', connectorId: null };
      const opened = await server.stores.database.tenant(tenant.id, (tx) =>
        server.composition.work.connectors.open(tx, trustedTenantScope(tenant.id), wanted),
      );
      const base_url = `${demo.sandbox.url}/abuseipdb`;
      expect(opened?.config).toEqual({ base_url, api_key: file.sandbox_keys.abuseipdb });
      const check = await fetch(`${base_url}/api/v2/check?ipAddress=203.0.113.1`, {
        headers: { key: String(opened?.config.api_key) },
      });
      expect(check.status).toBe(200);
    }
  });
});

test('a damaged demo file stops the start by name and without its content', async () => {
  const text = '{"url":"","users":[{"password":"hunter2hunter2';
  await writeFile(path(), text);
  const refused = await open().catch((error: unknown) => String(error));
  expect(refused).toContain(`${path()} is damaged.`);
  expect(refused).not.toContain('hunter2');
  expect(await readFile(path(), 'utf8')).toBe(text);
});
