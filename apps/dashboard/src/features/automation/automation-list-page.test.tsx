import type { RuleResponse } from '@airdeck/contracts/rule-responses/schema';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../session/fixtures.ts';
import { showApp } from '../../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });
/** The nth automation; policies have six each. */
function automation(index: number): RuleResponse {
  const policy = Math.floor(index / 6);
  return {
    rule_id: `01920000-0000-7000-8000-00000000060${policy}`,
    ...{ response_name: `Answer ${index}`, response_type: 'playbook', trigger: 'case_opened' },
    ...{ definition_id: '01920000-0000-7000-8000-000000000701', connector_id: null, inputs: {}, conditions: null },
    ...{ position: index % 6, enabled: true, created_by: 'ana', updated_by: 'ana', revision: 1 },
    updated_at: '2026-11-21T10:00:00.000Z',
    rule: { name: `Policy ${policy}`, enabled: true, severity: 'high' },
    ...{ rule_name: `Policy ${policy}`, definition_name: 'Block', connector_name: null, problems: [], last: null },
    figures: { succeeded: 0, failed: 0, cancelled: 0, active: 0, skipped: 0 },
  };
}
const all = Array.from({ length: 12 }, (_, index) => automation(index));

test('automations come ten at a time until a page has fewer; only a policy that is all there can be put in order', async () => {
  const asked: string[] = [];
  showApp('/air/automation-settings', {
    me: userWith({ own: 'Admin' }),
    answers: {
      [`GET /api/tenants/${ownTenant}/soar/rule_responses`]: ({ url: { searchParams } }) => {
        const [page, limit] = [Number(searchParams.get('page')), Number(searchParams.get('limit'))];
        asked.push(`${page} of ${limit}`);
        return Response.json({ responses: all.slice((page - 1) * limit, page * limit), total: all.length });
      },
    },
  });
  await screen.findByText('Answer 9');
  expect(new Set(asked)).toEqual(new Set(['1 of 10']));
  expect(screen.queryByText('Answer 10')).toBeNull();
  expect(screen.getByRole('button', { name: 'Start Answer 0 later' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Start Answer 6 later' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Load more' }));
  await screen.findByText('Answer 11');
  expect(screen.getByRole('button', { name: 'Start Answer 6 later' })).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull());
});

test('while a search is on its way, the foot does not say when the automations were read', async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  showApp('/air/automation-settings', {
    me: userWith({ own: 'Admin' }),
    answers: {
      [`GET /api/tenants/${ownTenant}/soar/rule_responses`]: async ({ url }) => {
        if (url.searchParams.has('q')) await released;
        return Response.json({ responses: all.slice(0, 2), total: 2 });
      },
    },
  });
  await screen.findByText(/^2 automations · updated/);
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search automations' }), { target: { value: 'answer' } });
  await waitFor(() => expect(screen.getByText(/^2 automations/).textContent).toBe('2 automations'));
  release();
  await screen.findByText(/^2 automations · updated/);
});

test('an automation is moved several places by the same key, one after another, and its place is told', async () => {
  let order = all.slice(0, 3);
  const sent: string[][] = [];
  let release: () => void = () => undefined;
  const list = () => Response.json({ responses: order.map((each, position) => ({ ...each, position })), total: 3 });
  showApp('/air/automation-settings', {
    me: userWith({ own: 'Admin' }),
    answers: {
      [`GET /api/tenants/${ownTenant}/soar/rule_responses`]: list,
      [`PUT /api/tenants/${ownTenant}/soar/rule_responses/${order[0]?.rule_id}/order`]: async ({ body }) => {
        const names = (body as { response_names: string[] }).response_names;
        sent.push(names);
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        order = names.flatMap((name) => order.filter(({ response_name }) => response_name === name));
        return list();
      },
    },
  });
  const later = await screen.findByRole('button', { name: 'Start Answer 0 later' });
  later.focus();
  for (const place of [2, 3]) {
    fireEvent.click(later);
    await waitFor(() => expect(sent).toHaveLength(place - 1));
    // A press meanwhile would move from where it no longer is.
    fireEvent.click(later);
    expect(later).toHaveProperty('disabled', false);
    release();
    await screen.findByText(`Answer 0 now starts at place ${place} of 3.`);
    expect(document.activeElement).toBe(later);
  }
  expect(sent).toEqual([
    ['Answer 1', 'Answer 0', 'Answer 2'],
    ['Answer 1', 'Answer 2', 'Answer 0'],
  ]);
  // At the end it does nothing, and stays.
  expect(later.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(later);
  expect(sent).toHaveLength(2);
});
