import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Billing, Contract } from '@airdeck/contracts/contract/schema';
import { limits } from '@airdeck/contracts/limits';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { MALWARE_MARK, startClamdStandIn } from '../files/clamd-stand-in.ts';

const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
const dates = { start_date: '2026-01-01', end_date: '2027-01-01', renewal_notice_date: '2026-10-01', seats: 25 };
const pdf = Buffer.from('%PDF-1.4\n%%EOF\n');
const billing = {
  ...{ address: '1 Example Street', city: 'Exampleton', contact_email: 'billing@example.com' },
  ...{ contact_name: 'Bo', contact_phone: '', state: '', zip_code: '12345' },
};

let server: TestServer;
let origin: string;
let dataDir: string;
let scanner: Awaited<ReturnType<typeof startClamdStandIn>>;
let clock = Date.parse('2026-11-21T12:00:00.000Z');
let provider: string;
let customer: string;
let owner: Actor;
let local: Actor;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'airdeck-contract-'));
  scanner = await startClamdStandIn();
  server = await createTestServer({
    now: () => new Date(clock),
    env: { AIRDECK_DATA_DIR: dataDir, CLAMD_URL: scanner.url },
  });
  origin = await server.composition.app.server.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await server?.close();
  await scanner?.close();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  provider = await server.createTenant();
  customer = await server.stores.database.system((tx) =>
    server.composition.tenants.createTenant(
      tx,
      {
        name: 'Customer',
        managedBy: provider,
        skuInfo: {
          sku_name: 'Complete',
          is_mdr_enabled: true,
          is_search_enabled: true,
          retention_length_days: 90,
          search_length_days: 30,
        },
      },
      by,
    ),
  );
  owner = await server.createActor({ home: provider, roles: { [provider]: 'Admin', [customer]: 'Admin' } });
  local = await server.createActor({ home: customer, roles: { [customer]: 'Admin' } });
});

const path = (rest = '', tenant = customer) => `/api/tenants/${tenant}/contract${rest}`;

function call(method: 'GET' | 'PUT' | 'DELETE', url: string, who: Actor, payload?: object) {
  return server.inject({ method, url, headers: who.headers, ...(payload && { payload }) });
}

function upload(content: Buffer, { who = owner, name = 'Contract', type = 'application/pdf', headers = {} } = {}) {
  return server.inject({
    method: 'POST',
    url: path(`/files?name=${encodeURIComponent(name)}`),
    headers: { ...who.headers, 'content-type': type, ...headers },
    payload: content,
  });
}

/** How a save is refused whose form was made from what somebody else has changed since. */
const overtaken = {
  code: 'CONFLICT',
  message: expect.stringContaining('Somebody else changed'),
  details: [{ path: 'body.replaces', reason: 'FIELD_DIFFERENT_NOW' }],
};

/** Payloads that arrive together; how each was answered. */
async function together(url: string, who: Actor, payloads: readonly object[]) {
  const answers = await Promise.all(payloads.map((payload) => call('PUT', url, who, payload)));
  return answers.map((answer) => ({ status: answer.statusCode, body: answer.json<Record<string, unknown>>() }));
}

async function recorded(action: string): Promise<unknown[]> {
  const records = await server.stores.database.tenant(customer, (tx) =>
    tx.selectFrom('audit_record').select('data').where('action', '=', action).orderBy('sequence').execute(),
  );
  return records.map(({ data }) => data);
}

async function withContract(): Promise<void> {
  expect((await call('PUT', path(), owner, dates)).statusCode).toBe(200);
}

async function withFile(name = 'Contract'): Promise<string> {
  await withContract();
  const answer = await upload(pdf, { name });
  expect(answer.statusCode).toBe(201);
  return answer.json<{ id: string }>().id;
}

async function linkTo(id: string): Promise<string> {
  return (await call('GET', path(`/download/${id}`), local)).json<{ url: string }>().url;
}

const filesFolder = () => join(dataDir, 'files');
const stored = () => readdir(filesFolder()).catch(() => [] as string[]);

