import type { TenantOverview } from '@airdeck/contracts/overview/schema';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { failure, openApp, showApp } from '../test-app.tsx';
import { currentUserQuery } from './current-user.ts';
import { foreignTenant, otherTenant, ownTenant, userWith } from './fixtures.ts';
import { switchTenant } from './switch-tenant.ts';

vi.setConfig({ testTimeout: 60_000 });

/** How often it was asked who the user is. */
const timesAsked = ({ asked }: { asked: readonly string[] }) => asked.filter((call) => call === 'GET /me').length;

test('a tenant one has just been given is switched to: the user is read anew where it is not known', async () => {
  let me = userWith({ own: 'Analyst' });
  const { app, state } = openApp('/home', { me: () => Response.json(me) });
  const query = currentUserQuery(app.api);
  await app.queryClient.ensureQueryData(query);
  me = userWith();
  expect(await switchTenant(app, otherTenant)).toBe(true);
  expect(app.session.get()?.currentTenant).toBe(otherTenant);
  expect(app.queryClient.getQueryData(query.queryKey)).toEqual(me);
  expect(timesAsked(state)).toBe(2);
  // What is known by now is not asked again.
  expect(await switchTenant(app, ownTenant)).toBe(true);
  expect(timesAsked(state)).toBe(2);
  expect(await switchTenant(app, foreignTenant)).toBe(false);
  expect(timesAsked(state)).toBe(3);
});

test('a link into a tenant one has just been given leads there; it asks once, and not when hovered', async () => {
  let me = userWith({ own: 'Analyst' });
  const { app, router, state } = showApp('/unauthorized', { me: () => Response.json(me) });
  await screen.findByRole('heading', { name: 'You are not allowed to see this' });
  me = userWith();
  const before = timesAsked(state);
  await router.preloadRoute({ to: '/not-enabled', search: { tenant: otherTenant } });
  expect(timesAsked(state)).toBe(before);
  await router.navigate({ to: '/not-enabled', search: { tenant: otherTenant } });
  await screen.findByRole('heading', { name: 'Not part of your plan' });
  expect(app.session.get()?.currentTenant).toBe(otherTenant);
  expect(timesAsked(state)).toBe(before + 1);
  await router.navigate({ to: '/not-enabled', search: { tenant: foreignTenant } });
  await screen.findByText('You are not a member of that tenant.');
  expect(timesAsked(state)).toBe(before + 2);
});

const contoso: TenantOverview = {
  id: otherTenant,
  name: 'Contoso Health',
  managed_by: null,
  is_provider: false,
  role: 'Analyst',
  sku_name: 'AIR',
  open_cases: { low: 0, medium: 0, high: 0, critical: 0 },
  sla_breaches: 0,
  connectors: { active: 0, paused: 0, error: 0, pending: 0 },
  last_event_at: null,
  automation_enabled: true,
  mttd_by_type: { manual_mttd: null, automated_mttd: null },
  mttr_by_type: { manual_mttr: null, automated_mttr: null },
};

test.each([
  ['one is no member of any more', () => Response.json(userWith({ own: 'Analyst' })), /not a member of that tenant/],
  ['nobody can be asked about', () => failure(403, 'USER_DISABLED', 'You have no access.'), /You have no access/],
])('a tenant %s is not switched to, and why is said', async (_, later, said) => {
  let isLater = false;
  const { app } = showApp('/overview', {
    me: () => (isLater ? later() : Response.json(userWith({ own: 'Analyst' }))),
    answers: { 'GET /api/overview': () => Response.json([contoso]) },
  });
  const row = await screen.findByText('Contoso Health');
  isLater = true;
  fireEvent.click(row);
  expect(await screen.findByText(said)).toBeTruthy();
  expect(app.session.get()?.currentTenant).toBe(ownTenant);
});
