import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant } from '../../session/fixtures.ts';
import { failure, showApp } from '../../test-app.tsx';
import { acknowledgedCase, blockPlaybook, caseList } from './case/case-fixtures.ts';

vi.setConfig({ testTimeout: 60_000 });
const path = `/api/tenants/${ownTenant}/case`;
const NO_SUCH = '01957000-0000-7000-8000-000000000001';
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

const chooseCase = async () => fireEvent.click(await screen.findByRole('checkbox', { name: /^Select CASE-7/ }));
const runPlaybook = async () =>
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Run' }));

test.each([
  {
    what: 'a change of many cases',
    at: '/air/case-management',
    route: `POST ${path}/bulk`,
    begin: chooseCase,
    submit: () => press('Acknowledge'),
  },
  {
    what: 'a playbook for many cases',
    at: '/air/case-management',
    route: `POST ${path}/bulk`,
    begin: async () => {
      await chooseCase();
      await press('Run playbook…');
      await screen.findByRole('button', { name: 'Run' });
    },
    submit: runPlaybook,
  },
  {
    what: 'a playbook for one case',
    at: `/air/case-management/${acknowledgedCase.id}`,
    route: `POST ${path}/bulk`,
    begin: async () => {
      await press('More for CASE-7');
      fireEvent.click(await screen.findByRole('menuitem', { name: 'Run playbook…' }));
      await screen.findByRole('button', { name: 'Run' });
    },
    submit: runPlaybook,
  },
  {
    what: 'closing that suppresses the same from then on',
    at: `/air/case-management/${acknowledgedCase.id}`,
    route: `POST ${path}/${acknowledgedCase.id}`,
    begin: async () => {
      await press('Close…');
      const dialog = within(await screen.findByRole('dialog'));
      fireEvent.click(dialog.getByRole('radio', { name: /false positive/i }));
      fireEvent.change(dialog.getByLabelText('Suppress the same'), { target: { value: '7' } });
    },
    submit: () => press('Close case'),
  },
  {
    what: 'a comment',
    at: `/air/case-management/${acknowledgedCase.id}`,
    route: `POST ${path}/${acknowledgedCase.id}`,
    begin: async () =>
      fireEvent.change(await screen.findByRole('textbox', { name: 'Comment' }), { target: { value: 'Seen.' } }),
    submit: () => press('Comment'),
  },
])('$what whose answer got lost is the same one when the button is pressed again', async (again) => {
  const calls: { key: string | null; body: unknown }[] = [];
  showApp(again.at, {
    answers: {
      [`GET ${path}`]: () => Response.json(caseList([acknowledgedCase])),
      [`GET ${path}/${acknowledgedCase.id}`]: () => Response.json({ ...acknowledgedCase, policy_id: NO_SUCH }),
      [`GET /api/tenants/${ownTenant}/soar/playbooks`]: () => Response.json([blockPlaybook]),
      [again.route]: ({ body, headers }) => {
        calls.push({ key: headers.get('idempotency-key'), body });
        return calls.length < 3 ? Promise.reject(new TypeError('Failed to fetch')) : failure(409, 'CONFLICT');
      },
    },
  });
  const pressed = async (times: number) => {
    await waitFor(async () => {
      await again.submit();
      expect(calls).toHaveLength(times);
    });
  };
  await again.begin();
  await pressed(1);
  await pressed(2);
  expect(calls[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
  expect(calls[1]).toEqual(calls[0]);
  await pressed(3);
  // Refused is an answer: what follows is another attempt.
  await pressed(4);
  expect(calls[3]?.key).not.toBe(calls[2]?.key);
});
