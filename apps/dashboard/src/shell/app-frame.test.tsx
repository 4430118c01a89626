import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { otherTenant, ownTenant, userWith } from '../session/fixtures.ts';
import { showApp } from '../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });
const cases = (tenant: string) => `GET /api/tenants/${tenant}/case`;
const one = {
  ...{
    id: '01920000-0000-7000-8000-000000000301',
    alert_id: 'a',
    reference: 'CASE-7',
    alert_name: 'Password guessing',
  },
  ...{ alert_description: '', alert_type: 'policy', alert_severity: 'high', alert_status: 'open', alert_responses: [] },
  ...{ log_sources: [], meta_data_fields: {}, assignee: null, tags: [], event_count: 5, policy_id: null },
  ...{ acknowledged_by_username: null, closed_by_username: null, close_reason: null, time_acknowledged: null },
  ...{ opened_at: '2026-11-21T10:00:00.000Z', time_opened: '2026-11-21T10:00:00.000Z', time_closed: null },
  time_updated: '2026-11-21T10:00:00.000Z',
  sla: { respond_by: null, resolve_by: null, waiting_since: null, stood_s: 0, breached: false },
};
const listed = (tenant: string) => ({
  ...{ cases: [{ ...one, tenant }], total: 1 },
  facets: { status: [], severity: [], source: [], category: [] },
});

test('the same screen of another tenant begins anew: no rows, no choice, no words of the one before', async () => {
  let answer: (() => void) | undefined;
  const { router } = showApp(`/air/case-management?tenant=${ownTenant}`, {
    me: userWith({ own: 'Analyst', other: 'Analyst' }),
    answers: {
      [cases(ownTenant)]: () => Response.json(listed(ownTenant)),
      [cases(otherTenant)]: () =>
        new Promise((resolve) => {
          answer = () => resolve(Response.json(listed(otherTenant)));
        }),
    },
  });
  fireEvent.click(await screen.findByRole('checkbox', { name: /^Select CASE-7/ }));
  await screen.findByText('1 case chosen');
  await router.navigate({ to: '/air/case-management', search: { tenant: otherTenant } });
  await waitFor(() => expect(router.state.location.search.tenant).toBe(otherTenant));
  await waitFor(() => expect(screen.queryByText('Password guessing')).toBeNull());
  expect(screen.queryByText('1 case chosen')).toBeNull();
  await waitFor(() => expect(answer).toBeDefined());
  answer?.();
  await screen.findByText('Password guessing');
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /^Select CASE-7/ }).checked).toBe(false);
});

test('a case of the tenant before is not asked for in the next one', async () => {
  const { router, state } = showApp(`/air/case-management/${one.id}?tenant=${ownTenant}`, {
    answers: { [`${cases(ownTenant)}/${one.id}`]: () => Response.json({ ...one, tenant: ownTenant, ...detail }) },
  });
  await screen.findByRole('button', { name: 'More for CASE-7' });
  await router.navigate({ to: '/unauthorized', search: { tenant: otherTenant } });
  await screen.findByRole('heading', { name: 'You are not allowed to see this' });
  expect(state.asked.filter((call) => call.includes(`${otherTenant}/case`))).toEqual([]);
});

const detail = { activity: [], events: [], related_cases: [], policy_origin: null, entities: [] };
