import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant } from '../../../session/fixtures.ts';
import { showApp } from '../../../test-app.tsx';
import { acknowledgedCase, blockPlaybook } from './case-fixtures.ts';

vi.setConfig({ testTimeout: 60_000 });
const path = `/api/tenants/${ownTenant}/case`;
const { id, reference } = acknowledgedCase;

test('a playbook that is refused says why, and the dialog stays with what was filled in', async () => {
  const refused = { id, reference, outcome: 'refused', message: 'Its inputs have a gap.', conflict: false };
  showApp(`/air/case-management/${id}`, {
    answers: {
      [`GET ${path}/${id}`]: () => Response.json(acknowledgedCase),
      [`GET /api/tenants/${ownTenant}/soar/playbooks`]: () => Response.json([blockPlaybook]),
      [`POST ${path}/bulk`]: () =>
        Response.json({ matched: 1, results: [{ ...refused, run_id: null, before: null, after: null }] }),
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'More for CASE-7' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Run playbook…' }));
  const dialog = await screen.findByRole('dialog');
  fireEvent.click(await within(dialog).findByRole('button', { name: 'Run' }));
  expect(await screen.findByText('Its inputs have a gap.')).toBeTruthy();
  expect(within(dialog).getByRole('button', { name: 'Run' })).toBeTruthy();
});
