import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Onboarding, Reachability } from '@airdeck/contracts/onboarding/schema';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { outgoingAddresses } from './outgoing-addresses.ts';
import { findSecretKey } from './secret-keys.ts';

const input = {
  kind: 'connector',
  title: 'Okta',
  step: 'allow-list',
  steps: ['choose', 'allow-list', 'finish'],
  data: { vendor: 'okta', choices: ['logs'] },
};

let clock = Date.parse('2026-11-21T12:00:00.000Z');
let server: TestServer;
let outside: ReturnType<typeof createServer>;
let port: number;
let asked: string[] = [];
let tenant: string;
let manager: Actor;

beforeAll(async () => {
  outside = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/away') response.writeHead(302, { location: 'http://127.0.0.1:1/inside?token=x' });
    response.end('hello');
  });
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  port = (outside.address() as AddressInfo).port;
  server = await createTestServer({
    now: () => new Date(clock),
    sandbox: { host: '127.0.0.1', port },
    env: { EGRESS_ADDRESSES: '198.51.100.7, 2001:db8::7' },
  });
});
afterAll(async () => {
  await server?.close();
  outside.closeAllConnections();
  outside.close();
});
beforeEach(async () => {
  asked = [];
  tenant = await server.createTenant();
  manager = await server.createActor({ home: tenant, roles: { [tenant]: 'SystemManager' } });
});

const path = (rest: string, of = tenant) => `/api/tenants/${of}/onboarding/${rest}`;

function call(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, who = manager) {
  return server.inject({ method, url, headers: who.headers, ...(payload && { payload }) });
}
const save = (id: string, change: object = {}) => call('POST', path(`in_progress/${id}`), { ...input, ...change });
const list = async () => (await call('GET', path('in_progress'))).json<Onboarding[]>();

function auditOf(action: string) {
  return server.stores.database.tenant(tenant, (tx) =>
    tx.selectFrom('audit_record').selectAll().where('action', '=', action).orderBy('sequence').execute(),
  );
}

describe('onboardings in progress', () => {
  it('are begun, go on and end, newest first, and stay with whoever began them', async () => {
    const [first, second] = [v7(), v7()];
    expect((await save(first)).statusCode).toBe(200);
    clock += 1_000;
    await save(second, { title: 'Graylog' });
    clock += 1_000;
    const other = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
    await call('POST', path(`in_progress/${first}`), { ...input, step: 'finish' }, other);
    expect((await list()).map(({ id, step }) => [id, step])).toEqual([
      [first, 'finish'],
      [second, 'allow-list'],
    ]);
    expect((await list())[0]?.created_by).toBe(manager.email);
    expect((await call('DELETE', path(`in_progress/${first}`))).statusCode).toBe(204);
    expect((await call('DELETE', path(`in_progress/${first}`))).json()).toMatchObject({ code: 'NOT_FOUND' });
    expect((await auditOf('onboarding.save')).length + (await auditOf('onboarding.delete')).length).toBe(4);
  });

  it('are announced to open screens of their tenant', async () => {
    const heard: string[] = [];
    const stop = await server.stores.database.listen('airdeck_changes', (payload) => heard.push(payload));
    const id = v7();
    await save(id);
    await expect.poll(() => heard.map((text) => JSON.parse(text))).toContainEqual({ tenant, kind: 'onboarding', id });
    await stop();
  });

  it('of another tenant are as if they were not there, whatever is done with their ids', async () => {
    const id = v7();
    await save(id);
    const theirs = await server.createTenant();
    const stranger = await server.createActor({ home: theirs, roles: { [theirs]: 'Admin' } });
    const foreign = path(`in_progress/${id}`, theirs);
    expect((await call('DELETE', foreign, undefined, stranger)).json()).toMatchObject({ code: 'NOT_FOUND' });
    const own = await call('POST', foreign, { ...input, title: 'Taken over' }, stranger);
    const fresh = await call('POST', path(`in_progress/${v7()}`, theirs), { ...input, title: 'New' }, stranger);
    expect([own.statusCode, fresh.statusCode]).toEqual([200, 200]);
    expect(own.json<Onboarding>().created_by).toBe(stranger.email);
    expect(await list()).toMatchObject([{ id, title: 'Okta', created_by: manager.email }]);
    await call('DELETE', foreign, undefined, stranger);
    expect(await list()).toHaveLength(1);
  });

  it.each([
    { password: 'x' },
    { api_key: 'x' },
    { nested: { clientSecret: 'x' } },
    { list: [{ 'Bearer-Token': 'x' }] },
    { APIKEY: 'x' },
    { key: 1 },
  ])('hold no secret: %j', async (data) => {
    const answer = await save(v7(), { data });
    expect(answer.json()).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await list()).toEqual([]);
  });

  it('tell a secret from an innocent word', () => {
    expect(findSecretKey({ keyboard: 1, monkey: 2, spinner: 3, steps: [{ vendor: 'key' }] })).toBeUndefined();
    expect(findSecretKey({ a: [{ b: { signingKey: 1 } }] })).toBe('a.0.b.signingKey');
  });

  it('hold no more than 16 kB, nor more than a hundred per tenant, also when many come at once', async () => {
    expect((await save(v7(), { data: { note: 'x'.repeat(17_000) } })).statusCode).toBe(400);
    for (let count = 0; count < 98; count++) await save(v7());
    const answers = await Promise.all(Array.from({ length: 6 }, () => save(v7())));
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 200, 409, 409, 409, 409]);
    const [known] = await list();
    expect((await save(known?.id ?? '', { step: 'finish' })).statusCode).toBe(200);
  });

  it.each([{ step: 'elsewhere' }, { tenant: v7() }, { created_by: 'me' }, { steps: [] }, { kind: 'other' }])(
    'refuse %j',
    async (change) => {
      expect((await save(v7(), change)).json()).toMatchObject({ code: 'VALIDATION_FAILED' });
    },
  );
});

