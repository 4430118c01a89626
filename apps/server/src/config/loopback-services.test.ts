import { expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { loopbackServices } from './loopback-services.ts';

const issuerAt = (SSO_ISSUER: string, more: Record<string, string> = {}) =>
  loopbackServices(readConfig({ SSO_ISSUER, SSO_CLIENT_ID: 'airdeck', ...more }, '0.0.0'));

it('names the ports of this machine that the configuration names, and no other', () => {
  expect(issuerAt('http://127.0.0.1:9001/realms/main')).toEqual([{ host: '127.0.0.1', port: 9001 }]);
  expect(issuerAt('https://localhost')).toEqual([{ host: 'localhost', port: 443 }]);
  expect(issuerAt('https://login.example.com')).toEqual([]);
  expect(issuerAt('https://127.0.0.1.example.com')).toEqual([]);
  expect(loopbackServices(readConfig({}, '0.0.0'))).toEqual([]);
});

it('names none outside of stage local, so that an installation cannot be turned against its own machine', () => {
  const prod = { TARGET_STAGE: 'prod', IDENTITY_SECRET: 'x'.repeat(40) };
  expect(issuerAt('http://127.0.0.1:9001', prod)).toEqual([]);
});
