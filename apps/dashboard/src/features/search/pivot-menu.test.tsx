import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ownTenant } from '../../session/fixtures.ts';
import type { Given } from '../../test-app.tsx';
import { foundEvent, searchAnswer } from './search-fixtures.ts';
import { drawer, drawRows, RUN, search } from './search-screen-fixture.ts';
// Loaded with the file, or the first test would wait for them.
import './event-panel.tsx';
import './policy-choice-dialog.tsx';

vi.setConfig({ testTimeout: 60_000 });
beforeAll(drawRows);

const writeText = vi.fn<(text: string) => Promise<void>>();
beforeEach(() => {
  writeText.mockReset();
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
});
// This document has none by itself.
afterAll(() => {
  Reflect.deleteProperty(navigator, 'clipboard');
});

let shown: ReturnType<typeof search>;

/** The menu of a value of an opened event; its names. */
async function menuOf(user: string, answers: Given['answers'] = {}): Promise<string[]> {
  const event = foundEvent(3, { user });
  const all = { [RUN]: () => Response.json(searchAnswer([event])), ...answers };
  shown = search(`/search/?event=${event.id}`, all);
  const panel = within(await drawer());
  fireEvent.click(await panel.findByRole('button', { name: `What to do with user ${user.slice(0, 80)}` }));
  await screen.findByRole('menuitem', { name: 'Copy value' });
  return screen.getAllByRole('menuitem').map(({ textContent }) => textContent ?? '');
}

test('a value longer than a filter takes is offered no filter: cut, it would find nothing', async () => {
  const names = await menuOf('x'.repeat(1001));
  expect(names).not.toContain('Only this value');
  expect(names).not.toContain('Not this value');
  expect(names).toContain('Search this value everywhere');
});

test('a value as long as a filter takes is offered one', async () => {
  expect(await menuOf('x'.repeat(1000))).toContain('Only this value');
});

test('a value longer than a query takes is not offered as one', async () => {
  expect(await menuOf('x'.repeat(9_000))).not.toContain('Search this value everywhere');
});

test('copying that the browser refuses is told, not passed over', async () => {
  writeText.mockRejectedValue(new DOMException('Denied', 'NotAllowedError'));
  await menuOf('root');
  fireEvent.click(screen.getByRole('menuitem', { name: 'Copy value' }));
  await screen.findByText('This browser did not let it be copied. Select it and copy it by hand.');
  expect(screen.queryByText('Value copied')).toBeNull();
});

test('copying without a clipboard, as on a page without encryption, is told too', async () => {
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined });
  await menuOf('root');
  fireEvent.click(screen.getByRole('button', { name: 'Copy message', hidden: true }));
  await screen.findByText('This browser did not let it be copied. Select it and copy it by hand.');
});

test('a value is added to a policy that is looked for by name, in the form of that policy', async () => {
  const asked: (string | null)[] = [];
  const policyOf = (number: number, more: object = {}) => ({
    ...{ id: `01930000-0000-7000-8000-00000000000${number}`, enabled: true, created_alert: null, tenant: ownTenant },
    rule: {
      ...{ name: `Policy ${number}`, description: '', type: 'custom', severity: 'high' },
      logic: {
        ...{ rule_type: 'filter_and_group', group_by: [] },
        filter_criteria: [{ field: 'user', operator: 'equals', value: 'root' }],
        source: { source_type: 'log', connector_definition_id: 'sshd', event_type: '' },
      },
    },
    ...{ version: 1, origin: 'own', author: 'ana', created_at: foundEvent(1).time, updated_at: foundEvent(1).time },
    ...{ updated_by: 'ana', last_case: null, open_cases: 0, matches_by_day: Array.from({ length: 14 }, () => 0) },
    ...{ throttled_until: null, dropped_matches: 0, published: null },
    ...more,
  });
  const all = [policyOf(1), policyOf(2, { enabled: false, published: { version: 1, overridden: false } })];
  const names = await menuOf('root', {
    [`GET /api/tenants/${ownTenant}/soar/rules`]: ({ url }) => {
      const q = url.searchParams.get('q');
      asked.push(q);
      const rules = q === null ? all : all.filter(({ rule }) => rule.name.includes(q));
      return Response.json({
        rules,
        total: rules.length,
        facets: { enabled: [], severity: [], source: [], origin: [] },
      });
    },
  });
  expect(names).toContain('Add to a policy…');
  fireEvent.click(screen.getByRole('menuitem', { name: 'Add to a policy…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add user is root to a policy' }));
  const list = within(await dialog.findByRole('list', { name: 'Policies' }));
  expect(list.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Policy 1OnHigh',
    'Policy 2Off · From your providerHigh',
  ]);
  fireEvent.change(dialog.getByRole('textbox', { name: 'Search policies' }), { target: { value: ' Policy 2 ' } });
  await waitFor(() => expect(list.getAllByRole('link')).toHaveLength(1));
  expect(asked).toEqual([null, 'Policy 2']);
  fireEvent.click(list.getByRole('link'));
  await waitFor(() => expect(shown.at()).toContain('/air/policy-management/01930000-0000-7000-8000-000000000002/edit'));
  const { searchParams } = new URL(shown.at(), 'http://here.example');
  expect(JSON.parse(searchParams.get('criterion') ?? '')).toEqual({ field: 'user', value: 'root' });
  expect(searchParams.get('source')).toBe('sshd:authentication');
});
