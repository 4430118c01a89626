import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { auditOf, call, callConfirmed } from '../users/users-fixture.ts';

let server: TestServer;
let tenant: string;
let actor: Actor;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server?.close());
beforeEach(async () => {
  tenant = await server.createTenant();
  await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  actor = await server.createActor({ home: tenant, roles: { [tenant]: 'ReadOnly' } });
});

const url = '/me/home_layout';
const widget = (type: string, data: object = {}) => ({
  id: type,
  type,
  data: { name: 'Log volume', size: 1, period: 'LAST_7_DAYS', ...data },
});
const save = (payload: object, by = actor) => call(server, by, { method: 'PUT', url, payload });
const read = (by = actor) => call(server, by, { url });

describe('the home page of a user', () => {
  it('is the default set until it is saved, and then what was saved last, with a version that counts', async () => {
    expect((await read()).body).toEqual({ version: 0, widgets: null, known: [] });
    const first = { widgets: [widget('log_volume', { size: 2, rows: 3 })], known: ['log_volume', 'low_alerts'] };
    expect(await save(first)).toMatchObject({ status: 200, body: { ...first, version: 1 } });
    const range = { from: '2026-11-01', to: '2026-11-09' };
    const second = { ...first, widgets: [widget('low_alerts', { period: 'CUSTOM', range })] };
    expect((await save(second)).body).toEqual({ ...second, version: 2 });
    expect((await read()).body).toEqual({ ...second, version: 2 });
    expect((await save({ widgets: null, known: [] })).body).toEqual({ version: 3, widgets: null, known: [] });
  });

  it('keeps widgets without a name of their own, and first steps that were put away', async () => {
    const { name: _usual, ...data } = widget('log_volume').data;
    const layout = { widgets: [{ ...widget('log_volume'), data }], known: ['log_volume', `first_steps:${tenant}`] };
    expect((await save(layout)).status).toBe(200);
    expect((await read()).body).toEqual({ ...layout, version: 1 });
  });

  it('gives savings at the same time different versions', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => save({ widgets: [widget('log_volume')], known: [] })),
    );
    expect(answers.map(({ body }) => body.version).sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('is the own one only, the same in every tenant, and audited once at home', async () => {
    const other = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
    await save({ widgets: [widget('log_volume')], known: [] });
    expect((await read(other)).body).toMatchObject({ version: 0 });
    const records = await auditOf(server, tenant, 'home-layout.save');
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ actor_id: actor.id, data: { version: 1, widgets: ['log_volume'] } });
  });

  it('stores what no database takes as a replacement character', async () => {
    await save({ widgets: [widget('log_volume', { name: 'A\0b' })], known: ['\ud800'] });
    expect((await read()).body).toMatchObject({ widgets: [{ data: { name: 'A�b' } }], known: ['�'] });
  });

  it.each([
    [{ widgets: [widget('log_volume', { size: 0 })], known: [] }],
    [{ widgets: [widget('log_volume', { rows: 9 })], known: [] }],
    [{ widgets: [widget('log_volume', { range: { from: 'yesterday', to: '2026-11-09' } })], known: [] }],
    [{ widgets: [widget('x'.repeat(61))], known: [] }],
    [{ widgets: Array.from({ length: 41 }, (_, index) => widget(`w${index}`)), known: [] }],
    [{ widgets: [{ ...widget('log_volume'), script: 'x' }], known: [] }],
    [{ widgets: [widget('log_volume', { name: '' })], known: [] }],
    [{ widgets: null, known: Array.from({ length: 501 }, (_, index) => `w${index}`) }],
    [{ widgets: null }],
    [{ widgets: null, known: [], version: 7 }],
  ])('does not take %j', async (payload) => {
    expect((await save(payload)).status).toBe(400);
    expect((await read()).body).toMatchObject({ version: 0 });
  });

  it('goes with the account', async () => {
    await save({ widgets: [widget('log_volume')], known: [] });
    const count = () =>
      server.stores.database.system(
        async (tx) =>
          (await tx.selectFrom('home_layout').select('version').where('user_id', '=', actor.id).execute()).length,
      );
    expect(await count()).toBe(1);
    const deleted = await callConfirmed(server, actor, {
      method: 'DELETE',
      url: '/me',
      headers: { 'x-air-confirm-passphrase': actor.email },
    });
    expect(deleted.status).toBe(204);
    expect(await count()).toBe(0);
  });
});
