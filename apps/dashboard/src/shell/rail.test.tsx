import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { userWith } from '../session/fixtures.ts';
import { showApp } from '../test-app.tsx';
import { isWithin, navGroups } from './nav-table.ts';

vi.setConfig({ testTimeout: 60_000 });
test.each(['/air/overview', '/air/policy-management', '/air/automation-settings'])(
  'on %s the rail shows the area one is in, and no other',
  async (address) => {
    showApp(address, { me: userWith({ own: 'Analyst' }) });
    const rail = within(await screen.findByRole('navigation', { name: 'Areas' }));
    await waitFor(() => expect(rail.getByRole('link', { current: true }).textContent).toBe('Cases'));
  },
);

test('no address is of two entries', () => {
  const items = navGroups.flatMap((group) => group.items);
  for (const item of items) {
    expect(items.filter((other) => isWithin(other, item.to)).map(({ label }) => label)).toEqual([item.label]);
  }
  expect(items.filter((item) => isWithin(item, '/airfield'))).toEqual([]);
});
