/** Attack case E9 by way of the log management: what a rule does raises the alert it answers. */
import { notificationListSchema } from '@airdeck/contracts/notifications/schema';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createAutomationRulesFixture } from './automation-rules-fixture.ts';

const MOST = 5;

let fixture: Awaited<ReturnType<typeof createAutomationRulesFixture>>;

beforeAll(async () => {
  fixture = await createAutomationRulesFixture({ env: { AUTOMATION_ANSWERS_MAX: String(MOST) } });
});
afterAll(() => fixture.close());

test('a rule that is alerted without end starts so many times, says why not once more, and people are told once', async () => {
  const workspace = await fixture.createWorkspace();
  const [block] = workspace.blocking().actions.responses;
  const rule = await workspace.create({ actions: { responses: [block, { ...block, name: 'Block again' }] } });
  for (let n = 0; n < MOST + 3; n++) {
    const { deliveries } = await workspace.fire();
    expect(deliveries.map(({ status }) => status)).toContain(202);
  }
  const entries = (await workspace.history(rule.id)) as { outcome: string; run_id: string | null; problem: string }[];
  const stopped = entries.filter(({ outcome }) => outcome === 'stopped');
  expect(entries.filter(({ outcome }) => outcome === 'started')).toHaveLength(MOST * 2);
  expect(stopped).toHaveLength(3 * 2);
  for (const one of stopped) {
    expect(one.run_id).toBeNull();
    expect(one.problem).toContain('automation loop stopped');
  }
  expect(await workspace.runs()).toHaveLength(MOST * 2);

  const told = await vi.waitFor(
    async () => {
      const { body } = await workspace.send('GET', `/api/tenants/${workspace.tenant}/notifications`);
      const some = notificationListSchema.parse(body).notifications.filter(({ kind }) => kind === 'automation_stopped');
      expect(some).not.toEqual([]);
      return some;
    },
    { timeout: 30_000 },
  );
  expect(told).toMatchObject([
    { title: 'Block who guesses: automation loop stopped', link: `/graylog/automation-settings/edit/${rule.id}` },
  ]);
  const records = await fixture.db.tenant(workspace.tenant, (tx) =>
    tx.selectFrom('audit_record').select('target_id').where('action', '=', 'automation.stop').execute(),
  );
  expect(records).toEqual([{ target_id: rule.id }]);
});
