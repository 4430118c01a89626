import type { PolicyPublished } from '@airdeck/contracts/policies/schema';
import { type RawBuilder, sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventRow } from '../../storage/test-events.ts';
import { calledWithin } from '../../storage/test-waiting.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { guessingRule } from '../detection/detection-fixture.ts';
import { announcePolicyChange } from './policies-repository.ts';
import { createPoliciesServer, named, sigmaRule } from './policies-server-fixture.ts';

let policies: Awaited<ReturnType<typeof createPoliciesServer>>;

beforeAll(async () => {
  policies = await createPoliciesServer();
}, 120_000);
afterAll(() => policies.close());

const workspace = () => policies.workspace();

describe('matching nearly everything', () => {
  test('is asked about with the measured rate before it is switched on, each time the rule changes', async () => {
    const { tenant, call, create } = await workspace();
    await policies.server.stores.events.insert(
      Array.from({ length: 2_000 }, (_, n) => eventRow({ tenant, outcome: n % 4 === 0 ? 'success' : 'failure' })),
    );
    const { id } = await create(guessingRule());
    const asked = await call('PUT', `/${id}`, { enabled: true });
    expect(asked).toMatchObject({ status: 449, body: { code: 'CONFIRMATION_REQUIRED' } });
    expect(asked.body.confirm.text).toContain('75%');
    expect(asked.body.confirm.text).toContain('1,500 of 2,000');
    expect((await call('GET', `/${id}`)).body.enabled).toBe(false);
    const confirmed = { headers: { 'x-air-confirm': 'true' } };
    expect((await call('PUT', `/${id}`, { enabled: true }, confirmed)).body.enabled).toBe(true);
    // Without a new question the header alone opens nothing.
    const wider = guessingRule({ filter_criteria: [{ field: 'user', operator: 'exists' }] });
    expect((await call('PUT', `/${id}`, { rule: wider }, confirmed)).status).toBe(449);
    const narrow = guessingRule({ filter_criteria: [{ field: 'outcome', operator: 'equals', value: 'unknown' }] });
    expect((await call('PUT', `/${id}`, { rule: narrow })).status).toBe(200);
    expect((await call('POST', '', { rule: named('New'), enabled: true })).status).toBe(449);
  });

  test('is asked about in a quiet tenant where all there is matches, or it would open a case of everything that comes', async () => {
    const { tenant, call, create } = await workspace();
    const send = (count: number, outcome: string) =>
      policies.server.stores.events.insert(Array.from({ length: count }, () => eventRow({ tenant, outcome })));
    await send(49, 'failure');
    const { id } = await create(guessingRule());
    expect((await call('PUT', `/${id}`, { enabled: true })).status, 'too few to say').toBe(200);
    await call('PUT', `/${id}`, { enabled: false });
    await send(1, 'failure');
    const asked = await call('PUT', `/${id}`, { enabled: true });
    expect(asked).toMatchObject({ status: 449, body: { code: 'CONFIRMATION_REQUIRED' } });
    expect(asked.body.confirm.text).toContain('100%');
    expect(asked.body.confirm.text).toContain('50 of 50');
    await send(1, 'success');
    expect((await call('PUT', `/${id}`, { enabled: true })).status, 'one of them does not match').toBe(200);
  });

  test('is asked about before a publication puts it to work at a customer, as measured there', async () => {
    const { tenant, call, create } = await workspace();
    const [busy, quiet] = [
      await policies.server.createTenant({ name: 'Busy customer' }),
      await policies.server.createTenant(),
    ];
    await policies.server.stores.events.insert(
      Array.from({ length: 2_000 }, () => eventRow({ tenant: busy, outcome: 'failure' })),
    );
    const as = await policies.server.createActor({
      home: tenant,
      roles: { [tenant]: 'Analyst', [busy]: 'Analyst', [quiet]: 'Analyst' },
    });
    const { id } = await create(named('Everything'));
    const publish = (order: object, headers = {}) =>
      call('POST', '/publish', { id, tenants: [busy, quiet], ...order }, { as, headers });
    const confirmed = { 'x-air-confirm': 'true' };
    const asked = await publish({ enabled: true });
    expect(asked).toMatchObject({ status: 449, body: { code: 'CONFIRMATION_REQUIRED' } });
    expect(asked.body.confirm.text).toContain('Busy customer: 100%');
    expect((await call('GET', '', undefined, { as, in: busy })).body.total).toBe(0);
    expect((await call('GET', '', undefined, { as, in: quiet })).body.total).toBe(0);
    // The question was about these tenants and no others.
    expect((await publish({ enabled: true, tenants: [busy] }, confirmed)).status).toBe(449);
    expect(
      (await publish({ enabled: true }, confirmed)).body.tenants.map(({ status }: { status: string }) => status),
    ).toEqual(['created', 'created']);
    expect((await publish({})).status).toBe(200);
    await call('PUT', `/${id}`, { rule: named('Everything', { severity: 'low' }) });
    expect((await publish({})).status).toBe(449);
    expect((await publish({ tenants: [quiet] })).status).toBe(200);
  });

  test('is asked about before an import gives it to a policy that is on', async () => {
    const { tenant, call } = await workspace();
    await policies.server.stores.events.insert(
      Array.from({ length: 2_000 }, () => eventRow({ tenant, integration: 'acme', fields: { result: 'accepted' } })),
    );
    const text = sigmaRule(v7(), 'Widened');
    const imported = (word: string, options = {}) => {
      const files = [{ name: 'rule.yml', text: text.replace('denied', word) }];
      return call('POST', '/import', { files, replace: true }, options);
    };
    const id = (await imported('denied')).body.rules[0].policy_id;
    expect((await imported('accepted')).status).toBe(200);
    expect((await imported('refused')).status).toBe(200);
    await call('PUT', `/${id}`, { enabled: true });
    const asked = await imported('accepted');
    expect(asked).toMatchObject({ status: 449, body: { code: 'CONFIRMATION_REQUIRED' } });
    expect(asked.body.confirm.text).toContain('Widened: 100%');
    expect(JSON.stringify((await call('GET', `/${id}`)).body.rule)).not.toContain('accepted');
    const key = { headers: { 'idempotency-key': v7(), 'x-air-confirm': 'true' } };
    const done = await imported('accepted', key);
    expect(done.status).toBe(200);
    // Sent again because its answer was lost: what was answered needs no second question.
    expect(await imported('accepted', key)).toEqual(done);
  });
});

