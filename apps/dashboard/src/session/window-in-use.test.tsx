import { expect, test } from 'vitest';
import { memoryStorage, ownTenant, userWith } from './fixtures.ts';
import { keepWindowInUse } from './follow-other-tabs.ts';
import { createSessionStore, SESSION_KEY } from './session-store.ts';
import { sessionIn } from './tenant-session.ts';

test('a link pressed for a new window opens in the tenant of its window, not in the one another window switched to', () => {
  const [storage, ofWindow] = [memoryStorage(), memoryStorage()];
  const here = JSON.stringify(sessionIn(userWith(), ownTenant));
  const elsewhere = here.replaceAll(ownTenant, '01920000-0000-7000-8000-0000000000ff');
  storage.setItem(SESSION_KEY, here);
  let shown = ['/_dashboard'];
  keepWindowInUse({ keep: createSessionStore(storage, ofWindow).keep, shownRoutes: () => shown });
  const link = document.body.appendChild(document.createElement('a'));
  link.href = '/air/case-management';
  // What the browser tells of a window one comes back to, and of what is pressed in it.
  for (const comeBack of [() => window.dispatchEvent(new Event('focus')), () => link.focus()]) {
    storage.setItem(SESSION_KEY, elsewhere);
    comeBack();
    expect(storage.getItem(SESSION_KEY)).toBe(here);
  }
  // A sign-up that was left half filled in stays as it is when somebody else signs in: the session is theirs.
  shown = ['/signup'];
  storage.setItem(SESSION_KEY, elsewhere);
  window.dispatchEvent(new Event('focus'));
  expect(storage.getItem(SESSION_KEY)).toBe(elsewhere);
  link.remove();
});
