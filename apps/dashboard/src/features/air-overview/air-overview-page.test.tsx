import type { AirOverview, PeriodFigures } from '@airdeck/contracts/air-overview/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../session/fixtures.ts';
import { showApp } from '../../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });
const connectorId = '01920000-0000-7000-8000-000000000a01';
const policyId = '01920000-0000-7000-8000-000000000a02';
const [start, second, end] = ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z', '2026-11-03T00:00:00.000Z'];

const mean = { seconds: 60, cases: 2 };
const period: PeriodFigures = {
  ...{ cases: 10, closed: 4, answered: 4, answer_failed: 1, answering: 2, unanswered: 3, time_saved_minutes: 90 },
  ...{ automated_mttd: mean, manual_mttd: mean, automated_mttr: mean, manual_mttr: mean },
};
const means = { automated_mttd: 30, manual_mttd: 60, automated_mttr: null, manual_mttr: 90 };
const overview: AirOverview = {
  ...{ start_time: start, end_time: end, as_of: end, period, previous: period },
  techniques: [{ technique: 'T1110', policies: 60, enabled_policies: 58, cases: 9, policy_ids: [policyId] }],
  open: [],
  sla: { in_time: 0, late: 0, late_response: 0, late_resolution: 0 },
  trend: [
    { t: start, cases: 4, answered: 0, ...means },
    { t: second, cases: 6, answered: 4, ...means },
  ],
  trend_part_s: 86_400,
  policies: [{ id: policyId, name: 'Port scans', severity: 'low', cases: 5, open: 1, answered: 2, false_positives: 3 }],
  connectors: {
    counts: { active: 2, paused: 0, error: 1, pending: 0 },
    troubled: [{ id: connectorId, name: 'Edge firewall', definition_id: 'fortigate', state: 'error' }],
  },
};

function show(role: 'Analyst' | 'Admin') {
  showApp('/air/overview', {
    me: userWith({ own: role }),
    answers: { [`GET /api/tenants/${ownTenant}/air/overview`]: () => Response.json(overview) },
  });
}

/** Path and search of the link with a name, the search as the address has it. */
async function linkTo(name: string | RegExp, inside: HTMLElement = document.body) {
  const link = await within(inside).findByRole('link', { name });
  const { pathname, searchParams } = new URL(link.getAttribute('href') ?? '', 'https://air.example');
  return { pathname, ...Object.fromEntries(searchParams) };
}

test('a failing connector leads who may not change connectors to the list, and not to a page that refuses them', async () => {
  show('Analyst');
  expect(await linkTo('Edge firewall')).toEqual({ pathname: '/integrations', q: 'Edge firewall' });
});

test('a failing connector leads who may change connectors to its page', async () => {
  show('Admin');
  expect(await linkTo('Edge firewall')).toEqual({ pathname: `/integrations/${connectorId}` });
});

test('the count of connectors in a state opens the list of those', async () => {
  show('Analyst');
  const found = await linkTo(/^2\s?active$/i);
  expect(found).toEqual({ pathname: '/integrations', filters: JSON.stringify({ state: ['active'] }) });
});

test('each figure of the trend opens its cases of that day', async () => {
  show('Analyst');
  const asTable = within(await screen.findByRole('radiogroup', { name: 'Show as' })).getByRole('radio', {
    name: 'Table',
  });
  fireEvent.click(asTable);
  const table = await screen.findByRole('region', { name: 'Trend as a table' });
  const cases = { pathname: '/air/case-management' };
  expect(await linkTo(/^Nov 1, Opened: 4/, table)).toEqual({ ...cases, startTime: start, endTime: second });
  expect(await linkTo(/^Nov 2, Answered by automation: 4/, table)).toEqual({
    ...{ ...cases, startTime: second, endTime: end, figure: 'answered' },
  });
  fireEvent.click(screen.getByRole('radio', { name: 'MTTD' }));
  expect(await linkTo(/^Nov 2, Manual: /, table)).toEqual({
    ...{ ...cases, startTime: second, endTime: end, figure: 'manual_mttd' },
  });
});

test('each bar that counts cases opens them, and the picture is one to readers and the keyboard', async () => {
  show('Analyst');
  const picture = await screen.findByRole('img', { name: 'Cases opened by day. The table shows the same numbers.' });
  const chart = picture.parentElement as HTMLElement;
  const bars = await waitFor(() => {
    const found = [...chart.querySelectorAll<HTMLElement>('[data-series]')];
    expect(found).toHaveLength(3);
    return found;
  });
  const opened = bars.map((bar) => {
    const { pathname, searchParams } = new URL(bar.closest('a')?.href ?? '', 'https://air.example');
    return [bar.dataset.series, pathname, Object.fromEntries(searchParams)];
  });
  const list = '/air/case-management';
  expect(opened).toEqual([
    ['cases', list, { startTime: start, endTime: second }],
    ['cases', list, { startTime: second, endTime: end }],
    ['answered', list, { startTime: second, endTime: end, figure: 'answered' }],
  ]);
  expect([...chart.querySelectorAll('a')].every(({ tabIndex }) => tabIndex === -1)).toBe(true);
  expect(within(chart).queryAllByRole('link')).toEqual([]);
});

test('a bar that is a mean opens nothing: its height is no number of cases', async () => {
  show('Analyst');
  const picture = await screen.findByRole('img', { name: /^Cases opened by day/ });
  const chart = picture.parentElement as HTMLElement;
  await waitFor(() => expect(chart.querySelector('a [data-series=cases]')).not.toBeNull());
  fireEvent.click(screen.getByRole('radio', { name: 'MTTD' }));
  await waitFor(() => expect(chart.querySelectorAll('[data-series=manual_mttd]')).toHaveLength(2));
  expect(chart.querySelector('a')).toBeNull();
});

test('a technique opens its cases by its own name, however many policies name it', async () => {
  show('Analyst');
  expect(await linkTo(/^T1110 .+: 9 cases, 60 policies, 58 switched on$/)).toEqual({
    ...{ pathname: '/air/case-management', startTime: start, endTime: end, technique: 'T1110' },
  });
});

test('what automation came to opens the cases it is taken over', async () => {
  show('Analyst');
  const behind = { pathname: '/air/case-management', startTime: start, endTime: end };
  expect(await linkTo(/^Automation rate: 40 %/)).toEqual({ ...behind, figure: 'answered' });
  expect(await linkTo(/^Time saved: /)).toEqual({ ...behind, figure: 'answered' });
  expect(await linkTo(/^Success rate: 80 %/)).toEqual({ ...behind, figure: 'ended' });
  expect(await linkTo('3 cases of Port scans closed as false')).toEqual({
    ...{ ...behind, figure: 'false_positive', policy: JSON.stringify([policyId]) },
  });
});
