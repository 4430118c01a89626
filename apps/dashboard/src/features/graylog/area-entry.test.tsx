import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../session/fixtures.ts';
import { type Given, visit } from '../../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });
const tenant = `/api/tenants/${ownTenant}`;
const RULES = `GET ${tenant}/event/automation_rules`;
const ACTION = `POST ${tenant}/soar/synchronous_action`;
const graylog = { id: 'c1', definition_id: 'graylog', name: 'Graylog', default: true, enabled: true };

function entered(connectors: unknown[], me: Given['me'] = userWith({ own: 'Analyst' })) {
  const answers = { [`GET ${tenant}/connectors`]: () => Response.json(connectors), [RULES]: () => Response.json([]) };
  return visit('/graylog/alerts', { me, answers });
}

type Entered = Awaited<ReturnType<typeof entered>>;
const readAhead = ({ state }: Entered) => state.asked.filter((call) => call === RULES || call === ACTION).sort();
/** Once everything that was asked for is there. */
const settled = ({ app }: Entered) => expect.poll(() => app.queryClient.isFetching()).toBe(0);

test('an Analyst who enters has the automations read ahead, also where no Graylog is connected', async () => {
  const area = await entered([]);
  await expect.poll(() => readAhead(area)).toEqual([RULES]);
  await settled(area);
  expect(readAhead(area)).toEqual([RULES]);
});

test('where one is connected, its event definitions are read ahead too', async () => {
  const area = await entered([graylog]);
  await expect.poll(() => readAhead(area)).toEqual([RULES, ACTION].sort());
});

test('Read Only has nothing read ahead that they may not see', async () => {
  const area = await entered([graylog], userWith({ own: 'ReadOnly' }));
  await settled(area);
  expect(readAhead(area)).toEqual([]);
});