describe('term dates', () => {
  it('are not there until the provider sets them, and then for every Admin to read', async () => {
    expect((await call('GET', path(), local)).json()).toMatchObject({ code: 'NOT_FOUND' });
    await withContract();
    expect((await call('GET', path(), local)).json()).toMatchObject({
      ...dates,
      tenant: customer,
      sku_name: 'Complete',
      files: [],
      editable: false,
    });
    expect((await call('GET', path(), owner)).json<Contract>().editable).toBe(true);
  });

  it('are written by Admins of the managing tenant only, and the refused attempt is on record', async () => {
    await withContract();
    const analyst = await server.createActor({ home: provider, roles: { [provider]: 'Analyst', [customer]: 'Admin' } });
    for (const who of [local, analyst]) {
      const answer = await call('PUT', path(), who, { ...dates, seats: 1_000 });
      expect(answer.json()).toMatchObject({ code: 'ROLE_TOO_LOW' });
      expect((await upload(pdf, { who })).json()).toMatchObject({ code: 'ROLE_TOO_LOW' });
    }
    const key = await server.createApiKey(owner, { tenant: customer, role: 'Admin', expiresAt: new Date(clock + 1e6) });
    const headers = { authorization: `Bearer ${key}` };
    const byKey = await server.inject({ method: 'PUT', url: path(), headers, payload: dates });
    expect(byKey.json()).toMatchObject({ code: 'ROLE_TOO_LOW' });
    expect((await call('GET', path(), local)).json<Contract>().seats).toBe(25);
    const refused = await server.stores.database.tenant(customer, (tx) =>
      tx
        .selectFrom('audit_record')
        .select(['actor_kind', 'actor_id', 'target_id'])
        .where('outcome', '=', 'refused')
        .execute(),
    );
    const attempts = refused.map(({ actor_kind: kind, actor_id: id, target_id: what }) =>
      kind === 'user' ? `${id} ${what}` : `${kind} ${what}`,
    );
    const attemptsOf = ({ id }: Actor) => [`${id} contract.set`, `${id} contract.upload`];
    expect(attempts.sort()).toEqual([...attemptsOf(local), ...attemptsOf(analyst), 'api_key contract.set'].sort());
  });

  it('are written by the own Admins where nobody manages the tenant', async () => {
    const own = await server.createActor({ home: provider, roles: { [provider]: 'Admin' } });
    const answer = await call('PUT', path('', provider), own, dates);
    expect(answer.json()).toMatchObject({ editable: true, seats: 25 });
  });

  it('count as used seats the people of the tenant, not those of its provider', async () => {
    await withContract();
    const gone = await server.createActor({ home: customer, roles: { [customer]: 'ReadOnly' } });
    await server.stores.database.system(async (tx) => {
      await tx
        .updateTable('membership')
        .set({ source: 'provider' })
        .where('user_id', '=', owner.id)
        .where('tenant_id', '=', customer)
        .execute();
      await server.composition.tenants.setUserStatus(tx, gone.id, 'disabled', by);
    });
    expect((await call('GET', path(), local)).json<Contract>().seats_used).toBe(1);
    const invited = { email: 'new@example.com', fullname: 'New', role: 'Analyst' };
    const answer = await call('PUT', `/api/tenants/${customer}/users`, local, invited);
    expect(answer.statusCode).toBeLessThan(300);
    expect((await call('GET', path(), local)).json<Contract>().seats_used).toBe(2);
    await server.stores.database.system((tx) =>
      tx
        .updateTable('invitation')
        .set({ expires_at: new Date(clock) })
        .where('tenant_id', '=', customer)
        .execute(),
    );
    expect((await call('GET', path(), local)).json<Contract>().seats_used).toBe(1);
  });

  it('are not written over by a form that was made from what somebody else has changed since', async () => {
    await withContract();
    const more = { ...dates, seats: 30 };
    expect((await call('PUT', path(), owner, { ...more, replaces: dates })).json()).toMatchObject(more);
    const longer = { ...dates, end_date: '2028-01-01' };
    const late = await call('PUT', path(), owner, { ...longer, replaces: dates });
    expect(late.statusCode).toBe(409);
    expect(late.json()).toMatchObject(overtaken);
    expect((await call('GET', path(), local)).json()).toMatchObject(more);
    const both = { ...longer, seats: 30 };
    expect((await call('PUT', path(), owner, { ...both, replaces: more })).json()).toMatchObject(both);
    // Who does not say what it was made from writes over it, as clients before could only do.
    expect((await call('PUT', path(), owner, dates)).json()).toMatchObject(dates);
    expect(await recorded('contract.set')).toEqual([dates, more, both, dates]);
  });

  it('that were saved though the answer was lost are taken again', async () => {
    await withContract();
    const change = { ...dates, renewal_notice_date: null, seats: null, replaces: dates };
    for (const _time of [1, 2]) expect((await call('PUT', path(), owner, change)).statusCode).toBe(200);
  });

  it('that were entered as the first though the answer was lost are taken again', async () => {
    for (const _time of [1, 2]) {
      expect((await call('PUT', path(), owner, { ...dates, replaces: null })).statusCode).toBe(200);
    }
    const other = await call('PUT', path(), owner, { ...dates, seats: null, replaces: null });
    expect(other.json()).toMatchObject(overtaken);
  });

  it('that two people enter as the first at the same moment are those of one; the other is told', async () => {
    const first = [1, 2, 3, 4, 5, 6].map((seats) => ({ ...dates, seats, replaces: null }));
    const answers = await together(path(), owner, first);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    for (const { status, body } of answers) if (status === 409) expect(body).toMatchObject(overtaken);
    const taken = answers.find(({ status }) => status === 200)?.body;
    expect((await call('GET', path(), owner)).json()).toEqual(taken);
    expect(await recorded('contract.set')).toEqual([{ ...dates, seats: taken?.seats }]);
  });

  it('that two people change at the same moment are those of one; the other is told', async () => {
    await withContract();
    const changes = [1, 2, 3, 4, 5, 6].map((seats) => ({ ...dates, seats, replaces: dates }));
    const answers = await together(path(), owner, changes);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect((await call('GET', path(), owner)).json()).toEqual(answers.find(({ status }) => status === 200)?.body);
  });

  it('that replace some which never were are refused and leave nothing', async () => {
    const answer = await call('PUT', path(), owner, { ...dates, replaces: { ...dates, seats: 1 } });
    expect(answer.json()).toMatchObject(overtaken);
    expect((await call('GET', path(), owner)).json()).toMatchObject({ code: 'NOT_FOUND' });
    expect(await recorded('contract.set')).toEqual([]);
  });

  it.each([
    { end_date: '2025-01-01' },
    { start_date: '2026-02-30' },
    { start_date: '0000-01-01' },
    { start_date: '21/11/2026' },
    { seats: 0 },
    { sku_name: 'Free' },
    { tenant: v7() },
    { replaces: { ...dates, start_date: '21/11/2026' } },
    { replaces: { ...dates, sku_name: 'Free' } },
    { replaces: {} },
  ])('refuse %j', async (change) => {
    expect((await call('PUT', path(), owner, { ...dates, ...change })).json()).toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });
});

