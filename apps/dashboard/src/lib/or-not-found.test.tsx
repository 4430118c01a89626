import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../session/fixtures.ts';
import { failure, type Given, openApp } from '../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });
const id = '01920000-0000-7000-8000-00000000030a';
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

test.each([
  ['/playbooks/', '', 'soar/playbooks'],
  ['/playbooks/', '/edit', 'soar/playbooks'],
  ['/activity/playbooks/', '', 'soar/playbook_activity'],
  ['/air/case-management/', '', 'case'],
  ['/air/policy-management/', '/edit', 'soar/rules'],
  ['/graylog/automation-settings/edit/', '', 'event/automation_rules'],
  ['/integrations/', '', 'connectors'],
])('an id in capital letters at %s<id>%s is the same id, also to the cache', async (start, end, resource) => {
  const { router, state } = openApp(`${start}${id.toUpperCase()}${end}`, { me: userWith({ own: 'Admin' }) });
  await router.load();
  const asked = state.asked.filter((call) => call.includes(`${tenant}/${resource}/`));
  expect(asked).not.toEqual([]);
  expect(asked.filter((call) => !call.includes(id))).toEqual([]);
});
