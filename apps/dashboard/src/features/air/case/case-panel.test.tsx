import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant } from '../../../session/fixtures.ts';
import { showApp } from '../../../test-app.tsx';
import { caseList, acknowledgedCase as first } from './case-fixtures.ts';
// Loaded with the file, or the first test would wait for it.
import './case-panel.tsx';

vi.setConfig({ testTimeout: 60_000 });
const path = `/api/tenants/${ownTenant}/case`;
const second = { ...first, id: '01920000-0000-7000-8000-000000000302', reference: 'CASE-8' };

test('the story of another case begins unfiltered, or it would hide what happened there', async () => {
  const { router } = showApp(`/air/case-management?case=${first.id}`, {
    answers: {
      [`GET ${path}`]: () => Response.json(caseList([first, second])),
      [`GET ${path}/${first.id}`]: () => Response.json(first),
      [`GET ${path}/${second.id}`]: () => Response.json(second),
    },
  });
  const panel = within(await screen.findByRole('dialog'));
  fireEvent.click(await panel.findByRole('button', { name: 'Kind' }));
  fireEvent.click(await screen.findByRole('checkbox', { name: /Opened/ }));
  await panel.findByRole('button', { name: /^Kind.+/ });
  void router.navigate({ to: '/air/case-management', search: { case: second.id } });
  await panel.findByText('CASE-8');
  await waitFor(() => expect(panel.getByRole('button', { name: /^Kind/ }).textContent).toBe('Kind'));
});
