import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { calledWithin } from '../../storage/test-waiting.ts';

let server: TestServer;
let tenant: string;
let manager: Actor;
const clock = { ms: Date.now() };
const identitySecret = 'x'.repeat(48);

beforeAll(async () => {
  server = await createTestServer({ identitySecret, now: () => new Date(clock.ms) });
  tenant = await server.createTenant();
  manager = await server.createActor({ home: tenant, roles: { [tenant]: 'SystemManager' } });
});
afterAll(() => server.close());

type Options = { as?: Actor; body?: object; confirmed?: boolean; of?: string; key?: string };

async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, options: Options = {}) {
  const { as = manager, body, confirmed = false, of = tenant, key } = options;
  const answer = await server.inject({
    method,
    url: `/api/${of}/event/sources${path}`,
    headers: {
      ...as.headers,
      ...(confirmed ? { 'x-air-confirm': 'true' } : {}),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() };
}

const create = async (kind = 'ndjson') => (await call('POST', '/new', { body: { name: 'Shipper', kind } })).body;
const list = async () => (await call('GET', '')).body as { id: string }[];

async function ingest({ id, token }: { id: string; token: string }): Promise<number> {
  // Beyond what the doors remember of a token.
  clock.ms += 3_000;
  const answer = await server.inject({
    method: 'POST',
    url: `/api/${tenant}/event/ingest/${id}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
    payload: `{"at":${clock.ms}}\nnot json`,
  });
  return answer.statusCode;
}

const audited = async (action: string) =>
  await server.stores.database.tenant(tenant, (tx) =>
    tx.selectFrom('audit_record').selectAll().where('action', '=', action).execute(),
  );

/** As a Graylog automation whose notification sends to the source. */
async function automate(source: string, name: string, enabled = true): Promise<void> {
  const at = new Date();
  await server.stores.database.tenant(tenant, (tx) =>
    tx
      .insertInto('automation_rule')
      .values({
        ...{ id: v7(), tenant_id: tenant, name, connector_id: v7(), source_id: source },
        ...{ definition_id: 'd', definition_title: 'D', responses: '[]', enabled },
        ...{ notification_state: 'attached', request_hash: null, created_at: at, updated_at: at },
        ...{ created_by: 'Test', updated_by: 'Test', owner_user_id: manager.id },
      })
      .execute(),
  );
}

describe('an event source', () => {
  it('is shown with what it accepted and what was refused of it', async () => {
    const source = await create('graylog');
    expect(source).toMatchObject({ kind: 'graylog', dropped_24h: null, rejected_24h: 0, last_event_at: null });
    const shipper = await create();
    expect(await ingest(shipper)).toBe(202);
    const shown = (await list()).find(({ id }) => id === shipper.id);
    expect(shown).toMatchObject({ events_24h: 1, rejected_24h: 1 });
    expect((await create('syslog')).dropped_24h).toBe(0);
  });

  it('tells a clock that is wrong, by how much, and how many events say so', async () => {
    const shipper = await create();
    expect(shipper.clock_24h).toBeNull();
    clock.ms += 3_000;
    const at = (offsetMs: number) => JSON.stringify({ time: new Date(clock.ms + offsetMs).toISOString(), n: offsetMs });
    const hour = 3_600_000;
    const answer = await server.inject({
      method: 'POST',
      url: `/api/${tenant}/event/ingest/${shipper.id}`,
      headers: { authorization: `Bearer ${shipper.token}`, 'content-type': 'application/x-ndjson' },
      payload: [2 * hour, 2 * hour, 2 * hour, -30 * hour, 0, 100 * 24 * hour].map(at).join('\n'),
    });
    expect(answer.statusCode).toBe(202);
    const shown = (await list()).find(({ id }) => id === shipper.id);
    expect(shown).toMatchObject({
      events_24h: 6,
      clock_24h: { ahead: 3, behind: 1, unbelievable: 1, offset_ms: 2 * hour },
    });
  });

  it('is renamed, and the audit says so', async () => {
    const { id } = await create();
    const renamed = await call('PATCH', `/${id}`, { body: { name: '  Firewall HQ ' } });
    expect(renamed).toMatchObject({ status: 200, body: { id, name: 'Firewall HQ' } });
    expect((await audited('source.rename')).at(-1)).toMatchObject({ target_id: id });
    for (const body of [{ name: '' }, { name: 'x'.repeat(101) }, { name: 'a', kind: 'syslog' }, {}]) {
      expect((await call('PATCH', `/${id}`, { body })).status).toBe(400);
    }
  });

  it('gets another token once somebody confirmed it; the old one ends, and nothing keeps the new one', async () => {
    const source = await create();
    const asked = await call('POST', `/${source.id}/token`);
    expect(asked).toMatchObject({ status: 449, body: { confirm: { title: 'Replace the token of Shipper?' } } });
    expect(await ingest(source)).toBe(202);
    const rotated = await call('POST', `/${source.id}/token`, { confirmed: true });
    expect(rotated.status).toBe(200);
    const { token, token_hint } = rotated.body;
    expect([token === source.token, token.endsWith(token_hint)]).toEqual([false, true]);
    expect([await ingest(source), await ingest({ ...source, token })]).toEqual([401, 202]);
    expect(JSON.stringify(await audited('source.rotate_token'))).not.toContain(token);
    expect(JSON.stringify(await list())).not.toContain(token);
  });

  it('keeps a token that somebody gave it while another was to replace the one before', async () => {
    const source = await create();
    const replace = () => call('POST', `/${source.id}/token`, { confirmed: true });
    await call('POST', `/${source.id}/token`);
    const { answer } = await server.stores.database.tenant(tenant, async (tx) => {
      await tx.updateTable('event_source').set({ token_hint: 'n3w1' }).where('id', '=', source.id).execute();
      return await calledWithin(tx, replace);
    });
    expect(await answer).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect((await list()).find(({ id }) => id === source.id)).toMatchObject({ token_hint: 'n3w1' });
    expect((await replace()).status).toBe(449);
  });

  it('has one token, and not more, when many replace it at the same moment', async () => {
    const source = await create();
    await call('POST', `/${source.id}/token`);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', `/${source.id}/token`, { confirmed: true })),
    );
    const tokens = [source.token, ...answers.filter(({ status }) => status === 200).map(({ body }) => body.token)];
    expect(tokens.length).toBeGreaterThan(1);
    const taken: number[] = [];
    for (const token of tokens) taken.push(await ingest({ ...source, token }));
    expect(taken.filter((status) => status === 202)).toHaveLength(1);
  });

  describe('made by a request with an Idempotency-Key', () => {
    const ask = (key: string, name = 'Shipper', as = manager) =>
      call('POST', '/new', { as, key, body: { name, kind: 'ndjson' } });

    it('is answered to the same request with the token that works, which nothing keeps', async () => {
      const before = (await list()).length;
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask('lost answer')));
      expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
      const source = answers[0]?.body;
      expect(await ingest(source)).toBe(202);
      const again = await ask('lost answer');
      expect(again).toMatchObject({ status: 201, body: { token: source.token, events_24h: 1 } });
      expect(await list()).toHaveLength(before + 1);
      const rows = await server.stores.database.tenant(tenant, (tx) =>
        tx.selectFrom('event_source').selectAll().where('id', '=', source.id).execute(),
      );
      expect(JSON.stringify([rows, await audited('source.create')])).not.toContain(source.token);
    });

    it('has a token no other key, name or person gets', async () => {
      const other = await server.createActor({ home: tenant, roles: { [tenant]: 'SystemManager' } });
      const made = [await ask('mine'), await ask('yours'), await ask('mine', 'Shipper', other)];
      expect(new Set(made.map(({ body }) => body.token)).size).toBe(3);
      expect(await ask('mine', 'Another')).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    });

    it('is no answer any more once its token was replaced or it was deleted', async () => {
      const [kept, gone] = [(await ask('kept')).body, (await ask('gone')).body];
      await call('POST', `/${kept.id}/token`);
      const rotated = await call('POST', `/${kept.id}/token`, { confirmed: true });
      expect(rotated.status).toBe(200);
      await call('DELETE', `/${gone.id}`);
      expect((await call('DELETE', `/${gone.id}`, { confirmed: true })).status).toBe(204);
      const before = await list();
      for (const key of ['kept', 'gone'])
        expect(await ask(key)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
      expect(await list()).toHaveLength(before.length);
      expect(await ingest({ ...kept, token: rotated.body.token })).toBe(202);
    });
  });

  it('is deleted once somebody confirmed it: nobody sees it or sends to it, and what it sent still counts', async () => {
    const source = await create();
    await ingest(source);
    expect(await call('DELETE', `/${source.id}`)).toMatchObject({
      status: 449,
      body: { confirm: { title: 'Delete Shipper?' } },
    });
    expect((await call('DELETE', `/${source.id}`, { confirmed: true })).status).toBe(204);
    expect((await list()).map(({ id }) => id)).not.toContain(source.id);
    expect(await ingest(source)).toBe(401);
    for (const [method, path] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/token'],
    ] as const) {
      const body = method === 'PATCH' ? { body: { name: 'x' } } : {};
      expect((await call(method, `/${source.id}${path}`, { confirmed: true, ...body })).status).toBe(404);
    }
    const hours = await server.stores.database.tenant(tenant, (tx) =>
      tx.selectFrom('source_event_hour').selectAll().where('source_id', '=', source.id).execute(),
    );
    expect(hours).toHaveLength(1);
  });

  it.each([
    ['DELETE', '', 'ASK_SOURCE_DELETE_TEXT', 204],
    ['POST', '/token', 'ASK_SOURCE_TOKEN_TEXT', 200],
  ] as const)('names the automations it brings alerts to before %s %s, and asks anew for another', async (...row) => {
    const [method, path, plain, done] = row;
    const { id } = await create('graylog');
    const textOf = async (options: Options = {}) => {
      const answer = await call(method, `/${id}${path}`, options);
      expect(answer.status).toBe(449);
      return answer.body.confirm;
    };
    expect((await textOf()).told.text).toMatchObject([{ reason: plain }]);
    await automate(id, 'Isolate the host');
    const asked = await textOf({ confirmed: true });
    expect(asked.text).toContain('It brings alerts to automation rule "Isolate the host", which start nothing');
    expect(asked.told.text).toMatchObject([
      { reason: plain },
      {
        reason: 'ASK_SOURCE_USED',
        values: { uses: [{ reason: 'USED_BY_AUTOMATION', values: { name: 'Isolate the host' } }] },
      },
    ]);
    await automate(id, 'Ask about the address');
    const uses = 'automation rule "Ask about the address", automation rule "Isolate the host"';
    expect((await textOf({ confirmed: true })).text).toContain(uses);
    expect((await call(method, `/${id}${path}`, { confirmed: true })).status).toBe(done);
  });

  it('names twenty automations and says how many more there are, each of which makes it another question', async () => {
    const { id } = await create('graylog');
    const ask = async (confirmed: boolean) => (await call('DELETE', `/${id}`, { confirmed })).body.confirm?.text;
    await automate(id, 'Switched off', false);
    for (let n = 10; n < 31; n++) await automate(id, `Automation ${n}`);
    const oneMore = /"Automation 29", and 1 more, which start nothing/;
    expect(await ask(false)).toMatch(oneMore);
    await server.stores.database.tenant(tenant, (tx) =>
      tx.updateTable('automation_rule').set({ enabled: false }).where('name', '=', 'Automation 30').execute(),
    );
    await automate(id, 'Not named either');
    expect(await ask(true)).toMatch(oneMore);
    expect((await call('DELETE', `/${id}`, { confirmed: true })).status).toBe(204);
  });

  it('of another tenant is not found, and of a lower role refused', async () => {
    const { id } = await create();
    const elsewhere = await server.createTenant();
    const stranger = await server.createActor({ home: elsewhere, roles: { [elsewhere]: 'Admin' } });
    const analyst = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
    for (const [method, path] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/token'],
    ] as const) {
      const body = method === 'PATCH' ? { body: { name: 'x' } } : {};
      const tries = { confirmed: true, ...body };
      expect((await call(method, `/${id}${path}`, { ...tries, as: stranger, of: elsewhere })).status).toBe(404);
      expect((await call(method, `/${id}${path}`, { ...tries, as: analyst })).status).toBe(403);
    }
    expect((await list()).map((source) => source.id)).toContain(id);
  });
});

describe('a syslog source, of a process for people that opens no door of its own', () => {
  const env = {
    ...{ ROLE: 'api', DATABASE_URL: 'postgresql://db/air', EVENTS_URL: 'http://events:8123' },
    ...{ FILES_URL: 's3://key:secret@files.example.com/air', CONNECTOR_KEYS_FILE: import.meta.filename },
    ...{ IDENTITY_SECRET: identitySecret, PUBLIC_URL: 'https://air.example.com' },
  };

  it('shows the door of the processes that take events in, or the source’s own among them', async () => {
    const shownBy = async (more: Record<string, string>, id: string) => {
      const api = await createTestServer({
        ...{ now: () => new Date(clock.ms), env: { ...env, ...more } },
        besides: { stores: server.stores, identitySecret },
      });
      try {
        const answer = await api.inject({ url: `/api/${tenant}/event/sources`, headers: manager.headers });
        return answer.json<{ id: string; url: string }[]>().find((source) => source.id === id)?.url;
      } finally {
        await api.close();
      }
    };
    const { id } = await create('syslog');
    expect(await shownBy({}, id)).toBe('syslog+tcp://air.example.com:5514');
    const own = { SYSLOG_PUBLIC_HOST: 'logs.example.com', SYSLOG_PORTS: `5601=${id}` };
    expect(await shownBy(own, id)).toBe('syslog+tcp://logs.example.com:5601');
    const shipper = await create('ndjson');
    expect(await shownBy(own, shipper.id)).toBe(`https://air.example.com/api/${tenant}/event/ingest/${shipper.id}`);
  });
});
