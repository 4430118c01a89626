import type { CaseBulk, CaseBulkAnswer } from '@airdeck/contracts/cases/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant } from '../../session/fixtures.ts';
import { failure, showApp } from '../../test-app.tsx';
import { acknowledgedCase, caseList } from './case/case-fixtures.ts';

vi.setConfig({ testTimeout: 60_000 });
const path = `/api/tenants/${ownTenant}/case`;
const { id, reference } = acknowledgedCase;

test('what could not be taken back can be tried again', async () => {
  const sent: (CaseBulk['change'] | undefined)[] = [];
  const state = { assignee: null, tags: [] };
  const answer: CaseBulkAnswer = {
    matched: 1,
    results: [
      {
        ...{ id, reference, outcome: 'changed', message: null, conflict: false, run_id: null },
        before: { ...state, alert_status: 'open' },
        after: { ...state, alert_status: 'acknowledged' },
      },
    ],
  };
  showApp('/air/case-management', {
    answers: {
      [`GET ${path}`]: () => Response.json(caseList([{ ...acknowledgedCase, alert_status: 'open' }])),
      [`POST ${path}/bulk`]: ({ body }) => {
        sent.push((body as CaseBulk).change);
        return sent.length === 2 ? failure(503, 'STORE_UNAVAILABLE') : Response.json(answer);
      },
    },
  });
  const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
  fireEvent.click(await screen.findByRole('checkbox', { name: /^Select CASE-7/ }));
  await press('Acknowledge');
  await press('Undo');
  await waitFor(() => expect(sent).toHaveLength(2));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Undo' }).hasAttribute('data-loading')).toBe(false));
  await press('Undo');
  await waitFor(() => expect(sent).toHaveLength(3));
  expect(sent[2]).toEqual({ alert_status: 'open' });
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
});

test('a response is taken back, and the status alone by a server that does not know how', async () => {
  const time = '2026-11-21T10:00:00.000Z';
  const sent: CaseBulk[] = [];
  const state = { assignee: null, tags: [], waiting_since: null };
  const answer: CaseBulkAnswer = {
    matched: 1,
    results: [
      {
        ...{ id, reference, outcome: 'changed', message: null, conflict: false, run_id: null },
        before: { ...state, alert_status: 'open', time_acknowledged: null },
        after: { ...state, alert_status: 'acknowledged', time_acknowledged: time },
      },
    ],
  };
  showApp('/air/case-management', {
    answers: {
      [`GET ${path}`]: () => Response.json(caseList([{ ...acknowledgedCase, alert_status: 'open' }])),
      [`POST ${path}/bulk`]: ({ body }) => {
        sent.push(body as CaseBulk);
        if (sent.length !== 2) return Response.json(answer);
        const values = { names: '"unacknowledge"' };
        const of = { path: 'body.change', message: 'Unknown.', reason: 'FIELDS_UNKNOWN', values };
        const refused = { message: 'No.', code: 'VALIDATION_FAILED', request_id: 'req-9', details: [of] };
        return Response.json(refused, { status: 400 });
      },
    },
  });
  fireEvent.click(await screen.findByRole('checkbox', { name: /^Select CASE-7/ }));
  fireEvent.click(await screen.findByRole('button', { name: 'Acknowledge' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(sent).toHaveLength(3));
  const seen = { id, alert_status: 'acknowledged' };
  expect(sent.slice(1)).toEqual([
    {
      cases: [id],
      change: { alert_status: 'open', unacknowledge: true },
      seen: [{ ...seen, time_acknowledged: time }],
    },
    { cases: [id], change: { alert_status: 'open' }, seen: [seen] },
  ]);
});

test('what was chosen on another page is changed only as it was seen there', async () => {
  const other = { ...acknowledgedCase, id: id.replace('301', '302'), reference: 'CASE-8', alert_name: 'Odd sign-in' };
  const sent: CaseBulk[] = [];
  showApp('/air/case-management', {
    answers: {
      [`GET ${path}`]: ({ url }) => {
        const rows = url.searchParams.get('page') === '2' ? [other] : [{ ...acknowledgedCase, assignee: 'tom' }];
        return Response.json({ ...caseList(rows), total: 26 });
      },
      [`POST ${path}/bulk`]: ({ body }) => {
        sent.push(body as CaseBulk);
        return Response.json({ matched: 2, results: [] });
      },
    },
  });
  fireEvent.click(await screen.findByRole('checkbox', { name: /^Select CASE-7/ }));
  fireEvent.click(screen.getByRole('button', { name: 'Next page' }));
  fireEvent.click(await screen.findByRole('checkbox', { name: /^Select CASE-8/ }));
  fireEvent.click(screen.getByRole('button', { name: 'Acknowledge' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.seen).toEqual([
    { id, alert_status: 'acknowledged', assignee: 'tom' },
    { id: other.id, alert_status: 'acknowledged', assignee: null },
  ]);
});

test('what somebody else closes while the dialog is open is changed only as it was when it opened', async () => {
  const sent: CaseBulk[] = [];
  let now = acknowledgedCase;
  const { app } = showApp('/air/case-management', {
    answers: {
      [`GET ${path}`]: () => Response.json(caseList([now])),
      [`POST ${path}/bulk`]: ({ body }) => {
        sent.push(body as CaseBulk);
        return Response.json({ matched: 1, results: [] });
      },
    },
  });
  fireEvent.click(await screen.findByRole('checkbox', { name: /^Select CASE-7/ }));
  fireEvent.click(screen.getByRole('button', { name: 'Tag…' }));
  const dialog = await screen.findByRole('dialog');
  now = { ...acknowledgedCase, assignee: 'tom@example.com' };
  await app.queryClient.invalidateQueries();
  const field = within(dialog).getByLabelText('Add');
  fireEvent.change(field, { target: { value: 'vpn' } });
  fireEvent.submit(field);
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.seen).toEqual([{ id, alert_status: 'acknowledged', assignee: null }]);
});
