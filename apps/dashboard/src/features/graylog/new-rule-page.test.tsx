import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../session/fixtures.ts';
import { showApp } from '../../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });
const tenant = `/api/tenants/${ownTenant}`;
const graylog = { id: 'c1', definition_id: 'graylog', name: 'Graylog', default: true, enabled: true };

function open(search: string) {
  return showApp(`/graylog/automation-settings/new?${search}`, {
    me: userWith({ own: 'Analyst' }),
    answers: {
      [`GET ${tenant}/connectors`]: () => Response.json([graylog]),
      [`GET ${tenant}/soar/playbooks`]: () => Response.json([]),
      [`GET ${tenant}/soar/available_actions`]: () => Response.json([]),
      [`GET ${tenant}/event/automation_rules`]: () => Response.json([]),
    },
  });
}

test('each thing the address names is started, and a playbook nobody has is said to be none', async () => {
  open('playbook_title=Isolate+a+host&action_name=abuseipdb.check_ip');
  expect(await screen.findByText('No playbook is called “Isolate a host”.')).toBeTruthy();
  expect(screen.getByPlaceholderText('Search playbooks')).toBeTruthy();
  expect(screen.getByPlaceholderText(/^Search actions/)).toBeTruthy();
});
