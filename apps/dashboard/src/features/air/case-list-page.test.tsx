import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant } from '../../session/fixtures.ts';
import { showApp } from '../../test-app.tsx';
import { acknowledgedCase, caseList } from './case/case-fixtures.ts';
// Loaded with the file, or the first test would wait for it.
import './case/case-panel.tsx';

vi.setConfig({ testTimeout: 60_000 });
const path = `/api/tenants/${ownTenant}/case`;

test('a case opens and closes beside the list where one was reading; the next page begins at its top', async () => {
  const { at } = showApp('/air/case-management', {
    answers: {
      [`GET ${path}`]: () => Response.json({ ...caseList([acknowledgedCase]), total: 60 }),
      [`GET ${path}/${acknowledgedCase.id}`]: () => Response.json(acknowledgedCase),
    },
  });
  fireEvent.click(await screen.findByText('Password guessing'));
  const scrolled = vi.spyOn(window, 'scrollTo');
  await screen.findByRole('button', { name: 'More for CASE-7' });
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(at()).not.toContain('case='));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(scrolled).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'Next page' }));
  await waitFor(() => expect(scrolled).toHaveBeenCalled());
});

test('a start that is chosen after the end of the address takes that end away, and not both', async () => {
  const { at } = showApp('/air/case-management?endTime=2020-05-31T00:00:00.000Z', {
    answers: { [`GET ${path}`]: () => Response.json(caseList([acknowledgedCase])) },
  });
  const opened = await screen.findByLabelText<HTMLSelectElement>('Opened');
  const today = opened.options[1]?.value ?? '';
  fireEvent.change(opened, { target: { value: today } });
  await waitFor(() => expect(at()).toContain('startTime='));
  expect(at()).not.toContain('endTime=');
});
