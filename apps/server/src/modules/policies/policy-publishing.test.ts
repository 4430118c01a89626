import { sigmaImportedSchema } from '@airdeck/contracts/policies/import-schema';
import { policyPublicationsSchema } from '@airdeck/contracts/policies/publication-schema';
import { policyPublishedSchema } from '@airdeck/contracts/policies/schema';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPoliciesServer, named, sigmaRule } from './policies-server-fixture.ts';

let policies: Awaited<ReturnType<typeof createPoliciesServer>>;

beforeAll(async () => {
  policies = await createPoliciesServer();
}, 120_000);
afterAll(() => policies.close());

const workspace = () => policies.workspace();

describe('publishing', () => {
  test('to tenants the caller may manage, keeping what a tenant made of its copy', async () => {
    const { tenant, call, create } = await workspace();
    const [mine, foreign, second] = [
      await policies.server.createTenant(),
      await policies.server.createTenant(),
      await policies.server.createTenant(),
    ];
    const manager = await policies.server.createActor({
      home: tenant,
      roles: { [tenant]: 'Analyst', [mine]: 'Analyst', [second]: 'ReadOnly' },
    });
    const { id } = await create(named('For all'));
    const publish = async () => {
      const order = { id, tenants: [mine, foreign, second, tenant] };
      const answer = await call('POST', '/publish', order, { as: manager });
      return policyPublishedSchema.parse(answer.body).tenants;
    };
    const first = await publish();
    expect(first.map(({ status }) => status)).toEqual(['created', 'refused', 'refused', 'refused']);
    const copy = first[0]?.policy_id ?? '';
    const there = { as: manager, in: mine };
    expect((await call('GET', `/${copy}`, undefined, there)).body).toMatchObject({
      ...{ origin: 'provider', enabled: false, published: { overridden: false }, rule: { name: 'For all' } },
    });
    expect((await publish())[0]?.status).toBe('unchanged');
    await call('PUT', `/${copy}`, { enabled: true }, there);
    await call('PUT', `/${id}`, { rule: named('For all', { severity: 'critical' }) });
    expect((await publish())[0]?.status).toBe('updated');
    expect((await call('GET', `/${copy}`, undefined, there)).body).toMatchObject({
      ...{ enabled: true, rule: { severity: 'critical' } },
    });
    await call('PUT', `/${copy}`, { rule: named('For all', { severity: 'low' }) }, there);
    await call('PUT', `/${id}`, { rule: named('For all', { severity: 'high' }) });
    expect((await publish())[0]?.status).toBe('kept');
    expect((await call('GET', `/${copy}`, undefined, there)).body.published).toEqual({ overridden: true });
  });
});

test('a copy follows the name of its policy with the next publication, numbered where the customer has that name', async () => {
  const { tenant, call, create } = await workspace();
  const mine = await policies.server.createTenant();
  await policies.server.stores.database.system((tx) =>
    tx.updateTable('tenant').set({ managed_by: tenant }).where('id', '=', mine).execute(),
  );
  const as = await policies.server.createActor({ home: tenant, roles: { [tenant]: 'Analyst', [mine]: 'Analyst' } });
  const there = { as, in: mine };
  const { id } = await create(named('Old name'));
  const published = async () => {
    const { body } = await call('POST', '/publish', { id, tenants: [mine] }, { as });
    return policyPublishedSchema.parse(body).tenants[0];
  };
  const stands = async () => {
    const { body } = await call('GET', `/${id}/publications`, undefined, { as });
    return policyPublicationsSchema.parse(body).tenants[0]?.copy;
  };
  const copy = (await published())?.policy_id;
  const name = async () => (await call('GET', `/${copy}`, undefined, there)).body.rule.name;
  await call('PUT', `/${id}`, { rule: named('New name') });
  expect(await stands()).toMatchObject({ is_current: false, published_version: 1 });
  expect((await published())?.status).toBe('updated');
  expect(await name()).toBe('New name');
  expect(await stands()).toMatchObject({ is_current: true, published_version: 2 });
  await call('POST', '', { rule: named('Taken'), enabled: false }, there);
  await call('PUT', `/${id}`, { rule: named('Taken') });
  expect((await published())?.status).toBe('updated');
  expect(await name()).toBe('Taken (2)');
  expect(await stands()).toMatchObject({ is_current: true, published_version: 3 });
  expect((await published())?.status).toBe('unchanged');
  await call('PUT', `/${copy}`, { rule: named('Ours') }, there);
  await call('PUT', `/${id}`, { rule: named('Newest') });
  expect((await published())?.status).toBe('kept');
  expect(await name()).toBe('Ours');
});

