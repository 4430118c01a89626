import type { PolicyPublication } from '@airdeck/contracts/policies/publication-schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { failure, type Given, showApp } from '../../../test-app.tsx';
import { policy, policyId, policyList } from '../policy-fixtures.ts';
import { publication } from './publication-fixtures.ts';
// Loaded with the file, or the first test would wait for it.
import '../list/policy-drawer.tsx';
import './publish-dialog.tsx';
import '../../../components/confirmation/confirmation-dialog.tsx';

vi.setConfig({ testTimeout: 60_000 });
const api = `/api/tenants/${ownTenant}/soar`;

function provider() {
  const me = userWith({ own: 'Analyst' });
  const own = me.tenants[ownTenant];
  if (own !== undefined) own.is_provider = true;
  return me;
}

function drawer(customers: PolicyPublication[], { me = provider(), answers = {} }: Partial<Given> = {}) {
  const sent: { tenants: string[]; enabled: boolean }[] = [];
  showApp(`/air/policy-management/?policy=${policyId(1)}`, {
    me,
    answers: {
      [`GET ${api}/rules`]: () => Response.json(policyList([policy(1)])),
      [`GET ${api}/rules/${policyId(1)}`]: () => Response.json(policy(1)),
      [`GET ${api}/rules/${policyId(1)}/publications`]: () =>
        Response.json({ tenants: customers, total: customers.length }),
      [`GET ${api}/rule_responses`]: () => Response.json({ responses: [], total: 0 }),
      [`POST ${api}/rules/publish`]: ({ body }) => {
        const order = body as { tenants: string[]; enabled: boolean };
        sent.push(order);
        return Response.json({
          tenants: order.tenants.map((tenant) => ({ tenant, status: 'created', policy_id: policyId(7) })),
        });
      },
      ...answers,
    },
  });
  return sent;
}

const open = async () => fireEvent.click(await screen.findByRole('button', { name: 'Publish…' }));
const dialog = async () => within(await screen.findByRole('dialog', { name: 'Publish Policy 1' }));

test('who manages no others is offered nothing', async () => {
  drawer([], { me: userWith({ own: 'Analyst' }) });
  await screen.findByText('Nothing starts by itself.');
  expect(screen.queryByRole('button', { name: 'Publish…' })).toBeNull();
});

test('copies that are behind are chosen at first; what a customer made of its own cannot be', async () => {
  const sent = drawer([
    publication(1),
    publication(2, { is_current: false }),
    publication(3, { is_current: false, overridden: true }),
  ]);
  await open();
  const shown = await dialog();
  const box = (name: string) => shown.getByRole<HTMLInputElement>('checkbox', { name: new RegExp(`^${name}`) });
  expect([1, 2, 3].map((n) => box(`Customer ${n}`).checked)).toEqual([false, true, false]);
  expect(box('Customer 3').disabled).toBe(true);
  fireEvent.click(box('All that can be published to'));
  fireEvent.click(shown.getByRole('switch', { name: /^Switch new copies on/ }));
  fireEvent.click(shown.getByRole('button', { name: 'Publish to 2 customers' }));
  await shown.findByText('2 published');
  const [two, one] = [publication(2).tenant, publication(1).tenant];
  expect(sent).toEqual([{ id: policyId(1), tenants: [two, one], enabled: true }]);
});

test('many are published to in portions; after a failure it says who was not reached', async () => {
  const many = Array.from({ length: 25 }, (_, index) => publication(index + 1));
  let calls = 0;
  drawer(many, {
    answers: {
      [`POST ${api}/rules/publish`]: ({ body }) => {
        calls += 1;
        if (calls > 1) return failure(429, 'RATE_LIMITED');
        const { tenants } = body as { tenants: string[] };
        return Response.json({
          tenants: tenants.map((tenant) => ({ tenant, status: 'created', policy_id: policyId(7) })),
        });
      },
    },
  });
  await open();
  const shown = await dialog();
  fireEvent.change(shown.getByRole('searchbox', { name: 'Search customers' }), { target: { value: 'customer 1' } });
  await waitFor(() => expect(shown.getAllByRole('listitem')).toHaveLength(11));
  fireEvent.change(shown.getByRole('searchbox', { name: 'Search customers' }), { target: { value: '' } });
  fireEvent.click(shown.getByRole('checkbox', { name: 'All that can be published to' }));
  fireEvent.click(shown.getByRole('button', { name: 'Publish to 25 customers' }));
  await shown.findByText('10 published, 15 not reached');
  expect(shown.getByRole('alert')).toBeTruthy();
  expect(shown.getByRole('button', { name: 'Done' })).toBeTruthy();
});

test('a policy that would match too much is asked about; left, the choice is still there, and confirmed it is published', async () => {
  const confirmed: (string | null)[] = [];
  const confirm = { title: 'Publish “Policy 1”?', text: 'Customer 1: 90 %.', action_label: 'Publish anyway' };
  drawer([publication(1)], {
    answers: {
      [`POST ${api}/rules/publish`]: ({ body, headers }) => {
        confirmed.push(headers.get('x-air-confirm'));
        if (confirmed.at(-1) !== 'true') {
          const question = { message: 'Please confirm.', code: 'CONFIRMATION_REQUIRED', request_id: 'r', confirm };
          return Response.json(question, { status: 449 });
        }
        const { tenants } = body as { tenants: string[] };
        return Response.json({
          tenants: tenants.map((tenant) => ({ tenant, status: 'created', policy_id: policyId(7) })),
        });
      },
    },
  });
  await open();
  const shown = await dialog();
  fireEvent.click(shown.getByRole('checkbox', { name: /^Customer 1/ }));
  const question = async () => within(await screen.findByRole('dialog', { name: confirm.title }));
  const publish = () => fireEvent.click(shown.getByRole('button', { name: 'Publish to 1 customer' }));
  publish();
  expect((await question()).getByText('Customer 1: 90 %.')).toBeTruthy();
  fireEvent.click((await question()).getByText('Cancel', { selector: 'button *' }));
  const button = shown.getByRole('button', { name: 'Publish to 1 customer' });
  await waitFor(() => expect(button.hasAttribute('data-loading')).toBe(false));
  expect(shown.queryByRole('alert')).toBeNull();
  publish();
  fireEvent.click((await question()).getByRole('button', { name: 'Publish anyway' }));
  await shown.findByText('1 published');
  expect(confirmed).toEqual([null, null, 'true']);
});
