import type { Case, CaseBulk } from '@airdeck/contracts/cases/schema';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant } from '../../session/fixtures.ts';
import { showApp } from '../../test-app.tsx';
import { acknowledgedCase, caseList } from './case/case-fixtures.ts';
// Loaded with the file, or the first test would wait for it.
import './case-board.tsx';

vi.setConfig({ testTimeout: 60_000 });
const path = `/api/tenants/${ownTenant}/case`;

const numbered = (number: number, more: Partial<Case> = {}): Case => ({
  ...acknowledgedCase,
  id: `01920000-0000-7000-8000-0000000003${number}`,
  reference: `CASE-${number}`,
  time_opened: `2026-11-21T10:${number}:00.000Z`,
  alert_status: 'open',
  ...more,
});

/** The case screens over cases the test changes; `readAgain` is what a change somebody else made brings about. */
function show(address: string, first: Case[], before = 0) {
  const now = { cases: first, before };
  const { app } = showApp(address, {
    answers: {
      [`GET ${path}`]: ({ url }) => {
        const status = url.searchParams.get('status');
        const cases = now.cases.filter((each) => status === null || each.alert_status === status);
        return Response.json({ ...caseList(cases), total: cases.length + now.before });
      },
      [`POST ${path}/bulk`]: ({ body }) => {
        const { cases, change } = body as CaseBulk;
        now.cases = now.cases.map((each) => (cases?.includes(each.id) ? ({ ...each, ...change } as Case) : each));
        return Response.json({ matched: 1, results: [] });
      },
    },
  });
  return {
    now,
    readAgain: async () => {
      await act(async () => {
        await app.queryClient.invalidateQueries({ queryKey: [ownTenant, 'cases'] });
        await new Promise((resolve) => setTimeout(resolve));
      });
    },
  };
}

const references = (within_: HTMLElement = document.body) =>
  [...within_.querySelectorAll('tr[data-row], li[data-card]')].map((row) => row.textContent?.match(/CASE-\d+/)?.[0]);

test.each([
  ['the second page', '/air/case-management?page=2', 25],
  ['a list by severity', '/air/case-management?sort=-severity', 0],
])('a new case does not move the rows of %s while they are read', async (_, address, before) => {
  const { now, readAgain } = show(address, [numbered(12), numbered(11)], before);
  await screen.findByText('CASE-12');
  now.cases = [numbered(13), numbered(12, { alert_name: 'Renamed meanwhile' }), numbered(11)];
  await readAgain();
  expect(references()).toEqual(['CASE-12', 'CASE-11']);
  expect(screen.getByText('Renamed meanwhile')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: '1 more' }));
  expect(references()).toEqual(['CASE-13', 'CASE-12', 'CASE-11']);
  expect(screen.queryByRole('button', { name: '1 more' })).toBeNull();
});

test('what somebody else took out of the list stays where it is read, marked, until one asks', async () => {
  const { now, readAgain } = show('/air/case-management', [numbered(13), numbered(12), numbered(11)]);
  await screen.findByText('CASE-12');
  now.cases = [numbered(13), numbered(11)];
  await readAgain();
  expect(references()).toEqual(['CASE-13', 'CASE-12', 'CASE-11']);
  expect(screen.getByTitle('Not in this list any more').textContent).toContain('CASE-12');
  fireEvent.click(screen.getByRole('button', { name: 'Show changes' }));
  expect(references()).toEqual(['CASE-13', 'CASE-11']);
});

test('what one changes oneself is shown in its new order at once, and only that', async () => {
  const filters = encodeURIComponent(JSON.stringify({ status: ['open'] }));
  const { now, readAgain } = show(`/air/case-management?filters=${filters}`, [numbered(12), numbered(11)]);
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select CASE-12' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Acknowledge' }));
  await waitFor(() => expect(references()).toEqual(['CASE-11']));
  now.cases = [numbered(13), ...now.cases];
  await readAgain();
  expect(references()).toEqual(['CASE-11']);
  expect(screen.getByRole('button', { name: '1 new case' })).toBeTruthy();
});

test('cards of the board keep their places when cases open, and a card one moves goes at once', async () => {
  const { now, readAgain } = show('/air/case-management?view=board', [numbered(12), numbered(11)]);
  const column = await screen.findByRole('region', { name: 'Open' });
  await within(column).findByRole('link', { name: /CASE-12/ });
  now.cases = [numbered(13), ...now.cases];
  await readAgain();
  expect(references(column)).toEqual(['CASE-12', 'CASE-11']);
  fireEvent.click(within(column).getByRole('button', { name: '1 new case' }));
  expect(references(column)).toEqual(['CASE-13', 'CASE-12', 'CASE-11']);
  fireEvent.keyDown(within(column).getByRole('link', { name: /CASE-12/ }), { key: 'ArrowRight', shiftKey: true });
  await waitFor(() => expect(references(column)).toEqual(['CASE-13', 'CASE-11']));
  expect(references(screen.getByRole('region', { name: 'Acknowledged' }))).toEqual(['CASE-12']);
});
