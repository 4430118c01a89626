import { describe, expect, test } from 'vitest';
import { safeRedirect } from './safe-redirect.ts';

describe('paths of this origin are followed', () => {
  test.each([
    '/home',
    '/air/case-management?filters=open&q=a%2Fb#top',
    '/activity/playbooks/0192f0c1-7e57-7000-8000-00000000abcd',
    '/search/?next=https://example.com',
    '/logins-of-today',
    '/air/automation-settings/0192f0c1-7e57-7000-8000-00000000abcd/Isolate%20%2F%2F%20notify',
    '/air/automation-settings/0192f0c1-7e57-7000-8000-00000000abcd/CORP%5Cuser%20off',
  ])('%s', (path) => {
    expect(safeRedirect(path)).toBe(path);
  });
});

describe('anything else leads home', () => {
  test.each([
    undefined,
    null,
    '',
    '/',
    'home',
    'https://example.com/home',
    '//example.com',
    '///example.com',
    '/\\example.com',
    '\\\\example.com',
    '/\t/example.com',
    '/\n/example.com',
    ' //example.com',
    'javascript:alert(1)',
    '/%2f%2fexample.com',
    '/%5cexample.com',
    '/..//example.com',
    '/air/..%2F..%2F%2Fexample.com',
    '/air/..%5C%5Cexample.com',
    '/%',
    '/%00%ff',
  ])('%j', (redirect) => {
    expect(safeRedirect(redirect)).toBe('/home');
  });

  test.each([
    '/login',
    '/LOGIN?redirect=/login',
    '/logout',
    '/validate?oauth_callback=true',
    '/signup/invite',
    '/onboarding/setup-totp',
    '/setup-totp',
    '/reset-password?code=1',
    '/auth/sign-in',
    '/home/../login',
    '/home/%2e%2e/login',
    '/home/..%2flogin',
    '/l%6fgin',
    '/account-not-found',
  ])('entry page %s', (redirect) => {
    expect(safeRedirect(redirect)).toBe('/home');
  });
});
