import { ssoKinds } from '@airdeck/contracts/settings/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { roleOptions } from '../../apps/dashboard/src/features/settings/tenant/role-options.ts';
import {
  issuerHints,
  type SsoFields,
  ssoFieldsOf,
  ssoInputOf,
  ssoProblemsOf,
} from '../../apps/dashboard/src/features/settings/tenant/sso-fields.ts';
import { settingsQueries, ssoMutations } from '../../apps/dashboard/src/queries/settings.ts';
import { confirmed, type JoinedProduct, joinProduct } from './joined-product.ts';

let product: JoinedProduct;

beforeAll(async () => {
  product = await joinProduct('Admin');
});
afterAll(() => product?.close());

const directory = '0a1b2c3d-0000-4000-8000-000000000001';

function save(id: string | undefined, fields: SsoFields) {
  const { queryClient, tenantApi, intent } = product;
  const saving = ssoMutations.save(tenantApi, queryClient, intent);
  return queryClient
    .getMutationCache()
    .build(queryClient, saving)
    .execute({ id, body: ssoInputOf(fields) });
}

async function read(id: string) {
  const { queryClient, tenantApi } = product;
  const list = await queryClient.fetchQuery({ ...settingsQueries.connections(tenantApi), staleTime: 0 });
  const connection = list.find((each) => each.id === id);
  if (connection === undefined) throw new Error('Not in the list.');
  return connection;
}

async function remove(id: string): Promise<void> {
  const { api, tenantId } = product.tenantApi;
  await confirmed((controls) => api.call('sso.delete', { params: { tenant: tenantId, id }, ...controls }));
}

/** Saved, read, opened and saved as it is, and with another name; what is never told again is left empty. */
async function kept(fields: SsoFields): Promise<void> {
  expect(ssoProblemsOf(fields, undefined)).toEqual({});
  const connection = await read((await save(undefined, fields)).id);
  const opened = ssoFieldsOf(connection);
  expect(opened).toEqual({ ...fields, client_secret: '' });
  expect(connection.client_secret_set_at === null).toBe(fields.client_secret === '');
  expect(ssoProblemsOf(opened, connection)).toEqual({});
  const again = await save(connection.id, opened);
  expect(ssoFieldsOf(again)).toEqual(opened);
  expect(again.client_secret_set_at).toBe(connection.client_secret_set_at);
  const changed = { ...opened, label: 'Changed', enabled: false, client_secret: 'another' };
  expect(ssoFieldsOf(await save(connection.id, changed))).toEqual({ ...changed, client_secret: '' });
  await remove(connection.id);
}

describe.each(ssoKinds)('a connection of kind %s', (kind) => {
  const begun: SsoFields = {
    ...ssoFieldsOf(undefined),
    ...{ kind, label: 'Sign in', client_id: 'air' },
    issuer: issuerHints[kind].replace('<directory id>', directory),
  };

  test('with required fields only is kept', () => kept(begun));

  test('with everything is kept', () =>
    kept({
      ...begun,
      ...{ client_secret: ' a secret ', domains: ['example.com', 'sub.example.org'], join: true },
      ...{ default_role: 'ReadOnly', groups_claim: 'roles' },
      group_roles: roleOptions.map(({ value: role }) => ({ group: `group of ${role}`, role })),
    }));

  test.each(roleOptions)('gives everybody who joins the role $value', ({ value }) =>
    kept({ ...begun, join: true, default_role: value }),
  );

  test('lets only those of a group join', () =>
    kept({ ...begun, join: true, group_roles: [{ group: 'secops', role: 'Analyst' }] }));

  test('is moved to another issuer with its own secret only', async () => {
    const { id } = await save(undefined, { ...begun, client_secret: 'first' });
    const connection = await read(id);
    const moved = { ...ssoFieldsOf(connection), issuer: 'https://other.example.com' };
    expect(ssoProblemsOf(moved, connection)).toHaveProperty('client_secret');
    await expect(save(id, moved)).rejects.toThrow('client_secret');
    const secret = { ...moved, client_secret: 'second' };
    expect(ssoProblemsOf(secret, connection)).toEqual({});
    expect(ssoFieldsOf(await save(id, secret))).toEqual(moved);
    await remove(id);
  });
});

test('what stands around and is left empty in the form is not sent', async () => {
  const fields: SsoFields = {
    ...ssoFieldsOf(undefined),
    ...{ label: ' Sign in ', client_id: ' air ', issuer: ' https://id.example.com/ ', groups_claim: ' ' },
    ...{
      join: true,
      default_role: 'Analyst',
      group_roles: [
        { group: ' secops ', role: 'Admin' },
        { group: ' ', role: 'Admin' },
      ],
    },
  };
  expect(ssoProblemsOf(fields, undefined)).toEqual({});
  const opened = ssoFieldsOf(await save(undefined, fields));
  expect(opened).toMatchObject({ label: 'Sign in', client_id: 'air', issuer: 'https://id.example.com/' });
  expect(opened).toMatchObject({ groups_claim: 'groups', group_roles: [{ group: 'secops', role: 'Admin' }] });
});
