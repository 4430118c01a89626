import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant } from '../../session/fixtures.ts';
import { showApp } from '../../test-app.tsx';
import { connector } from '../actions/action-fixtures.ts';
import { graylog } from '../integrations/integrations-fixture.ts';
import { search } from '../search/search-screen-fixture.ts';
import { schedule } from './report-fixtures.ts';
// Loaded with the file, or the first test would wait for them.
import './export-dialog.tsx';
import './schedule-dialog.tsx';

vi.setConfig({ testTimeout: 60_000 });
const tenant = `/api/tenants/${ownTenant}`;
const sentence = 'Events that are found live are not in the file.';
const own = connector(1, { definition_id: 'graylog' });
const answers = (capabilities: string[]) => ({
  [`GET ${tenant}/connectors`]: () => Response.json([own]),
  [`GET ${tenant}/available_integrations`]: () => Response.json([{ ...graylog, capabilities }]),
});

async function exportDialog(address: string, capabilities = ['search']) {
  const { app } = search(address, answers(capabilities));
  fireEvent.click(await screen.findByRole('button', { name: 'Export' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Export this search' }));
  await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
  return dialog;
}

test('an export says that what is found live is not in it, where the search asks a vendor live', async () => {
  expect((await exportDialog('/search/')).getByText(sentence)).toBeDefined();
});

test.each([
  ['names other sources', '/search/?integrations=["sshd"]', ['search']],
  ['names another connector', '/search/?connector_id=01920000-0000-7000-8000-0000000009ff', ['search']],
  ['has no vendor to ask', '/search/', ['fetch_events']],
])('an export does not say so where the search %s', async (_what, address, capabilities) => {
  expect((await exportDialog(address, capabilities)).queryByText(sentence)).toBeNull();
});

test('a schedule says so, too', async () => {
  const made = schedule(1, { search: { integrations: ['graylog'], query: '', filters: [] } });
  const reports = `GET ${tenant}/reports/air`;
  showApp(`/report/air?panel=schedules&schedule=${made.id}`, {
    answers: {
      ...answers(['search']),
      [reports]: () => Response.json([]),
      [`${reports}/schedules`]: () => Response.json([made]),
      [`${reports}/schedules/recipients`]: () => Response.json([]),
    },
  });
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText(sentence)).toBeDefined();
});
