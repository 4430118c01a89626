import type { Policy } from '@airdeck/contracts/policies/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { failure, type Given, showApp } from '../../../test-app.tsx';
import { policy, policyId, policyList, rule } from '../policy-fixtures.ts';
// Loaded with the file, or the first test would wait for it.
import './policy-drawer.tsx';

vi.setConfig({ testTimeout: 60_000 });
const api = `/api/tenants/${ownTenant}/soar`;
const LIST = `GET ${api}/rules`;
const ONE = `${api}/rules/${policyId(1)}`;

function list(at: string, policies: Policy[], { answers = {}, ...given }: Partial<Given> = {}) {
  const sent: unknown[] = [];
  let first = policies[0];
  const app = showApp(at, {
    ...given,
    answers: {
      [LIST]: () => Response.json(policyList(policies)),
      [`GET ${ONE}`]: () => Response.json(first),
      [`PUT ${ONE}`]: ({ body }) => {
        sent.push(body);
        first = { ...policy(1), ...(body as Partial<Policy>), version: 4 + sent.length };
        return Response.json(first);
      },
      [`GET ${api}/rule_responses`]: () => Response.json({ responses: [], total: 0 }),
      ...answers,
    },
  });
  return { ...app, sent };
}

const rows = () => screen.queryAllByRole('row').slice(1);

test('each policy tells what it finds, of which source, and what it opened last', async () => {
  const last_case = { id: policyId(9), reference: 'CASE-7', time_opened: '2026-11-20T10:00:00.000Z' };
  list('/air/policy-management/', [policy(1, { last_case })]);
  await screen.findByRole('link', { name: 'CASE-7' });
  const [row] = rows().map(({ textContent }) => textContent);
  expect(row).toMatch(/High.*Policy 1.*message contains “Failed password”.*sshd.*12/);
});

test('a switch asks the server, and can be taken back', async () => {
  const { sent } = list('/air/policy-management/', [policy(1)]);
  fireEvent.click(await screen.findByRole('switch', { name: 'Policy 1 is on' }));
  const undo = await screen.findByRole('button', { name: 'Undo' });
  expect(sent).toEqual([{ enabled: false }]);
  fireEvent.click(undo);
  await waitFor(() => expect(sent).toEqual([{ enabled: false }, { enabled: true }]));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
});

test('Read Only sees what a policy does, and can change nothing', async () => {
  list(`/air/policy-management/?policy=${policyId(1)}`, [policy(1)], { me: userWith({ own: 'ReadOnly' }) });
  const drawer = within(await screen.findByRole('dialog'));
  await drawer.findByText('10 events of the same src_ip that fit within 5 minutes open a case.');
  expect(drawer.queryByRole('link', { name: 'Edit' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'New policy', hidden: true })).toBeNull();
  for (const each of screen.getAllByRole('switch', { hidden: true })) expect(each).toHaveProperty('disabled', true);
});

test('when a policy last opened a case is told, also of one whose case nobody keeps any more', async () => {
  list(`/air/policy-management/?policy=${policyId(1)}`, [policy(1, { created_alert: '2026-03-01T12:00:00.000Z' })]);
  const drawer = within(await screen.findByRole('dialog'));
  const fact = await drawer.findByText('Last opened a case');
  expect(fact.parentElement?.querySelector('time')?.dateTime).toBe('2026-03-01T12:00:00.000Z');
});

test('a policy that never opened a case says so', async () => {
  list(`/air/policy-management/?policy=${policyId(1)}`, [policy(1)]);
  const drawer = within(await screen.findByRole('dialog'));
  expect((await drawer.findByText('Last opened a case')).parentElement?.textContent).toMatch(/Never$/);
});

test('what somebody else wrote is named with its licence, and only addresses are links', async () => {
  const origin = {
    format: 'sigma' as const,
    id: policyId(5),
    author: 'Kai Rule',
    license: 'DRL 1.1',
    level: 'high',
    status: 'stable',
    date: '2026-01-01',
    references: ['https://example.com/a', 'javascript:alert(1)'],
    false_positives: ['Administrators'],
    tags: [],
  };
  const imported = policy(1, {
    origin: 'sigma',
    author: 'Kai Rule',
    rule: rule(1, { origin, techniques: ['T1059.001'] }),
  });
  list(`/air/policy-management/?policy=${policyId(1)}`, [imported]);
  const drawer = within(await screen.findByRole('dialog'));
  await drawer.findByText('DRL 1.1');
  expect(drawer.getByRole('link', { name: 'T1059.001' }).getAttribute('href')).toBe(
    'https://attack.mitre.org/techniques/T1059/001/',
  );
  expect(drawer.getByRole('link', { name: 'https://example.com/a' })).toBeTruthy();
  expect(drawer.queryByRole('link', { name: /javascript/ })).toBeNull();
});

test('a policy that opens too many cases says what becomes of the rest, and until when', async () => {
  const until = new Date(Date.now() + 40 * 60_000).toISOString();
  list(`/air/policy-management/?policy=${policyId(1)}`, [policy(1, { throttled_until: until })]);
  const note = within(await screen.findByRole('dialog')).findByRole('note');
  expect((await note).textContent).toMatch(/It opens too many cases.*collected in one case.*in (39|40) min/);
});

test('a policy whose groups never fill says how much it gave up', async () => {
  list(`/air/policy-management/?policy=${policyId(1)}`, [policy(1, { dropped_matches: 25_000 })]);
  const note = within(await screen.findByRole('dialog')).findByRole('note');
  expect((await note).textContent).toMatch(/It waits for too many groups.*25,000 matching events were given up/);
});

test('filters and search are in the address and in the question', async () => {
  const asked: string[] = [];
  const { at } = list('/air/policy-management/', [policy(1)], {
    answers: {
      [LIST]: ({ url }) => {
        asked.push(url.search);
        return Response.json(policyList([policy(1)]));
      },
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: /^State/ }));
  fireEvent.click(await screen.findByRole('checkbox', { name: /^On/ }));
  await waitFor(() => expect(asked.at(-1)).toContain('enabled=true'));
  expect(decodeURIComponent(at())).toContain('"status":["enabled"]');
});

test('a list that does not load says so, and can be asked for again', async () => {
  let broken = true;
  list('/air/policy-management/', [], {
    answers: {
      [LIST]: () => (broken ? failure(400, 'VALIDATION_FAILED') : Response.json(policyList([policy(1)]))),
    },
  });
  const again = await screen.findByRole('button', { name: 'Try Again' });
  broken = false;
  fireEvent.click(again);
  await waitFor(() => expect(rows()).toHaveLength(1));
});
