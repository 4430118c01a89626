import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../session/fixtures.ts';
import { type Given, visit } from '../../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });
const tenant = `/api/tenants/${ownTenant}`;
const RULES = `GET ${tenant}/event/automation_rules`;
const ACTION = `POST ${tenant}/soar/synchronous_action`;
const graylog = { id: 'c1', definition_id: 'graylog', name: 'Graylog', default: true, enabled: true };

async function asked(connectors: unknown[], me: Given['me'] = userWith({ own: 'Analyst' })): Promise<string[]> {
  const answers = { [`GET ${tenant}/connectors`]: () => Response.json(connectors), [RULES]: () => Response.json([]) };
  const { state } = await visit('/graylog/alerts', { me, answers });
  return state.asked.filter((call) => call === RULES || call === ACTION);
}

test('an Analyst who enters has the automations read ahead, also where no Graylog is connected', async () => {
  expect(await asked([])).toEqual([RULES]);
});

test('where one is connected, its event definitions are read ahead too', async () => {
  expect((await asked([graylog])).sort()).toEqual([RULES, ACTION].sort());
});

test('Read Only has nothing read ahead that they may not see', async () => {
  expect(await asked([graylog], userWith({ own: 'ReadOnly' }))).toEqual([]);
});
