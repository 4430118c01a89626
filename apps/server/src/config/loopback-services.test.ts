import { expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { loopbackServices } from './loopback-services.ts';

const fullPlan = {
  ...{ sku_name: 'Standard', is_mdr_enabled: true, is_search_enabled: true },
  ...{ retention_length_days: 30, search_length_days: 30 },
};
const none = { signIn: [], marketplace: [], clerk: [] };
const issuerAt = (SSO_ISSUER: string, more: Record<string, string> = {}) =>
  loopbackServices(readConfig({ SSO_ISSUER, SSO_CLIENT_ID: 'airdeck', ...more }, '0.0.0'));

it('names the ports of this machine that the configuration names, and no other', () => {
  expect(issuerAt('http://127.0.0.1:9001/realms/main')).toEqual({
    ...none,
    signIn: [{ host: '127.0.0.1', port: 9001 }],
  });
  expect(issuerAt('https://localhost')).toEqual({ ...none, signIn: [{ host: 'localhost', port: 443 }] });
  expect(issuerAt('https://login.example.com')).toEqual(none);
  expect(issuerAt('https://127.0.0.1.example.com')).toEqual(none);
  expect(loopbackServices(readConfig({}, '0.0.0'))).toEqual(none);
});

it('names each for the part it was named for, so that no other part can be talked into calling it', () => {
  const id = '2c1f9a4e-5b7d-4f6a-8e3c-0d9b1a2c3d4e';
  const config = readConfig(
    {
      ...{
        AZURE_MARKETPLACE_TENANT_ID: id,
        AZURE_MARKETPLACE_CLIENT_ID: id,
        AZURE_MARKETPLACE_CLIENT_SECRET: 'secret',
      },
      ...{ AZURE_MARKETPLACE_PLANS: JSON.stringify({ standard: fullPlan }) },
      ...{
        AZURE_MARKETPLACE_API_URL: 'http://127.0.0.1:7001/api',
        AZURE_MARKETPLACE_LOGIN_URL: 'http://localhost:7002',
      },
      ...{ IDENTITY_PUBLISHABLE_KEY: `pk_test_${btoa('clerk.example.com$')}`, CLERK_SECRET_KEY: 'sk_test_key' },
      CLERK_API_URL: 'http://127.0.0.1:7003/v1',
    },
    '0.0.0',
  );
  expect(loopbackServices(config)).toEqual({
    signIn: [],
    marketplace: [
      { host: '127.0.0.1', port: 7001 },
      { host: 'localhost', port: 7002 },
    ],
    clerk: [{ host: '127.0.0.1', port: 7003 }],
  });
});

it('names none outside of stage local, so that an installation cannot be turned against its own machine', () => {
  const prod = { TARGET_STAGE: 'prod', IDENTITY_SECRET: 'x'.repeat(40) };
  expect(issuerAt('http://127.0.0.1:9001', prod)).toEqual(none);
});
