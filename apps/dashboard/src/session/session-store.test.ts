import { describe, expect, test } from 'vitest';
import { PERSISTED_KEY } from '../lib/wipe-caches.ts';
import { memoryStorage, ownTenant, userWith } from './fixtures.ts';
import { createSessionStore, readSession, SESSION_KEY, sessionOf } from './session-store.ts';
import { sessionIn } from './tenant-session.ts';

const session = sessionOf(sessionIn(userWith(), ownTenant));

describe('the stored session', () => {
  test('comes back after a reload', () => {
    const storage = memoryStorage();
    createSessionStore(storage, memoryStorage()).set(session);
    expect(createSessionStore(storage, memoryStorage()).get()).toEqual(session);
  });

  test('of a window stays in its tenant when another window works in another one, until somebody signs out', () => {
    const shared = memoryStorage();
    const windows = [memoryStorage(), memoryStorage()] as const;
    const elsewhere = { ...session, currentTenant: '01920000-0000-7000-8000-0000000000ff' };
    createSessionStore(shared, windows[0]).set(session);
    createSessionStore(shared, windows[1]).set(elsewhere);
    const again = createSessionStore(shared, windows[0]);
    expect([again.get()?.currentTenant, again.isKept()]).toEqual([session.currentTenant, false]);
    expect(createSessionStore(shared, memoryStorage()).get()).toEqual(elsewhere);
    createSessionStore(shared, windows[1]).clear();
    expect(createSessionStore(shared, windows[0]).get()).toBeUndefined();
  });

  test('of the window somebody works in is what a window opened from it begins with', () => {
    const shared = memoryStorage();
    const elsewhere = { ...session, currentTenant: '01920000-0000-7000-8000-0000000000ff' };
    const here = createSessionStore(shared, memoryStorage());
    here.set(session);
    const other = createSessionStore(shared, memoryStorage());
    other.set(elsewhere);
    shared.setItem(PERSISTED_KEY, 'answers of the other tenant');
    here.keep();
    const own = memoryStorage();
    const openedHere = createSessionStore(shared, own);
    expect(openedHere.get()).toEqual(session);
    expect(shared.getItem(PERSISTED_KEY)).toBeNull();
    // It has begun with what all windows have; from now on it has its own.
    openedHere.keep();
    other.keep();
    expect(createSessionStore(shared, own).get()).toEqual(session);
  });

  test('is not brought back by a window that still shows something when somebody signs out in another one', () => {
    const shared = memoryStorage();
    const here = createSessionStore(shared, memoryStorage());
    here.set(session);
    createSessionStore(shared, memoryStorage()).clear();
    here.keep();
    expect(shared.kept.size).toBe(0);
  });

  test('is gone after clear, while what is still drawn keeps the last one', () => {
    const storage = memoryStorage();
    const store = createSessionStore(storage, memoryStorage());
    store.set(session);
    let heard = 0;
    store.subscribe(() => {
      heard += 1;
    });
    store.clear();
    expect(store.get()).toBeUndefined();
    expect(store.lastKnown()).toEqual(session);
    expect(storage.kept.has(SESSION_KEY)).toBe(false);
    expect(heard).toBe(1);
  });

  test.each([
    ['no JSON', '{'],
    ['null', 'null'],
    ['no tenant', JSON.stringify({ ...session, currentTenant: 7 })],
    ['an unknown role', JSON.stringify({ ...session, currentRole: 'Owner' })],
    ['half a plan', JSON.stringify({ ...session, currentSKU: { is_search_enabled: true } })],
  ])('with %s counts as none', (_, text) => {
    expect(readSession(text)).toBeUndefined();
  });

  test.each([
    [{}, 'Tenant is not a string'],
    [{ currentTenant: ownTenant }, 'Role is not set'],
    [{ currentTenant: ownTenant, currentRole: 'Admin' }, 'SKU is not set'],
  ])('%j fails with the text of the specification', (value, text) => {
    expect(() => sessionOf(value)).toThrow(new Error(text));
  });

  test('the spoken spelling of a role is understood', () => {
    expect(sessionOf({ ...session, currentRole: 'System Manager' }).currentRole).toBe('SystemManager');
  });
});
