import type { CaseSuppression } from '@airdeck/contracts/cases/schema';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant } from '../../session/fixtures.ts';
import { failure, type Given, showApp } from '../../test-app.tsx';
import { acknowledgedCase, blockPlaybook, caseList } from './case/case-fixtures.ts';
// Loaded with the file, or the first test would wait for them.
import './suppressions-dialog.tsx';
import './case/run-playbook-dialog.tsx';

vi.setConfig({ testTimeout: 60_000 });
const api = `/api/tenants/${ownTenant}`;
const suppression: CaseSuppression = {
  ...{ id: '01920000-0000-7000-8000-000000000501', policy_id: '01920000-0000-7000-8000-000000000502' },
  ...{ policy_name: 'Port scans', group: { src_ip: '198.51.100.7' }, created_by: 'tom@example.com' },
  ...{ until: '2026-12-21T10:00:00.000Z', created_at: '2026-11-21T10:00:00.000Z' },
  ...{ case_id: acknowledgedCase.id, case_reference: 'CASE-7' },
};

type Answers = NonNullable<Given['answers']>;

function show(address: string, answers: Answers) {
  let isDown = false;
  const unlessDown = (answer: Answers[string]): Answers[string] => {
    return (request) => (isDown ? failure(400, 'VALIDATION_FAILED') : answer(request));
  };
  const { app } = showApp(address, {
    answers: Object.fromEntries(Object.entries(answers).map(([route, answer]) => [route, unlessDown(answer)])),
  });
  return {
    /** What is shown is read again, which fails. */
    readAgain: async (resource: string) => {
      isDown = true;
      await act(async () => {
        await app.queryClient.invalidateQueries({ queryKey: [ownTenant, resource] });
        await new Promise((resolve) => setTimeout(resolve));
      });
    },
  };
}

test('columns of the board keep their cards', async () => {
  const { readAgain } = show('/air/case-management?view=board', {
    [`GET ${api}/case`]: ({ url }) => {
      const status = url.searchParams.get('status');
      return Response.json(caseList(status === null || status === 'acknowledged' ? [acknowledgedCase] : []));
    },
  });
  const column = within(await screen.findByRole('region', { name: 'Acknowledged' }));
  await column.findByRole('link', { name: /CASE-7/ });
  await readAgain('cases');
  expect(column.getByRole('link', { name: /CASE-7/ })).toBeTruthy();
});

test('suppressed groups stay', async () => {
  const { readAgain } = show('/air/case-management', {
    [`GET ${api}/case`]: () => Response.json(caseList([])),
    [`GET ${api}/case_suppressions`]: () => Response.json({ suppressions: [suppression] }),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Suppressed' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('Port scans');
  await readAgain('cases');
  expect(dialog.getByText('Port scans')).toBeTruthy();
});

test('the form that runs a playbook stays', async () => {
  const { readAgain } = show(`/air/case-management/${acknowledgedCase.id}`, {
    [`GET ${api}/case/${acknowledgedCase.id}`]: () => Response.json(acknowledgedCase),
    [`GET ${api}/soar/playbooks`]: () => Response.json([blockPlaybook]),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'More for CASE-7' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Run playbook…' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByRole('button', { name: 'Run' });
  await readAgain('playbooks');
  expect(dialog.getByRole('button', { name: 'Run' })).toBeTruthy();
});
