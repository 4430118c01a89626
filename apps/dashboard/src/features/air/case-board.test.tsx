import type { CaseBulk, CaseDetail } from '@airdeck/contracts/cases/schema';
import type { CaseStatus } from '@airdeck/contracts/statuses';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant } from '../../session/fixtures.ts';
import { showApp } from '../../test-app.tsx';
import { acknowledgedCase, caseList } from './case/case-fixtures.ts';

vi.setConfig({ testTimeout: 60_000 });
const path = `/api/tenants/${ownTenant}/case`;

test('the focus follows a card that is moved by keyboard, also after the question why it is closed', async () => {
  let status: CaseStatus = 'open';
  const isIn = (url: URL) => [null, `${status}`].includes(url.searchParams.get('status'));
  showApp('/air/case-management?view=board', {
    answers: {
      [`GET ${path}`]: ({ url }) =>
        Response.json(caseList(isIn(url) ? [{ ...acknowledgedCase, alert_status: status }] : [])),
      [`POST ${path}/bulk`]: ({ body }) => {
        status = (body as CaseBulk).change?.alert_status ?? status;
        return Response.json({ matched: 1, results: [] });
      },
    },
  });
  const cardIn = async (column: string) =>
    await within(await screen.findByRole('region', { name: column })).findByRole('link', { name: /CASE-7/ });
  const moveOn = (card: HTMLElement) => fireEvent.keyDown(card, { key: 'ArrowRight', shiftKey: true });

  const opened = await cardIn('Open');
  opened.focus();
  moveOn(opened);
  const acknowledged = await cardIn('Acknowledged');
  await waitFor(() => expect(document.activeElement).toBe(acknowledged));

  moveOn(acknowledged);
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('radio', { name: /true positive/i }));
  fireEvent.click(dialog.getByRole('button', { name: /^Close/ }));
  const closed = await cardIn('Closed');
  await waitFor(() => expect(document.activeElement).toBe(closed));
});

test('a card that is not closed keeps its question open, with what was filled in', async () => {
  const { id, reference } = acknowledgedCase;
  const told = 'This case changed in the meantime: status.';
  const refused = { id, reference, outcome: 'refused', message: told, conflict: true, run_id: null };
  let now: CaseDetail = acknowledgedCase;
  const sent: CaseBulk[] = [];
  showApp('/air/case-management?view=board', {
    answers: {
      [`GET ${path}`]: ({ url }) =>
        Response.json(
          caseList([null, now.alert_status].includes(url.searchParams.get('status') as CaseStatus) ? [now] : []),
        ),
      [`POST ${path}/bulk`]: ({ body }) => {
        sent.push(body as CaseBulk);
        now = { ...now, alert_status: 'open' };
        return Response.json({ matched: 1, results: [{ ...refused, before: null, after: null }] });
      },
    },
  });
  const column = within(await screen.findByRole('region', { name: 'Acknowledged' }));
  fireEvent.keyDown(await column.findByRole('link', { name: /CASE-7/ }), { key: 'ArrowRight', shiftKey: true });
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('radio', { name: /true positive/i }));
  const close = dialog.getByRole('button', { name: 'Close 1 case' });
  fireEvent.click(close);
  expect((await dialog.findByRole('alert')).textContent).toContain(told);
  expect(dialog.getByRole<HTMLInputElement>('radio', { name: /true positive/i }).checked).toBe(true);
  fireEvent.click(close);
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.seen).toEqual([{ id, alert_status: 'open', assignee: null }]);
});
