import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../session/fixtures.ts';
import { failure, type Given, openApp } from '../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });
const id = '01920000-0000-7000-8000-000000000301';
const tenant = `/api/tenants/${ownTenant}`;
const found: NonNullable<Given['answers']> = {
  [`GET ${tenant}/connectors`]: () => Response.json([]),
  [`GET ${tenant}/soar/available_actions`]: () => Response.json([]),
};

async function statusAt(address: string, answers = found) {
  const { router } = openApp(address, { me: userWith({ own: 'Admin' }), answers });
  await router.load();
  expect(router.state.location.pathname).toBe(new URL(address, 'https://air.test').pathname);
  return router.state.matches.map(({ status }) => status);
}

test.each([
  `/playbooks/${id}`,
  `/playbooks/${id}/edit`,
  `/activity/playbooks/${id}`,
  `/air/case-management/${id}`,
  `/air/policy-management/${id}/edit`,
  `/air/policy-management/new?copy=${id}`,
  `/graylog/automation-settings/edit/${id}`,
  `/integrations/${id}`,
  '/integrations/new/nothing',
])('what nobody has at %s is the page of unknown addresses, not that of errors', async (address) => {
  const statuses = await statusAt(address);
  expect(statuses).toContain('notFound');
  expect(statuses).not.toContain('error');
});

test('another failure stays one, or a server that is down would be taken for an empty one', async () => {
  const down = () => failure(403, 'ROLE_TOO_LOW');
  const statuses = await statusAt(`/playbooks/${id}`, { ...found, [`GET ${tenant}/soar/playbooks/${id}`]: down });
  expect(statuses).toContain('error');
  expect(statuses).not.toContain('notFound');
});
