import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { AppContextProvider } from '../../session/app-context.ts';
import { ownTenant } from '../../session/fixtures.ts';
import { visit } from '../../test-app.tsx';
import { PolicyField } from './policy-field.tsx';

vi.setConfig({ testTimeout: 60_000 });
const path = `/api/tenants/${ownTenant}/soar/rules`;
const id = '01920000-0000-7000-8000-000000000601';
const switchedOff = { id, enabled: false, rule: { name: 'SSH guessing' } };

async function show(value: string) {
  const searches: (string | null)[] = [];
  const { app } = await visit('/unauthorized', {
    answers: {
      [`GET ${path}`]: ({ url }) => {
        const q = url.searchParams.get('q');
        searches.push(q);
        const rules = q === null || switchedOff.rule.name.includes(q) ? [switchedOff] : [];
        return Response.json({ rules, total: rules.length, facets: {} });
      },
      [`GET ${path}/${id}`]: () => Response.json(switchedOff),
    },
  });
  render(
    <MantineProvider env="test">
      <AppContextProvider value={app}>
        <QueryClientProvider client={app.queryClient}>
          <PolicyField value={value} problem={undefined} onChange={() => undefined} />
        </QueryClientProvider>
      </AppContextProvider>
    </MantineProvider>,
  );
  return { searches, field: await screen.findByPlaceholderText<HTMLInputElement>('Search policies') };
}

test('the name of a policy that is switched off stays in the field, and is not searched for', async () => {
  const { searches, field } = await show(id);
  await vi.waitFor(() => expect(field.value).toBe('SSH guessing · switched off'));
  // Longer than a label that comes and goes takes for a turn.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(field.value).toBe('SSH guessing · switched off');
  expect(searches.filter((q) => q !== null)).toEqual([]);
});

test('what is typed is looked for by the server', async () => {
  const { searches, field } = await show('');
  field.focus();
  fireEvent.change(field, { target: { value: 'guess' } });
  await vi.waitFor(() => expect(searches).toContain('guess'));
});
