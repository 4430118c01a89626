import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { AppContextProvider } from '../../session/app-context.ts';
import { ownTenant } from '../../session/fixtures.ts';
import { visit } from '../../test-app.tsx';
import { acknowledgedCase, caseList } from '../air/case/case-fixtures.ts';
import { type AutomationDraft, newDraft } from './automation-draft.ts';
import { TrialPanel } from './trial-panel.tsx';

vi.setConfig({ testTimeout: 60_000 });
const { id } = acknowledgedCase;
const draft: AutomationDraft = {
  ...newDraft({}),
  ruleId: '01920000-0000-7000-8000-000000000601',
  definitionId: '01920000-0000-7000-8000-000000000701',
};

test('what a trial said is marked as old once the automation is another one', async () => {
  const { app } = await visit('/unauthorized', {
    answers: {
      [`GET /api/tenants/${ownTenant}/case`]: () => Response.json(caseList([acknowledgedCase])),
      [`POST /api/tenants/${ownTenant}/soar/rule_responses/dry_run`]: () =>
        Response.json({
          ...{ condition: { holds: true, problem: null }, inputs: {}, problems: [], run_id: null, context: {} },
        }),
    },
  });
  const panel = (of: AutomationDraft) => (
    <MantineProvider env="test">
      <AppContextProvider value={app}>
        <QueryClientProvider client={app.queryClient}>
          <TrialPanel draft={of} caseId={id} onCase={() => undefined} />
        </QueryClientProvider>
      </AppContextProvider>
    </MantineProvider>
  );
  const { rerender } = render(panel(draft));
  fireEvent.click(await screen.findByRole('button', { name: 'Try it' }));
  await screen.findByText('It would have started the playbook.');
  const old = 'The automation was changed since. Try it again.';
  expect(screen.queryByText(old)).toBeNull();
  rerender(panel({ ...draft, name: 'Block' }));
  expect(screen.queryByText(old)).toBeNull();
  rerender(panel({ ...draft, type: 'action', conditions: 'false' }));
  expect(screen.getByText(old)).toBeTruthy();
  // Of what was tried, not of what is in the form now.
  expect(screen.getByText('It would have started the playbook.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Try it' }));
  await screen.findByText('It would have started the action.');
  expect(screen.queryByText(old)).toBeNull();
});
