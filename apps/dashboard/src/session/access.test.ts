import { isRedirect } from '@tanstack/react-router';
import { describe, expect, test } from 'vitest';
import { type Area, requireAccess } from './access.ts';
import { memoryStorage, otherTenant, ownTenant, userWith } from './fixtures.ts';
import { createSessionStore, sessionOf } from './session-store.ts';
import { sessionIn } from './tenant-session.ts';

function whereTo(area: Area, tenant: string): string | undefined {
  const session = createSessionStore(memoryStorage(), memoryStorage());
  session.set(sessionOf(sessionIn(userWith({ own: 'Analyst', other: 'Analyst' }), tenant)));
  try {
    requireAccess(area)({ context: { session } });
    return undefined;
  } catch (thrown) {
    if (!isRedirect(thrown)) throw thrown;
    return thrown.options.to;
  }
}

describe('the guard of a route', () => {
  test('lets in who has the role and the plan', () => {
    expect(whereTo('search', ownTenant)).toBeUndefined();
  });

  test('sends a lower role to the unauthorized page', () => {
    expect(whereTo('tenantSettings', ownTenant)).toBe('/unauthorized');
  });

  test('sends a plan without the area to the not-enabled page', () => {
    expect(whereTo('search', otherTenant)).toBe('/not-enabled');
  });
});
