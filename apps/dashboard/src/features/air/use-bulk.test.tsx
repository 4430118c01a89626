import type { CaseBulk, CaseBulkAnswer } from '@airdeck/contracts/cases/schema';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant } from '../../session/fixtures.ts';
import { failure, showApp } from '../../test-app.tsx';
import { acknowledgedCase, caseList } from './case/case-fixtures.ts';

vi.setConfig({ testTimeout: 60_000 });
const slow = { timeout: 20_000 };
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
  const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }, slow));
  fireEvent.click(await screen.findByRole('checkbox', { name: /^Select CASE-7/ }, slow));
  await press('Acknowledge');
  await press('Undo');
  await waitFor(() => expect(sent).toHaveLength(2), slow);
  await waitFor(
    () => expect(screen.getByRole('button', { name: 'Undo' }).hasAttribute('data-loading')).toBe(false),
    slow,
  );
  await press('Undo');
  await waitFor(() => expect(sent).toHaveLength(3), slow);
  expect(sent[2]).toEqual({ alert_status: 'open' });
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull(), slow);
});
