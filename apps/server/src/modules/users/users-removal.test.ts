import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActivityFixture, createActivityFixture } from '../activity/activity-fixture.ts';
import { callConfirmed, usersOf } from './users-fixture.ts';

let fixture: ActivityFixture;

beforeAll(async () => {
  fixture = await createActivityFixture();
});
afterAll(() => fixture?.close());

describe('somebody whose membership ends while a page polls and a run of theirs waits', () => {
  it.each(['removed', 'disabled'] as const)(
    'is out with the next request when %s, and the run acts no more',
    async (how) => {
      const workspace = await fixture.createWorkspace();
      const boss = await workspace.person('Admin');
      const leaver = workspace.analyst;
      const runId = await workspace.start(await workspace.addPlaybook());
      const waiting = await workspace.runReaches(runId, 'waiting');
      const users = usersOf(workspace.tenant);
      const change =
        how === 'removed' ? users.remove(leaver.email) : users.update({ username: leaver.email, status: 'disabled' });
      expect((await callConfirmed(fixture.server, boss, change)).status).toBeLessThan(300);
      const poll = await fixture.call(leaver, 'GET', `${workspace.soar}/playbook_activity/${runId}`);
      expect([401, 403]).toContain(poll.status);

      const prompt = waiting.summary.actions_summary.find(({ prompt_id }) => prompt_id)?.prompt_id;
      const path = `${workspace.soar}/playbook_activity/${runId}`;
      await fixture.call(boss, 'POST', `${path}/prompt/${prompt}`, { option: 'block' });
      await expect
        .poll(async () => (await fixture.call(boss, 'GET', path)).body)
        .toMatchObject({ summary: { status: 'error', error_info: { code: 'STARTER_NOT_AUTHORISED' } } });
      expect(fixture.sandbox.state().fortigate.addresses).toEqual([]);
    },
  );
});