describe('the addresses our calls come from', () => {
  it('are what the operator named', async () => {
    const answer = await call('GET', path('air_ip'));
    expect(answer.json()).toEqual({ air_ip: '198.51.100.7', air_ips: ['198.51.100.7', '2001:db8::7'], note: null });
  });

  it('are otherwise those of the machine, IPv4 first, with a word on what that is worth', () => {
    const entry = (address: string, family: 'IPv4' | 'IPv6', internal = false) => ({
      ...{ address, family, internal, netmask: '', mac: '', cidr: null },
      ...(family === 'IPv6' ? { scopeid: 0 } : {}),
    });
    const all = [entry('2001:db8::1', 'IPv6'), entry('fe80::1', 'IPv6'), entry('10.1.2.3', 'IPv4')];
    const lo = [entry('127.0.0.1', 'IPv4', true), entry('::1', 'IPv6', true)];
    // biome-ignore lint/suspicious/noExplicitAny: the operating system's type is a union by family.
    const found = outgoingAddresses([], () => ({ eth0: all, lo }) as any);
    expect(found).toEqual({
      addresses: ['10.1.2.3', '2001:db8::1'],
      note: expect.stringContaining('EGRESS_ADDRESSES'),
    });
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    const lonely = outgoingAddresses([], () => ({ lo }) as any);
    expect(lonely).toEqual({ addresses: ['127.0.0.1'], note: expect.stringContaining('loopback') });
  });
});

describe('the reachability check', () => {
  const check = (url: string) => call('POST', path('reachability_check'), { url });

  it('says what answered, in a plain sentence', async () => {
    const answer = await check(`http://127.0.0.1:${port}/there?q=1`);
    expect(answer.json()).toMatchObject({ reachable: true, status: 200, tls: null, reason: 'EGRESS_ANSWERED' });
    expect(asked).toEqual(['/there?q=1']);
    expect(await auditOf('reachability.check')).toMatchObject([{ outcome: 'ok', data: { reachable: true } }]);
    expect(JSON.stringify(await auditOf('reachability.check'))).not.toContain('q=1');
  });

  it('follows no redirect and says no more of it than the host', async () => {
    const { message, status } = (await check(`http://127.0.0.1:${port}/away`)).json<Reachability>();
    expect(status).toBe(302);
    expect(message).toContain('127.0.0.1:1');
    expect(message).not.toContain('token');
    expect(asked).toEqual(['/away']);
  });

  it.each([
    'http://127.0.0.2/',
    'http://localhost/',
    'http://[::1]/',
    'http://0.0.0.0/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.0.1/',
    'http://100.64.0.1/',
    'http://[fc00::1]/',
    'http://[fe80::1]/',
    'http://224.0.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://017700000001/',
    'http://127.1/',
    'http://[::ffff:127.0.0.1]/',
  ])('goes nowhere for %s, and the try is on record', async (url) => {
    const answer = await check(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ reachable: false, status: null, latency_ms: null, tls: null });
    expect(answer.json().reason).toMatch(/^EGRESS_/);
    expect(await auditOf('reachability.check')).toMatchObject([
      { outcome: 'refused', data: { reason: 'EGRESS_DENIED' } },
    ]);
    expect(asked).toEqual([]);
  });

  it.each([
    'file:///etc/passwd',
    'gopher://example.com/',
    'ftp://example.com/',
    'data:text/plain,x',
    'ws://example.com/',
    'unix:/var/run/docker.sock',
    'http://user:pw@example.com/',
    'http://example.com:22/',
    'http://example.com:25/',
    'http://example.com:6379/',
    'http://example.com:5432/',
    'http://example.com#@127.0.0.1/',
    'http://example.com\\@127.0.0.1/',
    'http://example.com/a\r\nx-injected: 1',
    'no address',
  ])('takes no %j', async (url) => {
    expect((await check(url)).json()).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: 'body.url' }] });
  });

  it('is at most ten times a minute, exactly, and one record says that it was refused', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => check(`http://127.0.0.1:${port}/`)));
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(10);
    const refused = answers.filter((answer) => answer.statusCode === 429);
    expect(refused).toHaveLength(20);
    expect(refused[0]?.headers['retry-after']).toBe('60');
    expect(asked).toHaveLength(10);
    const records = await auditOf('reachability.check');
    expect(records.filter((record) => record.code === 'RATE_LIMITED')).toHaveLength(1);
    const other = await server.createTenant();
    const neighbour = await server.createActor({ home: other, roles: { [other]: 'Admin' } });
    const theirs = await call(
      'POST',
      path('reachability_check', other),
      { url: `http://127.0.0.1:${port}/` },
      neighbour,
    );
    expect(theirs.statusCode).toBe(200);
    clock += 60_000;
    expect((await check(`http://127.0.0.1:${port}/`)).statusCode).toBe(200);
  });
});
