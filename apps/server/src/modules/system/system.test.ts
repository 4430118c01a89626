import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { dashboardConfigSchema, demoAccountSchema } from '@airdeck/contracts/system/schema';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { keyOfSecret, newTotpSecret, totpCode } from '../identity/totp.ts';

const now = new Date('2026-11-21T12:00:10.000Z');
const totpSecret = newTotpSecret(randomBytes);
const identitySecret = randomBytes(48).toString('base64url');
const account = {
  email: 'ana@example.com',
  fullname: 'Ana',
  password: 'demo password',
  role: 'Analyst',
  tenant_name: 'Harbour',
};

let local: TestServer;
let production: TestServer;

beforeAll(async () => {
  const demoAccounts = async () => [{ ...account, totpSecret }];
  local = await createTestServer({ demoAccounts, identitySecret, now: () => now });
  production = await createTestServer({
    demoAccounts,
    env: { TARGET_STAGE: 'prod', PUBLIC_URL: 'https://air.example.com' },
  });
});
afterAll(async () => {
  await local?.close();
  await production?.close();
});

describe('system', () => {
  it('tells the dashboard its configuration', async () => {
    const answer = await local.inject('/config.json');
    expect(dashboardConfigSchema.parse(answer.json())).toMatchObject({
      target_stage: 'local',
      identity_publishable_key: 'local',
    });
    expect(answer.headers['cache-control']).toBe('no-cache');
  });

  it('offers demo sign-ins with their present code, and never the secret behind it', async () => {
    const answer = await local.inject('/demo/accounts');
    const code = totpCode(keyOfSecret(totpSecret), Math.floor(now.getTime() / 30_000));
    expect(demoAccountSchema.array().parse(answer.json())).toEqual([
      { ...account, code, seconds_left: 20, usable_in_s: 0 },
    ]);
    expect(answer.body).not.toContain(totpSecret);
  });

  it('offers the next code to who signs in again before it is time for one', async () => {
    const user = { externalId: randomUUID(), ...account, totpSecret };
    const { subject } = await local.composition.identity.users.create(user);
    const step = Math.floor(now.getTime() / 30_000);
    const owner = new pg.Client({ connectionString: local.stores.url });
    await owner.connect();
    onTestFinished(() => owner.end());
    const use = (last: number) =>
      owner.query(
        `insert into identity.attempt_guard (subject, last_step, touched_at) values ($1, $2, now())
         on conflict (subject) do update set last_step = excluded.last_step`,
        [`second-factor:${subject}`, last],
      );
    const offered = async () => {
      const [{ code, usable_in_s }] = (await local.inject('/demo/accounts')).json<
        [{ code: string; usable_in_s: number }]
      >();
      return { code, usable_in_s };
    };
    const codeOf = (ofStep: number) => totpCode(keyOfSecret(totpSecret), ofStep);
    await use(step - 1);
    expect(await offered()).toEqual({ code: codeOf(step), usable_in_s: 0 });
    await use(step);
    expect(await offered()).toEqual({ code: codeOf(step + 1), usable_in_s: 0 });
    // Both that count now are used up: the one after them counts from the next half minute on.
    await use(step + 1);
    expect(await offered()).toEqual({ code: codeOf(step + 2), usable_in_s: 20 });
  });

  it('has no demo sign-ins outside stage local, with the same answer as any unknown address', async () => {
    const answers = [await production.inject('/demo/accounts'), await production.inject('/demo/nothing')];
    expect(answers.map((answer) => answer.statusCode)).toEqual([404, 404]);
    expect(answers.map((answer) => answer.json<{ code: string }>().code)).toEqual([
      'ROUTE_NOT_FOUND',
      'ROUTE_NOT_FOUND',
    ]);
  });

  it('shows demo sign-ins only under a name of this machine', async () => {
    const answer = await local.inject({ url: '/demo/accounts', headers: { host: 'evil.example:4000' } });
    expect(answer.json()).toMatchObject({ code: 'ORIGIN_NOT_ALLOWED' });
  });

  it('is alive and ready while its stores are', async () => {
    expect((await local.inject('/health/live')).json()).toEqual({ live: true });
    const ready = await local.inject('/health/ready');
    expect(ready.statusCode).toBe(200);
    expect(ready.json()).toMatchObject({
      ready: true,
      checks: [
        { name: 'database', ok: true },
        { name: 'events', ok: true },
        { name: 'disk', ok: true },
      ],
    });
  });

  it('stays ready for people while the event store is away, and is not without the database', async () => {
    const gone = () => Promise.reject(new Error('away'));
    const { database, events } = local.stores;
    const readyOf = async (stores: Partial<TestServer['stores']>) => {
      const besides = { stores: { ...local.stores, ...stores }, identitySecret };
      const server = await createTestServer({ besides });
      const answer = await server.inject('/health/ready');
      await server.close();
      const { checks } = answer.json<{ checks: { name: string; ok: boolean }[] }>();
      return { status: answer.statusCode, away: checks.filter(({ ok }) => !ok).map(({ name }) => name) };
    };
    expect(await readyOf({ events: { ...events, ping: gone } })).toEqual({ status: 200, away: ['events'] });
    expect(await readyOf({ database: { ...database, ready: gone } })).toEqual({ status: 503, away: ['database'] });
  });

  it('describes exactly the route table as OpenAPI 3.1, and as a page without script', async () => {
    const { routeTable } = await import('@airdeck/contracts/route-table');
    const document = (await local.inject('/api/openapi.json')).json<{
      openapi: string;
      paths: Record<string, Record<string, { operationId: string }>>;
    }>();
    expect(document.openapi).toBe('3.1.0');
    const described = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map((operation) => operation.operationId),
    );
    expect(described.sort()).toEqual(Object.keys(routeTable).sort());
    const page = await local.inject('/api/docs');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.body).not.toMatch(/<script|onclick|javascript:/i);
    const [, style = ''] = /<style>([\s\S]+)<\/style>/.exec(page.body) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page.headers['content-security-policy']).toContain(`style-src 'self' 'sha256-${hash}';`);
    for (const { path } of Object.values(routeTable)) expect(page.body).toContain(path);
  });

  it('points in its description at nothing that is not there, and names what is sent and taken', async () => {
    const answer = await local.inject('/api/openapi.json');
    const document = answer.json<{
      paths: Record<string, Record<string, { requestBody?: Described; responses: Record<string, Described> }>>;
      components: { schemas: Record<string, unknown> };
    }>();
    const names = [...answer.body.matchAll(/"\$ref":"([^"]*)"/g)].map(([, at]) => String(at));
    expect(names.length).toBeGreaterThan(60);
    const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
    expect(answer.body).not.toContain('$defs');
    const typesOf = (described: Described | undefined) => Object.keys(described?.content ?? {});
    const files = document.paths['/api/tenants/{tenant}/contract/files']?.post;
    expect(typesOf(files?.requestBody)).toEqual(['application/pdf']);
    expect(typesOf(document.paths['/files/{link}']?.get?.responses['200'])).toEqual(['application/pdf']);
    const stream = document.paths['/api/tenants/{tenant}/stream']?.get?.responses;
    expect(typesOf(stream?.['200'])).toEqual(['text/event-stream']);
    expect(stream?.['429']?.headers).toHaveProperty('Retry-After');
  });

  it('protects every answer by its headers, and asks for https where it has it', async () => {
    for (const url of ['/health/live', '/me', '/nowhere', '/api/docs']) {
      const { headers } = await production.inject(url);
      expect(headers['content-security-policy'], url).toMatch(/^default-src 'none';script-src 'self';/);
      expect(headers['content-security-policy'], url).toMatch(/frame-ancestors 'none'/);
      expect(headers, url).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
      });
      expect(headers['access-control-allow-origin'], url).toBeUndefined();
    }
    expect((await local.inject('/health/live')).headers['strict-transport-security']).toBeUndefined();
  });

  it('takes no request while it ends, and says so to whoever asks whether it is ready', async () => {
    const ending = await createTestServer();
    await ending.composition.app.drain();
    const refused = await ending.inject('/config.json');
    expect(refused.json()).toMatchObject({ code: 'DRAINING' });
    expect(refused.headers['retry-after']).toBe('2');
    const ready = await ending.inject('/health/ready');
    expect({ status: ready.statusCode, ready: ready.json<{ ready: boolean }>().ready }).toEqual({
      status: 503,
      ready: false,
    });
    expect((await ending.inject('/health/live')).statusCode).toBe(200);
    await ending.close();
  });
});

type Described = { content?: Record<string, unknown>; headers?: Record<string, unknown> };
