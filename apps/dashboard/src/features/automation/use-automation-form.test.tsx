import type { RuleResponse } from '@airdeck/contracts/rule-responses/schema';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { AppContextProvider } from '../../session/app-context.ts';
import { ownTenant } from '../../session/fixtures.ts';
import { visit } from '../../test-app.tsx';
import { draftOf } from './automation-draft.ts';
import { type AutomationFormState, useAutomationForm } from './use-automation-form.ts';

vi.setConfig({ testTimeout: 60_000 });

const stored = {
  ...{ rule_id: '01920000-0000-7000-8000-000000000601', response_name: 'Block', response_type: 'playbook' },
  ...{ trigger: 'case_opened', definition_id: '01920000-0000-7000-8000-000000000701', connector_id: null },
  ...{ inputs: {}, conditions: null, enabled: true, revision: 3 },
} as unknown as RuleResponse;

test('what is typed while it is being saved is the next change, not lost with the answer', async () => {
  let answer: () => void = () => undefined;
  const { app } = await visit('/unauthorized', {
    answers: {
      [`PUT /api/tenants/${ownTenant}/soar/rule_responses/${stored.rule_id}`]: () =>
        new Promise((resolve) => {
          answer = () => resolve(Response.json({ ...stored, enabled: false, revision: 4 }));
        }),
    },
  });
  const told: [number, boolean][] = [];
  const { result } = renderHook(
    () =>
      useAutomationForm({
        initial: draftOf(stored),
        stored,
        onSaved: ({ revision }, isAll) => void told.push([revision, isAll]),
      }),
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <AppContextProvider value={app}>
          <QueryClientProvider client={app.queryClient}>{children}</QueryClientProvider>
        </AppContextProvider>
      ),
    },
  );
  const save = async () => {
    act(() => void result.current.submit());
    await waitFor(() => expect(result.current.saving).toBe(true));
  };
  act(() => result.current.change({ enabled: false }));
  await save();
  act(() => result.current.change({ conditions: "case.severity == 'high'" }));
  act(() => answer());
  await waitFor(() => expect(told).toEqual([[4, false]]));
  await waitFor(() => expect(result.current.saving).toBe(false));
  expect(result.current.draft.conditions).toBe("case.severity == 'high'");
  await save();
  act(() => answer());
  await waitFor(() => expect(told.at(-1)).toEqual([4, true]));
});

test('it is saved as often as it is changed, by a screen that shows what was saved', async () => {
  let revision = 3;
  const { app } = await visit('/unauthorized', {
    answers: {
      [`PUT /api/tenants/${ownTenant}/soar/rule_responses/${stored.rule_id}`]: ({ body }) => {
        revision += 1;
        return Response.json({ ...stored, ...(body as object), revision });
      },
    },
  });
  const { result } = renderHook(
    () => {
      const [base, setBase] = useState(stored);
      const form: AutomationFormState = useAutomationForm({
        initial: draftOf(base),
        stored: base,
        onSaved: (saved) => {
          setBase(saved);
          form.reset(draftOf(saved));
        },
      });
      return { form, base };
    },
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <AppContextProvider value={app}>
          <QueryClientProvider client={app.queryClient}>{children}</QueryClientProvider>
        </AppContextProvider>
      ),
    },
  );
  for (const enabled of [false, true, false]) {
    const next = result.current.base.revision + 1;
    act(() => result.current.form.change({ enabled }));
    act(() => void result.current.form.submit());
    await waitFor(() => expect(result.current.base.revision).toBe(next));
    await waitFor(() => expect(result.current.form.saving).toBe(false));
  }
});
