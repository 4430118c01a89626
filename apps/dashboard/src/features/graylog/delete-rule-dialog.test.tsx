import type { AutomationRule } from '@airdeck/contracts/automation-rules/schema';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { AppContextProvider } from '../../session/app-context.ts';
import { ownTenant } from '../../session/fixtures.ts';
import { failure, visit } from '../../test-app.tsx';
import { DeleteRuleDialog } from './delete-rule-dialog.tsx';

vi.setConfig({ testTimeout: 60_000 });
const at = '2026-11-24T08:00:00.000Z';
const rule: AutomationRule = {
  ...{ id: '01920000-0000-7000-8000-000000000901', tenant: ownTenant, name: 'Answer port scans', enabled: true },
  ...{ event_category_id: 'd1', event_definition: { id: 'd1', title: 'Port scan' } },
  ...{ connector_id: '01920000-0000-7000-8000-000000000902', connector_name: 'Graylog' },
  actions: { responses: [] },
  notification: { state: 'attached', reason: null, title: 'AIRdeck: Answer port scans', checked_at: at },
  ...{ deleting: false, source_id: null, created_by: 'ana', updated_by: 'ana', created_at: at, updated_at: at },
  ...{ revision: 3, last_triggered_at: null, triggered_count: 0, problems: [] },
};

/** The dialog of a rule, whose deletion is refused with these codes before it succeeds. */
async function ask(of: AutomationRule, ...refusals: string[]) {
  const forced: boolean[] = [];
  const onGone = vi.fn(async () => undefined);
  const { app } = await visit('/unauthorized', {
    answers: {
      [`DELETE /api/tenants/${ownTenant}/event/automation_rules/${of.id}`]: ({ url }) => {
        forced.push(url.searchParams.get('force') === 'true');
        const code = refusals.shift();
        return code === undefined
          ? new Response(null, { status: 204 })
          : failure(code === 'CONFLICT' ? 409 : 502, code);
      },
    },
  });
  render(
    <MantineProvider env="test">
      <AppContextProvider value={app}>
        <QueryClientProvider client={app.queryClient}>
          <DeleteRuleDialog rule={of} onGone={onGone} onClose={() => undefined} />
        </QueryClientProvider>
      </AppContextProvider>
    </MantineProvider>,
  );
  return { forced, onGone };
}

test('is forced only after Graylog has refused, and says so first', async () => {
  const { forced, onGone } = await ask(rule, 'ACTION_FAILED');
  fireEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Delete here anyway' }));
  await vi.waitFor(() => expect(onGone).toHaveBeenCalledTimes(1));
  expect(forced).toEqual([false, true]);
});

test('is asked of Graylog again after any other refusal', async () => {
  const { forced, onGone } = await ask(rule, 'CONFLICT');
  fireEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  await screen.findByText('No.');
  expect(screen.queryByRole('button', { name: 'Delete here anyway' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
  await vi.waitFor(() => expect(onGone).toHaveBeenCalledTimes(1));
  expect(forced).toEqual([false, false]);
});

test('of one whose deletion failed before is forced at once', async () => {
  const failed = { ...rule.notification, state: 'failed' as const, reason: 'Graylog said no.' };
  const { forced } = await ask({ ...rule, deleting: true, notification: failed });
  fireEvent.click(await screen.findByRole('button', { name: 'Delete here anyway' }));
  await vi.waitFor(() => expect(forced).toEqual([true]));
});
