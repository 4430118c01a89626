/** Settings of a tenant, its own networks, its people and a provider's customers, as their forms send them. */
import { type CaseSeverity, caseSeverities } from '@airdeck/contracts/statuses';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  customerFieldsOf,
  customerProblemsOf,
  planOf,
} from '../../apps/dashboard/src/features/settings/customers/customer-fields.ts';
import {
  type CaseTimes,
  targetsOf,
  timeProblems,
  timesOf,
} from '../../apps/dashboard/src/features/settings/tenant/case-times.ts';
import { colourOf, readLogo } from '../../apps/dashboard/src/features/settings/tenant/logo-file.ts';
import { inputOf, networkProblem } from '../../apps/dashboard/src/features/settings/tenant/network-list.ts';
import { daysProblem } from '../../apps/dashboard/src/features/settings/tenant/retention-days.ts';
import { roleOptions } from '../../apps/dashboard/src/features/settings/tenant/role-options.ts';
import { billingTextsOf } from '../../apps/dashboard/src/features/settings/term-dates/billing-fields.ts';
import { readTerms, termFieldsOf, termsOf } from '../../apps/dashboard/src/features/settings/term-dates/term-fields.ts';
import { isEmailAddress } from '../../apps/dashboard/src/lib/email-address.ts';
import { caseMutations, caseSettingQueries } from '../../apps/dashboard/src/queries/cases.ts';
import { contractMutations, contractQueries } from '../../apps/dashboard/src/queries/contract.ts';
import { customerMutations, customerQueries } from '../../apps/dashboard/src/queries/customers.ts';
import { ownNetworkMutations, ownNetworkQueries } from '../../apps/dashboard/src/queries/own-networks.ts';
import { type SettingsChange, settingsMutations, settingsQueries } from '../../apps/dashboard/src/queries/settings.ts';
import { userMutations, userQueries } from '../../apps/dashboard/src/queries/users.ts';
import { type JoinedProduct, joinProduct } from './joined-product.ts';

let product: JoinedProduct;

beforeAll(async () => {
  product = await joinProduct('Admin', {
    env: { TENANT_NETWORKS: '10.0.0.0/8,192.168.0.0/16,fd00::/8' },
    isProvider: true,
  });
});
afterAll(() => product?.close());

describe('settings', () => {
  async function saved(change: SettingsChange) {
    const { queryClient, tenantApi } = product;
    const saving = settingsMutations.update(tenantApi, queryClient);
    await queryClient.getMutationCache().build(queryClient, saving).execute(change);
    return await queryClient.fetchQuery({ ...settingsQueries.get(tenantApi), staleTime: 0 });
  }

  const png = Uint8Array.from(
    atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
    (letter) => letter.charCodeAt(0),
  );

  test('keep a brand with a picture and a colour, and nothing of it again', async () => {
    const read = await readLogo(new Blob([png]));
    if (!('logo' in read)) throw new Error(read.problem);
    const brand = { display_name: 'Watchtower', colour: colourOf(' 0B7285 ') ?? '', logo: read.logo };
    expect((await saved({ brand })).brand).toEqual(brand);
    expect((await saved({ brand: { display_name: 'Other' } })).brand).toEqual({ ...brand, display_name: 'Other' });
    const none = { display_name: '', colour: null, logo: null };
    expect((await saved({ brand: none })).brand).toEqual(none);
  });

  test('take the largest picture the form takes', async () => {
    const largest = new Uint8Array(64 * 1024);
    largest.set(png);
    const read = await readLogo(new Blob([largest]));
    if (!('logo' in read)) throw new Error(read.problem);
    expect((await saved({ brand: { logo: read.logo } })).brand.logo).toBe(read.logo);
  });

  test('keep days up to those of the plan', async () => {
    const { retention } = await saved({});
    for (const days of [1, retention.plan_days]) {
      expect(daysProblem(String(days), retention.plan_days)).toBeUndefined();
      expect((await saved({ retention: { days } })).retention.days).toBe(days);
    }
    expect(daysProblem(String(retention.plan_days + 1), retention.plan_days)).toBeDefined();
    await expect(saved({ retention: { days: retention.plan_days + 1 } })).rejects.toThrow();
  });
});

describe('term dates', () => {
  test('say of terms what they were made from, as the server reads it: none at first, then those that are there', async () => {
    const { queryClient, tenantApi } = product;
    const saving = contractMutations.set(tenantApi, queryClient);
    const save = (seats: string, before: Parameters<typeof termsOf>[0]) => {
      const fields = { ...termFieldsOf(before, 'en-US'), start_date: '01/02/2026', end_date: '12/31/2026', seats };
      const { body } = readTerms(fields, 'en-US');
      if (body === undefined) throw new Error('The form does not take it.');
      return queryClient
        .getMutationCache()
        .build(queryClient, saving)
        .execute({ ...body, replaces: termsOf(before) });
    };
    const first = await save('', undefined);
    const second = await save('30', first);
    expect(second).toMatchObject({ start_date: '2026-01-02', end_date: '2026-12-31', seats: 30 });
    await expect(save('40', undefined)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(save('40', first)).rejects.toMatchObject({ code: 'CONFLICT' });
    const now = await queryClient.fetchQuery({ ...contractQueries.terms(tenantApi), staleTime: 0 });
    expect((await save('40', now)).seats).toBe(40);
  });

  test('say of billing information what it was made from, as the server reads it', async () => {
    const { queryClient, tenantApi } = product;
    const saving = contractMutations.setBilling(tenantApi, queryClient);
    const read = () => queryClient.fetchQuery({ ...contractQueries.billing(tenantApi), staleTime: 0 });
    const empty = await read();
    const save = (city: string, before: typeof empty) => {
      const texts = billingTextsOf(before);
      const body = { ...texts, city, replaces: texts };
      return queryClient.getMutationCache().build(queryClient, saving).execute(body);
    };
    expect((await save(' Springfield ', empty)).city).toBe('Springfield');
    await expect(save('Elsewhere', empty)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await save('Elsewhere', await read())).city).toBe('Elsewhere');
  });
});

