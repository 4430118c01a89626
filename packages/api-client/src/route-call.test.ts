import { routeIndex } from '@airdeck/contracts/route-index.gen';
import { routeTable } from '@airdeck/contracts/route-table';
import { describe, expect, test } from 'vitest';
import { prepareCall } from './route-call.ts';

const tenant = '01920000-0000-7000-8000-000000000001';

describe('address of a call', () => {
  test('path parameters are put in place, encoded', () => {
    const call = prepareCall('/', 'actions.get', { params: { tenant, id: 'graylog/get events' } });
    expect(call.url).toBe(`/api/tenants/${tenant}/soar/available_actions/graylog%2Fget%20events`);
    expect(call.endpoint).toBe('/api/tenants/{tenant}/soar/available_actions/{id}');
  });

  test.each([
    ['/', '/me'],
    ['', '/me'],
    ['https://air.example/', 'https://air.example/me'],
    ['https://air.example/base', 'https://air.example/base/me'],
  ])('base %j gives %s', (base, url) => {
    expect(prepareCall(base, 'me.get', {}).url).toBe(url);
  });

  test('absent query values are left out, the others encoded', () => {
    const query = { q: 'a&b=c', status: undefined, page: 2 };
    expect(prepareCall('/', 'cases.list', { params: { tenant }, query }).url).toBe(
      `/api/tenants/${tenant}/case?q=a%26b%3Dc&page=2`,
    );
  });

  test.each([[{}], [{ tenant: '' }], [{ tenant: undefined }]])(
    'a missing parameter %j is refused, because the address would be of another route',
    (params) => {
      expect(() => prepareCall('/', 'tenants.get', { params })).toThrow(RangeError);
    },
  );
});

test('the schema-free index says the same as the route table', () => {
  const fromTable = Object.fromEntries(
    Object.entries(routeTable).map(([id, { method, path, response }]) => [
      id,
      { method, path, ...(response === 'empty' ? { empty: true } : {}) },
    ]),
  );
  expect(routeIndex).toEqual(fromTable);
});
