import { describe, expect, test } from 'vitest';
import { isIssuerOf, isSharedDirectory, issuerProblem } from './issuer-address.ts';

const DIRECTORY = 'https://login.microsoftonline.com/0b0c1d2e-0000-4000-8000-000000000001/v2.0';

describe('an address may be an issuer’s', () => {
  test.each([
    'https://login.example.com',
    'https://login.example.com/realms/soc',
    DIRECTORY,
    'http://127.0.0.1:4011/one',
  ])('%s', (issuer) => expect(issuerProblem(issuer)).toBeUndefined());
});

describe('an address is refused', () => {
  test.each([
    'http://login.example.com',
    'http://10.0.0.1',
    'https://login.example.com/?a=1',
    'https://login.example.com/#x',
    'https://ana@login.example.com',
    // The library believes a document under its own address whatever issuer it names.
    'https://evil.example/.well-known/openid-configuration',
    'https://evil.example/a/.WELL-KNOWN/openid-configuration',
    'https://evil.example/%2ewell-known/openid-configuration',
  ])('%s', (issuer) => expect(issuerProblem(issuer)?.reason).toMatch(/^SSO_ISSUER_/));
});

describe('a configuration is its issuer’s own', () => {
  test.each<[string, string, boolean]>([
    ['https://login.example.com', 'https://login.example.com', true],
    ['https://login.example.com', 'https://login.example.com/', true],
    ['https://login.example.com/a', 'https://login.example.com/a/', false],
    ['https://login.example.com', 'https://LOGIN.example.com', true],
    ['https://evil.example', 'https://accounts.google.com', false],
    ['https://evil.b2clogin.com/x/v2.0', 'https://accounts.google.com', false],
    [DIRECTORY, DIRECTORY, true],
    [DIRECTORY, 'https://login.microsoftonline.com/{tenantid}/v2.0', false],
    ['https://login.microsoftonline.com/common/v2.0', 'https://login.microsoftonline.com/{tenantid}/v2.0', true],
    ['https://login.microsoftonline.com/common/v2.0', DIRECTORY, false],
    ['https://login.example.com', 'no address', false],
  ])('%s names %s: %s', (configured, claimed, fits) => expect(isIssuerOf(configured, claimed)).toBe(fits));
});

test.each<[string, boolean]>([
  ['https://login.microsoftonline.com/common/v2.0', true],
  ['https://login.microsoftonline.com/Organizations/v2.0', true],
  ['https://login.microsoftonline.com/consumers/v2.0', true],
  [DIRECTORY, false],
  ['https://login.example.com/common/v2.0', false],
])('whether %s is shared by everybody: %s', (issuer, shared) => expect(isSharedDirectory(issuer)).toBe(shared));