test('a broad policy that was made, and whose answer was lost, is answered again without a question', async () => {
  const { tenant, call } = await workspace();
  await policies.server.stores.events.insert(
    Array.from({ length: 2_000 }, () => eventRow({ tenant, outcome: 'failure' })),
  );
  const body = { rule: named('Broad'), enabled: true };
  const key = { headers: { 'idempotency-key': v7(), 'x-air-confirm': 'true' } };
  expect((await call('POST', '', body)).status).toBe(449);
  const made = await call('POST', '', body, key);
  expect(made.status).toBe(201);
  expect((await call('POST', '', body, key)).body).toEqual(made.body);
});

describe('a policy that is switched on while somebody gives it another rule', () => {
  /** Changes it in a transaction that ends once the call waits for it. */
  async function whileChanged<T>(tenant: string, change: RawBuilder<unknown>, call: () => Promise<T>): Promise<T> {
    const { answer } = await policies.server.stores.database.tenant(tenant, async (tx) => {
      await announcePolicyChange(tx, trustedTenantScope(tenant));
      await sql`update policy set ${change}`.execute(tx);
      return await calledWithin(tx, call);
    });
    return await answer;
  }
  const whileSwitchedOn = <T>(tenant: string, id: string, call: () => Promise<T>) =>
    whileChanged(tenant, sql`enabled = true where id = ${id}`, call);

  const refused = (name: string) => ({
    status: 409,
    body: { code: 'CONFLICT', message: expect.stringContaining(`switched “${name}” on or changed it`) },
  });

  test('keeps its own: nobody was asked whether the other matches nearly everything', async () => {
    const { tenant, call, create } = await workspace();
    const { id } = await create(named('Raced'));
    await call('PUT', `/${id}`, { rule: named('Raced', { severity: 'low' }) });
    const again = { rule: named('Raced', { severity: 'critical' }) };
    expect(await whileSwitchedOn(tenant, id, () => call('PUT', `/${id}`, again))).toMatchObject(refused('Raced'));
    await call('PUT', `/${id}`, { enabled: false });
    const back = () => call('POST', `/${id}/roll_back`, { version: 1 });
    expect(await whileSwitchedOn(tenant, id, back)).toMatchObject(refused('Raced'));
    expect((await call('GET', `/${id}`)).body).toMatchObject({ enabled: true, rule: { severity: 'low' } });
    expect(await back()).toMatchObject({ status: 200, body: { rule: { severity: 'high' } } });
  });

  test('may be renamed: that matches no more than before', async () => {
    const { tenant, call, create } = await workspace();
    const { id } = await create(named('Raced'));
    const rename = () => call('PUT', `/${id}`, { rule: named('Renamed') });
    expect(await whileSwitchedOn(tenant, id, rename)).toMatchObject({ status: 200, body: { enabled: true } });
  });

  test('is switched on with the rule that was measured, not with one it was given meanwhile', async () => {
    const { tenant, call, create } = await workspace();
    const { id } = await create(named('Raced'));
    const changed = JSON.stringify(named('Raced', { severity: 'low' }));
    const switchOn = () => call('PUT', `/${id}`, { enabled: true });
    const change = sql`rule = ${changed}::jsonb where id = ${id}`;
    expect(await whileChanged(tenant, change, switchOn)).toMatchObject(refused('Raced'));
    expect((await switchOn()).status).toBe(200);
  });

  test('is not renewed by an import, which then stores nothing', async () => {
    const { tenant, call } = await workspace();
    const text = sigmaRule(v7(), 'Raced');
    const imported = (word: string) => {
      const files = [{ name: 'rule.yml', text: text.replace('denied', word) }];
      return call('POST', '/import', { files, replace: true });
    };
    const id = (await imported('denied')).body.rules[0].policy_id;
    expect(await whileSwitchedOn(tenant, id, () => imported('accepted'))).toMatchObject(refused('Raced'));
    expect(JSON.stringify((await call('GET', `/${id}`)).body.rule)).toContain('denied');
  });

  test('refuses a publication, which other tenants get', async () => {
    const { tenant, call, create } = await workspace();
    const [raced, other] = [await policies.server.createTenant(), await policies.server.createTenant()];
    const roles = { [tenant]: 'Analyst', [raced]: 'Analyst', [other]: 'Analyst' } as const;
    const as = await policies.server.createActor({ home: tenant, roles });
    const { id } = await create(named('Raced'));
    const publish = async () => {
      const { body } = await call('POST', '/publish', { id, tenants: [raced, other] }, { as });
      return (body as PolicyPublished).tenants;
    };
    const copy = (await publish())[0]?.policy_id ?? '';
    await call('PUT', `/${id}`, { rule: named('Raced', { severity: 'low' }) });
    expect(await whileSwitchedOn(raced, copy, publish)).toMatchObject([
      { status: 'refused', reason: expect.stringContaining('“Raced” on') },
      { status: 'updated' },
    ]);
    expect((await publish()).map(({ status }) => status)).toEqual(['updated', 'unchanged']);
  });
});
