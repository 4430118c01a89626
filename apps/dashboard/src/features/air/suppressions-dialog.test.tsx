import type { CaseSuppression } from '@airdeck/contracts/cases/schema';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant } from '../../session/fixtures.ts';
import { failure, showApp } from '../../test-app.tsx';
import { acknowledgedCase, caseList } from './case/case-fixtures.ts';
// Loaded with the file, or the test would wait for it.
import './suppressions-dialog.tsx';

vi.setConfig({ testTimeout: 60_000 });
const api = `/api/tenants/${ownTenant}`;

function suppression(number: number): CaseSuppression {
  return {
    id: `01920000-0000-7000-8000-00000000050${number}`,
    policy_id: '01920000-0000-7000-8000-000000000601',
    policy_name: 'Port scans',
    group: { src_ip: `198.51.100.${number}` },
    until: `2026-12-2${number}T10:00:00.000Z`,
    created_at: '2026-11-21T10:00:00.000Z',
    created_by: 'tom@example.com',
    case_id: acknowledgedCase.id,
    case_reference: `CASE-${number}`,
  };
}

test('the suppression that lasts longest is found and ended, also where one answer does not hold them all', async () => {
  const ended: string[] = [];
  const running = () => [suppression(1), suppression(2), suppression(3)].filter(({ id }) => !ended.includes(id));
  let isDown = true;
  const last = suppression(3).id;
  showApp('/air/case-management', {
    answers: {
      [`GET ${api}/case`]: () => Response.json(caseList([])),
      [`GET ${api}/case_suppressions`]: ({ url }) => {
        if (url.searchParams.get('cursor') !== 'after-2') {
          return Response.json({ suppressions: running().slice(0, 2), cursor: ended.length === 0 ? 'after-2' : null });
        }
        return isDown
          ? failure(400, 'VALIDATION_FAILED')
          : Response.json({ suppressions: running().slice(2), cursor: null });
      },
      [`DELETE ${api}/case_suppressions/${last}`]: () => {
        ended.push(last);
        return new Response(null, { status: 204 });
      },
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Suppressed' }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(await dialog.findByRole('button', { name: 'Load more' }));
  expect(dialog.getByText('2 groups, later ones not shown')).toBeTruthy();
  const again = await dialog.findByRole('button', { name: 'More could not be loaded. Try again' });
  isDown = false;
  fireEvent.click(again);
  fireEvent.click(await dialog.findByRole('button', { name: 'End the suppression of CASE-3' }));
  await vi.waitFor(() => expect(dialog.queryByText('198.51.100.3')).toBeNull());
  expect(dialog.getByText('198.51.100.2')).toBeTruthy();
  expect(dialog.queryByRole('button', { name: 'Load more' })).toBeNull();
});