test('a copy whose rule the customer imports again is theirs from then on', async () => {
  const { tenant, call } = await workspace();
  const mine = await policies.server.createTenant();
  await policies.server.stores.database.system((tx) =>
    tx.updateTable('tenant').set({ managed_by: tenant }).where('id', '=', mine).execute(),
  );
  const as = await policies.server.createActor({ home: tenant, roles: { [tenant]: 'Analyst', [mine]: 'Analyst' } });
  const text = sigmaRule(v7(), 'Shared');
  const imported = async (change: string, options = {}) => {
    const files = [{ name: 'shared.yml', text: text.replace('denied', change) }];
    const { body } = await call('POST', '/import', { files, replace: true }, { as, ...options });
    return sigmaImportedSchema.parse(body).rules[0]?.policy_id;
  };
  const id = await imported('denied');
  const publish = async () => {
    const { body } = await call('POST', '/publish', { id, tenants: [mine] }, { as });
    return policyPublishedSchema.parse(body).tenants[0];
  };
  const copy = (await publish())?.policy_id;
  expect(await imported('refused', { in: mine })).toBe(copy);
  await imported('rejected');
  expect((await publish())?.status).toBe('kept');
});

describe('publications', () => {
  test('say how each customer the caller works in stands, and nothing of others', async () => {
    const { tenant, call, create } = await workspace();
    const names = ['Ahorn', 'birch', 'Cedar', 'Dogwood', 'Elsewhere'] as const;
    const [ahorn, birch, cedar, dogwood, elsewhere] = await Promise.all(
      names.map((name) => policies.server.createTenant({ name })),
    );
    const managed = [ahorn, birch, cedar, dogwood].filter((id) => id !== undefined);
    await policies.server.stores.database.system((tx) =>
      tx.updateTable('tenant').set({ managed_by: tenant }).where('id', 'in', managed).execute(),
    );
    const [a = '', b = '', c = '', e = ''] = [ahorn, birch, cedar, elsewhere];
    const as = await policies.server.createActor({
      home: tenant,
      // Dogwood is managed too, but not theirs; Elsewhere is theirs, but not managed.
      roles: { [tenant]: 'Analyst', [a]: 'Analyst', [b]: 'Analyst', [c]: 'ReadOnly', [e]: 'Admin' },
    });
    const { id } = await create(named('For customers'));
    const listed = async () => {
      const { tenants, total } = policyPublicationsSchema.parse(
        (await call('GET', `/${id}/publications`, undefined, { as })).body,
      );
      expect(total).toBe(tenants.length);
      return tenants.map(({ name, can_publish, copy }) => [name, can_publish, copy]);
    };
    expect(await listed()).toEqual([
      ['Ahorn', true, null],
      ['birch', true, null],
      ['Cedar', false, null],
    ]);
    const publish = () => call('POST', '/publish', { id, tenants: [a, b], enabled: true }, { as });
    await publish();
    // Switching counts as a version of the policy, and changes no rule.
    await call('PUT', `/${id}`, { enabled: true });
    const given = { enabled: true, overridden: false, is_current: true, published_version: 2 };
    expect((await listed())[0]).toEqual(['Ahorn', true, expect.objectContaining(given)]);
    const copy = (await listed())[0]?.[2] as { policy_id: string };
    await call('PUT', `/${copy.policy_id}`, { rule: named('Ours', { severity: 'low' }) }, { as, in: a });
    await call('PUT', `/${id}`, { rule: named('For customers', { severity: 'critical' }) });
    expect((await listed()).map(([, , now]) => now)).toEqual([
      expect.objectContaining({ ...given, overridden: true, is_current: false }),
      expect.objectContaining({ ...given, is_current: false }),
      null,
    ]);
    await publish();
    expect((await listed()).map(([, , now]) => now)).toEqual([
      expect.objectContaining({ overridden: true, published_version: 2 }),
      expect.objectContaining({ ...given, published_version: 3 }),
      null,
    ]);
    const { tenant: other, call: callOther } = await workspace();
    expect((await callOther('GET', `/${id}/publications`, undefined, { in: other })).status).toBe(404);
  });
});
