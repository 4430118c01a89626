import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { showApp } from '../../../test-app.tsx';
// Loaded with the file, or the first test would wait for it.
import './executive-page.tsx';
import { reportSettings } from './report-settings-fixture.ts';

vi.setConfig({ testTimeout: 30_000 });

test.each([
  ['', new Intl.DateTimeFormat().resolvedOptions().timeZone],
  ['America/Sao_Paulo', 'America/Sao_Paulo'],
])('a month is that of the zone it is listed in, with %j in the profile', async (timezone, zone) => {
  const path = `/api/tenants/${ownTenant}/reports`;
  const sent: unknown[] = [];
  const me = userWith({ own: 'Admin' });
  me.user.timezone = timezone;
  for (const { sku_info } of Object.values(me.tenants)) sku_info.is_mdr_enabled = true;
  showApp('/mdr/executive-reports', {
    me,
    answers: {
      [`GET ${path}`]: () => Response.json({ files: [] }),
      [`GET ${path}/executive/settings`]: () => Response.json(reportSettings()),
      [`POST ${path}`]: ({ body }) => {
        sent.push(body);
        return new Response(null, { status: 503 });
      },
    },
  });
  const [open] = await screen.findAllByRole('button', { name: 'Make a report' });
  if (open !== undefined) fireEvent.click(open);
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('button', { name: 'Make report' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ time_zone: zone });
});