describe('files of a contract', () => {
  it('are in the store once when the same upload comes again, and not at all under a used key', async () => {
    await call('PUT', path(), owner, dates);
    const before = (await stored()).length;
    const headers = { 'idempotency-key': 'once' };
    const answers = [await upload(pdf, { headers }), await upload(pdf, { headers })];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    expect(answers[1]?.json()).toEqual(answers[0]?.json());
    const other = await upload(Buffer.concat([pdf, pdf]), { headers });
    expect(other.json()).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect((await stored()).length).toBe(before + 1);
  });

  it('are answered again when the file took the last place', async () => {
    await call('PUT', path(), owner, dates);
    const headers = { 'idempotency-key': 'last' };
    for (let n = 1; n < 100; n++) expect((await upload(pdf)).statusCode).toBe(201);
    const last = await upload(pdf, { headers });
    expect(last.statusCode).toBe(201);
    const before = await stored();
    expect((await upload(pdf, { headers })).json()).toEqual(last.json());
    expect((await upload(pdf)).json()).toMatchObject({ code: 'CONFLICT' });
    expect(await stored()).toEqual(before);
  });

  it('stay in the store when nobody knows whether they have their row', async () => {
    await call('PUT', path(), owner, dates);
    const before = (await stored()).length;
    const { database } = server.stores;
    const commit = database.tenant.bind(database);
    const headers = { 'idempotency-key': 'lost' };
    vi.spyOn(database, 'tenant').mockImplementationOnce(async (tenant, work) => {
      await commit(tenant, work);
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    });
    const answer = await upload(pdf, { headers });
    expect(answer.json()).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    const again = await upload(pdf, { headers });
    expect((await call('GET', path(), owner)).json<Contract>().files).toEqual([again.json()]);
    expect((await stored()).length).toBe(before + 1);
  });

  it('that come slowly keep nothing else of the tenant waiting', async () => {
    await call('PUT', path(), owner, dates);
    const { port } = new URL(origin);
    const head = [
      `POST ${path('/files?name=Slow')} HTTP/1.1`,
      'host: x',
      `authorization: ${owner.headers.authorization}`,
    ];
    const type = ['content-type: application/pdf', 'content-length: 100'];
    const sockets = [1, 2, 3, 4].map(() => connect(Number(port), '127.0.0.1'));
    for (const socket of sockets) socket.write(`${[...head, ...type].join('\r\n')}\r\n\r\n%PDF-1.4`);
    await expect.poll(() => scanner.open()).toBe(2);
    expect((await call('GET', path(), owner)).statusCode).toBe(200);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => scanner.open()).toBe(0);
  });

  it('are downloaded under their names through a link, as something to save', async () => {
    const id = await withFile('Vertrag "2026" – Müller; x=1');
    const url = await linkTo(id);
    expect(url).toMatch(/^\/files\/[A-Za-z0-9_-]{50,120}$/);
    const answer = await server.inject({ url });
    expect(answer.rawPayload.equals(pdf)).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(pdf.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    });
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="contract.pdf"; filename*=UTF-8''Vertrag%20-2026-%20%E2%80%93%20M%C3%BCller%3B%20x%3D1.pdf`,
    );
  });

  it('are behind the link for two minutes and not a moment longer', async () => {
    const url = await linkTo(await withFile());
    clock += 119_999;
    expect((await server.inject({ url })).statusCode).toBe(200);
    clock += 1;
    expect((await server.inject({ url })).json()).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are behind no link that was changed anywhere', async () => {
    const url = await linkTo(await withFile());
    const link = url.slice('/files/'.length);
    for (let at = 0; at < link.length; at += 3) {
      const other = link[at] === 'A' ? 'B' : 'A';
      const answer = await server.inject({ url: `/files/${link.slice(0, at)}${other}${link.slice(at + 1)}` });
      expect(answer.statusCode).toBe(404);
    }
    for (const wrong of [`${link}A`, link.slice(1), `${link}=`, 'x', '..%2f..%2fetc%2fpasswd', 'x'.repeat(4096)]) {
      expect((await server.inject({ url: `/files/${wrong}` })).statusCode).toBe(404);
    }
  });

  it.each(['..%2f..%2fidentity.secret', '%252e%252e%252f', '%2fetc%2fpasswd', '%00', 'x'.repeat(4096), v7()])(
    'are not found as %s',
    async (name) => {
      await withFile();
      expect((await call('GET', path(`/download/${name}`), local)).statusCode).toBe(404);
    },
  );

  it('of another tenant are not found, and cannot be removed', async () => {
    const id = await withFile();
    const stranger = await server.createActor({ home: provider, roles: { [provider]: 'Admin' } });
    for (const [method, rest] of [
      ['GET', `/download/${id}`],
      ['DELETE', `/files/${id}`],
    ] as const) {
      expect((await call(method, path(rest, provider), stranger)).json()).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect((await server.inject({ url: await linkTo(id) })).statusCode).toBe(200);
  });

  it('are gone with their row, for links that are still good too', async () => {
    const id = await withFile();
    const url = await linkTo(id);
    expect((await call('DELETE', path(`/files/${id}`), local)).json()).toMatchObject({ code: 'ROLE_TOO_LOW' });
    expect((await call('DELETE', path(`/files/${id}`), owner)).statusCode).toBe(204);
    expect((await server.inject({ url })).statusCode).toBe(404);
    expect(await stored()).not.toContain(id);
  });

  it('must be PDF, by type and by content', async () => {
    await withContract();
    const before = await stored();
    const html = Buffer.from('<script>alert(1)</script>');
    for (const answer of [
      await upload(pdf, { type: 'text/html' }),
      await upload(pdf, { type: 'application/json' }),
      await upload(html),
      await upload(Buffer.from('%PD')),
      await upload(Buffer.alloc(0)),
    ]) {
      expect(answer.json()).toMatchObject({ code: 'MEDIA_TYPE_UNSUPPORTED' });
    }
    expect(await stored()).toEqual(before);
  });

  it('are shown to the malware scanner whole before they are kept, and what it finds is refused and on record', async () => {
    await withContract();
    const before = await stored();
    const infected = Buffer.concat([pdf, Buffer.alloc(300_000), Buffer.from(MALWARE_MARK)]);
    const answer = await upload(infected, { name: 'Invoice' });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ code: 'FILE_INFECTED' });
    expect(await stored()).toEqual(before);
    expect((await call('GET', path(), owner)).json<Contract>().files).toEqual([]);
    expect((await upload(pdf)).statusCode).toBe(201);
    expect([infected, pdf].map((file, n) => scanner.seen.at(n - 2)?.equals(file))).toEqual([true, true]);
    const refused = await server.stores.database.tenant(customer, (tx) =>
      tx
        .selectFrom('audit_record')
        .select(['actor_id', 'target_id', 'code'])
        .where('outcome', '=', 'refused')
        .execute(),
    );
    expect(refused).toEqual([{ actor_id: owner.id, target_id: 'contract.upload', code: 'FILE_INFECTED' }]);
  });

  it('must not be larger than the limit, whatever the length said', async () => {
    await withContract();
    const before = await stored();
    const large = Buffer.concat([pdf, Buffer.alloc(limits.contractFileMaxBytes)]);
    expect((await upload(large)).json()).toMatchObject({ code: 'BODY_TOO_LARGE' });
    const chunks = new ReadableStream({
      start: (controller) => controller.enqueue(pdf),
      pull: (controller) => controller.enqueue(Buffer.alloc(1_048_576)),
    });
    const answer = await fetch(`${origin}${path('/files?name=endless')}`, {
      method: 'POST',
      headers: { ...owner.headers, 'content-type': 'application/pdf' },
      body: chunks,
      duplex: 'half',
    } as RequestInit).catch(() => undefined);
    expect([413, undefined]).toContain(answer?.status);
    expect(await stored()).toEqual(before);
    expect((await call('GET', path(), owner)).json<Contract>().files).toEqual([]);
  });

  it('exactly at the limit are taken, and need a contract', async () => {
    const whole = Buffer.concat([pdf, Buffer.alloc(limits.contractFileMaxBytes - pdf.length)]);
    expect((await upload(whole)).json()).toMatchObject({ code: 'NOT_FOUND' });
    await withContract();
    expect((await upload(whole)).json()).toMatchObject({ size_bytes: limits.contractFileMaxBytes });
  });

  it('left by a crash between file and row are swept, the others stay', async () => {
    const id = await withFile();
    const orphan = v7();
    await server.composition.files.put(
      orphan,
      (async function* () {
        yield pdf;
      })(),
    );
    const old = new Date(clock - 2 * 3_600_000);
    for (const name of [id, orphan]) await utimes(join(filesFolder(), name), old, old);
    await server.composition.contract.sweep();
    expect(await stored()).toContain(id);
    expect(await stored()).not.toContain(orphan);
  });
});

describe('billing information', () => {
  it('is empty at first and then what an Admin entered', async () => {
    const empty = Object.fromEntries(Object.keys(billing).map((name) => [name, '']));
    expect((await call('GET', path('/billing'), local)).json()).toEqual({ ...empty, tenant: customer });
    expect((await call('PUT', path('/billing'), local, billing)).json()).toEqual({ ...billing, tenant: customer });
    expect((await call('GET', path('/billing'), local)).json()).toEqual({ ...billing, tenant: customer });
  });

  it('is not written over by a form that was made from what somebody else has changed since', async () => {
    const read = async () => {
      const { tenant: _, ...texts } = (await call('GET', path('/billing'), local)).json<Billing>();
      return texts;
    };
    const put = (payload: object) => call('PUT', path('/billing'), local, payload);
    const empty = await read();
    expect((await put({ ...billing, replaces: empty })).statusCode).toBe(200);
    const moved = { ...billing, city: 'Elsewhere' };
    const late = await put({ ...moved, replaces: empty });
    expect(late.statusCode).toBe(409);
    expect(late.json()).toMatchObject(overtaken);
    expect(await read()).toEqual(billing);
    expect((await put({ ...moved, replaces: billing })).json()).toMatchObject(moved);
    // Who does not say what it was made from writes over it, as clients before could only do.
    expect((await put(billing)).json()).toMatchObject(billing);
    expect(await recorded('billing.set')).toEqual([{}, {}, {}]);
  });

  it('that was saved though the answer was lost is taken again, also with a letter the store does not take', async () => {
    const empty = Object.fromEntries(Object.keys(billing).map((name) => [name, '']));
    const change = { ...billing, city: 'Ex\u0000ample', replaces: empty };
    for (const _time of [1, 2]) expect((await call('PUT', path('/billing'), local, change)).statusCode).toBe(200);
  });

  it('that two people enter as the first at the same moment is that of one; the other is told', async () => {
    const empty = Object.fromEntries(Object.keys(billing).map((name) => [name, '']));
    const first = ['A', 'B', 'C', 'D', 'E', 'F'].map((city) => ({ ...billing, city, replaces: empty }));
    const answers = await together(path('/billing'), local, first);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    for (const { status, body } of answers) if (status === 409) expect(body).toMatchObject(overtaken);
    expect((await call('GET', path('/billing'), local)).json()).toEqual(
      answers.find(({ status }) => status === 200)?.body,
    );
  });

  it('takes no tenant and no address that is none', async () => {
    for (const change of [
      { tenant: provider },
      { contact_email: 'x\r\ny@example.com' },
      { address: 'x'.repeat(201) },
      { replaces: null },
      { replaces: {} },
      { replaces: { ...billing, tenant: customer } },
    ]) {
      const answer = await call('PUT', path('/billing'), local, { ...billing, ...change });
      expect(answer.json()).toMatchObject({ code: 'VALIDATION_FAILED' });
    }
  });
});
