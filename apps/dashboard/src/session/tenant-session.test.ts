import { describe, expect, test } from 'vitest';
import { refusalFor } from './access.ts';
import { foreignTenant, otherTenant, ownTenant, userWith } from './fixtures.ts';
import { presentSession, sessionIn } from './tenant-session.ts';

describe('session of a user', () => {
  test('role and plan are those of the tenant, and only the own tenant is owned', () => {
    const me = userWith({ own: 'Admin', other: 'ReadOnly' });
    expect(sessionIn(me, ownTenant)).toMatchObject({
      currentRole: 'Admin',
      isOwnerTenant: true,
      currentSKU: { is_search_enabled: true },
    });
    expect(sessionIn(me, otherTenant)).toMatchObject({
      currentRole: 'ReadOnly',
      isOwnerTenant: false,
      currentSKU: { is_search_enabled: false },
    });
  });

  test('a tenant without membership gives none, never an implied role', () => {
    expect(sessionIn(userWith(), foreignTenant)).toBeUndefined();
    expect(sessionIn({ ...userWith(), allowed_tenants: [] }, ownTenant)).toBeUndefined();
  });

  test('starts in the own tenant', () => {
    expect(presentSession(userWith(), [undefined, undefined])?.currentTenant).toBe(ownTenant);
  });

  test('stays in the stored tenant, and the address goes before it', () => {
    expect(presentSession(userWith(), [undefined, otherTenant])?.currentTenant).toBe(otherTenant);
    expect(presentSession(userWith(), [ownTenant, otherTenant])?.currentTenant).toBe(ownTenant);
  });

  test('a tenant named in the address without membership is ignored', () => {
    expect(presentSession(userWith(), [foreignTenant, otherTenant])?.currentTenant).toBe(otherTenant);
  });

  test('without the own tenant it is the first allowed one; without any there is none', () => {
    expect(presentSession(userWith({ other: 'ReadOnly' }), [])?.currentTenant).toBe(otherTenant);
    expect(presentSession(userWith({}), [])).toBeUndefined();
  });
});

test.each([
  ['ReadOnly', 'playbooks', 'ROLE_TOO_LOW'],
  ['Analyst', 'playbooks', undefined],
  ['Analyst', 'integrations', 'ROLE_TOO_LOW'],
  ['SystemManager', 'integrations', undefined],
  ['SystemManager', 'tenantSettings', 'ROLE_TOO_LOW'],
  ['Admin', 'tenantSettings', undefined],
  ['Admin', 'managedDetection', 'PLAN_NOT_ENABLED'],
  ['ReadOnly', 'search', 'ROLE_TOO_LOW'],
] as const)('%s in %s: %s', (role, area, expected) => {
  const session = sessionIn(userWith({ own: role }), ownTenant);
  if (session === undefined) throw new Error('no session');
  expect(refusalFor(area, session)).toBe(expected);
});
