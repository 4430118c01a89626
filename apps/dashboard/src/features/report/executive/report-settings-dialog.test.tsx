import type { ExecutiveReportSettings } from '@airdeck/contracts/reports/executive-report';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { overtaken } from '../../../components/overtaken-fixture.ts';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { showApp } from '../../../test-app.tsx';
// Loaded with the file, or the first test would wait for it.
import './executive-page.tsx';
import { reportSettings } from './report-settings-fixture.ts';

vi.setConfig({ testTimeout: 30_000 });

test('somebody else was faster: what was chosen stays, and is saved over what they left', async () => {
  const path = `/api/tenants/${ownTenant}/reports`;
  const anna = { id: '01920000-0000-7000-8000-000000000a01', name: 'Anna', email: 'anna@example.com' };
  let now = reportSettings();
  const sent: { updated_at: string | null }[] = [];
  const me = userWith({ own: 'Admin' });
  for (const { sku_info } of Object.values(me.tenants)) sku_info.is_mdr_enabled = true;
  showApp('/mdr/executive-reports', {
    me,
    answers: {
      [`GET ${path}`]: () => Response.json({ files: [] }),
      [`GET ${path}/executive/settings`]: () => Response.json(now),
      [`GET ${path}/executive/recipients`]: () => Response.json({ contacts: [anna], users: [] }),
      [`PUT ${path}/executive/settings`]: ({ body }) => {
        const change = body as ExecutiveReportSettings;
        sent.push(change);
        if (change.updated_at !== now.updated_at) return overtaken('body.updated_at', 'Somebody else changed it.');
        return Response.json({ ...now, ...change });
      },
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Each month…' }));
  const dialog = within(await screen.findByRole('dialog'));
  const makesIt = await dialog.findByRole('switch', { name: 'Make the report of a month when it is over' });
  fireEvent.click(makesIt);
  now = { ...now, locale: 'pt-BR', updated_at: '2026-11-03T00:00:00.000Z' };
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText(/Somebody else changed it/)).toBeTruthy();
  expect((makesIt as HTMLInputElement).checked).toBe(true);
  fireEvent.click(dialog.getByRole('button', { name: 'Load it again, keep what I typed' }));
  await waitFor(() => expect(dialog.queryByText(/Somebody else changed it/)).toBeNull());
  expect(dialog.getByRole<HTMLSelectElement>('combobox', { name: 'Language and formats' }).value).toBe('pt-BR');
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toMatchObject({ enabled: true, locale: 'pt-BR', updated_at: '2026-11-03T00:00:00.000Z' });
});
