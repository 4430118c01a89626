import { expect, test } from 'vitest';
import { ownTenant, userWith } from './session/fixtures.ts';
import type { IdentityProvider } from './session/identity-provider.ts';
import { SESSION_KEY } from './session/session-store.ts';
import { sessionIn } from './session/tenant-session.ts';
import { startApplication } from './start.ts';

const identity: IdentityProvider = {
  isSignedIn: async () => true,
  getToken: async () => 'token',
  sessionEndsAt: () => undefined,
  signInWithPassword: async () => 'signed_in',
  verifyTotp: async () => undefined,
  verifyRecoveryCode: async () => undefined,
  signOut: async () => undefined,
  forget: () => undefined,
  onChangedElsewhere: () => () => undefined,
  account: () => Promise.reject(new Error('Nobody asks for the account.')),
};

const config = {
  ...{ api_base_url: '/', error_reporting_dsn: '', analytics_key: 'k', analytics_host: 'h' },
  ...{ identity_publishable_key: 'local', mock_data: false, product_name: 'AIRdeck' },
  ...{ product_short_name: 'AIR', release: '1.14.2' },
  target_stage: 'prod',
} as const;

test('a link pressed for a new window opens in the tenant of its window, not in the one another window switched to', () => {
  const here = JSON.stringify(sessionIn(userWith(), ownTenant));
  window.localStorage.setItem(SESSION_KEY, here);
  startApplication(config, identity);
  const link = document.body.appendChild(document.createElement('a'));
  link.href = '/air/case-management';
  const elsewhere = here.replaceAll(ownTenant, '01920000-0000-7000-8000-0000000000ff');
  // What the browser tells of a window one comes back to, and of what is pressed in it.
  for (const comeBack of [() => window.dispatchEvent(new Event('focus')), () => link.focus()]) {
    window.localStorage.setItem(SESSION_KEY, elsewhere);
    comeBack();
    expect(window.localStorage.getItem(SESSION_KEY)).toBe(here);
  }
  link.remove();
  window.localStorage.removeItem(SESSION_KEY);
});
