// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { visit } from '../../test-app.tsx';

/** Where a sign-in with this redirect ends, through the real routes. */
const endOf = async (address: string): Promise<string> => (await visit(address)).at;

// Spec §4.7: other origins, and the pages of auth, sign-up and onboarding, are replaced by the home page.
test.each(
  [
    'https://evil.example/',
    'https://evil.example/home',
    'HTTPS://EVIL.EXAMPLE',
    'http:evil.example',
    'https:/evil.example',
    '//evil.example',
    '///evil.example',
    '////evil.example/home',
    '/\\evil.example',
    '\\\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r//evil.example',
    ' //evil.example',
    '\u00a0//evil.example',
    '/%2f%2fevil.example',
    '/%5cevil.example',
    '/%5C%5Cevil.example',
    '/..//evil.example',
    '/./\\evil.example',
    '/home/..//evil.example',
    '@evil.example',
    'evil.example',
    'home',
    './home',
    '?redirect=/home',
    '#/home',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'blob:https://air.test/x',
    'file:///etc/passwd',
    'ftp://evil.example',
    'about:blank',
    '/login',
    '/LOGIN',
    '/login/',
    '/logout',
    '/validate?oauth_callback=true',
    '/setup-totp',
    '/reset-password?code=1&email=a@b.example',
    '/new-password-required',
    '/forgot-password',
    '/confirm-code',
    '/account-not-found',
    '/signup/invite?__clerk_ticket=x',
    '/signup/azure/confirm',
    '/onboarding/setting-up',
    '/home/../login',
    '/home/%2e%2e/login',
    '/home/..%2flogin',
    '/l%6fgin',
    '/auth/external/start',
    '/api/openapi.json',
    '/%',
    '/%00%ff',
    `/${'/'.repeat(2500)}evil.example`,
    `/${'a'.repeat(10_000)}`,
    `/home?q=${'a'.repeat(2000)}`,
    '',
  ].map((redirect) => [redirect.slice(0, 60), redirect]),
)('the redirect %j leads home, also through the sign-in page', async (_, redirect = '') => {
  const search = `?redirect=${encodeURIComponent(redirect)}`;
  expect(await endOf(`/validate${search}`)).toBe('/home');
  expect(await endOf(`/login${search}`)).toBe('/home');
});

test.each(['/settings/profile', '/activity/actions?q=a%2Fb', '/air/case-management?q=https%3A%2F%2Fexample.com'])(
  'the redirect %s is followed',
  async (redirect) => {
    expect(await endOf(`/validate?redirect=${encodeURIComponent(redirect)}`)).toBe(redirect);
  },
);

test('of a redirect given twice the last one counts, and a foreign one still leads home', async () => {
  expect(await endOf('/validate?redirect=%2Fsettings%2Fprofile&redirect=https%3A%2F%2Fevil.example')).toBe('/home');
});

test.each(['["/settings/profile"]', '{"pathname":"//evil.example"}', 'true'])(
  'a redirect that is no text (%s) leads home',
  async (redirect) => {
    expect(await endOf(`/validate?redirect=${encodeURIComponent(redirect)}`)).toBe('/home');
  },
);