describe('times of cases', () => {
  const allOf = (respond: string, resolve: string): CaseTimes =>
    Object.fromEntries(caseSeverities.map((severity) => [severity, { respond, resolve }])) as Record<
      CaseSeverity,
      { respond: string; resolve: string }
    >;

  test.each([
    ['15 min', '4 h'],
    ['1 min', '90 d'],
    ['1.5 d', '2,25 d'],
    ['0.5 h', '30'],
    ['', '1 h'],
    ['2 d', ''],
    ['', ''],
  ])('"%s" and "%s" are kept as they are read', async (respond, resolve) => {
    const { queryClient, tenantApi } = product;
    const times = allOf(respond, resolve);
    expect(timeProblems(times)).toEqual({});
    const before = await queryClient.fetchQuery({ ...caseSettingQueries.sla(tenantApi), staleTime: 0 });
    const saving = caseMutations.saveSla(tenantApi, queryClient);
    const save = (shown: CaseTimes, based_on: string | null) =>
      queryClient
        .getMutationCache()
        .build(queryClient, saving)
        .execute({ targets: targetsOf(shown), based_on });
    const stored = await save(times, before.updated_at);
    expect(stored.targets).toEqual(targetsOf(times));
    const again = await save(timesOf(stored), stored.updated_at);
    expect(timesOf(again)).toEqual(timesOf(stored));
  });
});

test('own networks are kept as they are listed, one more after the other', async () => {
  const { queryClient, tenantApi } = product;
  const saving = ownNetworkMutations.put(tenantApi, queryClient);
  for (const network of ['10.1.2.0/24', '10.9.8.7', '192.168.1.0/30', 'fd00:1::/32', 'FD00:2::1', '10.1.3.7/24']) {
    const seen = await queryClient.fetchQuery({ ...ownNetworkQueries.get(tenantApi), staleTime: 0 });
    expect(networkProblem(network, seen)).toBeUndefined();
    const body = inputOf(seen, [...seen.networks, { network, note: `At ${network}` }]);
    const put = await queryClient.getMutationCache().build(queryClient, saving).execute(body);
    expect(put.networks).toHaveLength(seen.networks.length + 1);
    expect(put.networks.every(({ in_force }) => in_force)).toBe(true);
  }
  const seen = await queryClient.fetchQuery({ ...ownNetworkQueries.get(tenantApi), staleTime: 0 });
  const again = await queryClient.getMutationCache().build(queryClient, saving).execute(inputOf(seen, seen.networks));
  expect(again.networks).toEqual(seen.networks);
});

test.each(roleOptions)('somebody is invited as $label, and renamed', async ({ value: role }) => {
  const { queryClient, tenantApi } = product;
  const email = `${role.toLowerCase()}+of.tenant@sub.example.com`;
  expect(isEmailAddress(email)).toBe(true);
  const inviting = userMutations.invite(tenantApi, queryClient, product.intent);
  await queryClient.getMutationCache().build(queryClient, inviting).execute({ email, fullname: 'Ana Souza', role });
  const listed = async () => {
    const users = await queryClient.fetchQuery({
      ...userQueries.list(tenantApi, { withDisabled: true }),
      staleTime: 0,
    });
    return users.find((user) => user.uname === email);
  };
  expect(await listed()).toMatchObject({ fullname: 'Ana Souza', role, status: 'invited' });
  const changing = userMutations.update(tenantApi, queryClient);
  await queryClient.getMutationCache().build(queryClient, changing).execute({ username: email, fullname: 'Ana Lima' });
  expect(await listed()).toMatchObject({ fullname: 'Ana Lima', role });
});

test('a customer is made, read as it was sent, saved again and changed', async () => {
  const { queryClient, tenantApi } = product;
  const fields = {
    ...customerFieldsOf(undefined),
    name: 'Customer',
    sku_name: 'Small',
    retention: ' 3650 ',
    search: '1',
  };
  expect(customerProblemsOf(fields)).toEqual({});
  const creating = customerMutations.create(tenantApi, queryClient, product.intent);
  const admin = { fullname: 'First Admin', email: 'first@customer.example' };
  const { id } = await queryClient
    .getMutationCache()
    .build(queryClient, creating)
    .execute({ name: fields.name, sku_info: planOf(fields), admin });
  const list = await queryClient.fetchQuery({ ...customerQueries.list(tenantApi), staleTime: 0 });
  const opened = customerFieldsOf(list.find((customer) => customer.id === id));
  expect(opened).toEqual({ ...fields, retention: '3650' });
  const updating = customerMutations.update(tenantApi, queryClient);
  const change = async (to: typeof opened) => {
    expect(customerProblemsOf(to)).toEqual({});
    const body = { name: to.name, sku_info: planOf(to) };
    return customerFieldsOf(await queryClient.getMutationCache().build(queryClient, updating).execute({ id, body }));
  };
  expect(await change(opened)).toEqual(opened);
  const other = { ...opened, name: 'Changed', is_search_enabled: false, is_mdr_enabled: true, search: '3650' };
  expect(await change(other)).toEqual(other);
});
