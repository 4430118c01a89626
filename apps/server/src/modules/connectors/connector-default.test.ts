import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Actor } from '../../http/test-server.ts';
import { calledWithin } from '../../storage/test-waiting.ts';
import { type ActivityFixture, by, createActivityFixture, type Workspace } from '../activity/activity-fixture.ts';
import { connectorCalls } from './connector-calls-fixture.ts';
import { lockConnectors } from './connector-rows.ts';

let fixture: ActivityFixture;
let workspace: Workspace;
let manager: Actor;

beforeAll(async () => {
  fixture = await createActivityFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  workspace = await fixture.createWorkspace({ connectors: false });
  manager = await workspace.person('SystemManager');
});

const { call, reputation, create, get } = connectorCalls(() => ({ fixture, workspace, manager }));

describe('the default of an integration', () => {
  const confirmed = { headers: { 'x-air-confirm': 'true' } };

  test('sent back as it was read takes no default away that moved meanwhile', async () => {
    const first = await create();
    const sentBack = ({ id, config, last_updated }: typeof first) =>
      call('PUT', 'connectors', { ...reputation(), id, config, last_updated, default: true });
    const second = await create(reputation({ name: 'Second', default: true }));
    expect(await sentBack(first)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect((await get(second.id)).default).toBe(true);
    expect((await sentBack(await get(first.id))).status).toBe(200);
    const lost = await call('PATCH', `connectors/${second.id}`, { name: 'Other', last_updated: second.last_updated });
    expect(lost.status, 'read before the default moved').toBe(409);
    await call('DELETE', `connectors/${first.id}`);
    await call('DELETE', `connectors/${first.id}`, undefined, confirmed);
    expect((await get(second.id)).default).toBe(true);
  });

  /** One of each kind that names no connector. */
  async function useTheDefault(): Promise<void> {
    const { stores, composition } = fixture.server;
    const { blockGuessingAddress } = await import('../playbooks/starter-playbooks.ts');
    const [rule] = (await import('../policies/starter-policies.ts')).starterPolicies;
    if (rule === undefined) throw new Error('There is no starter policy.');
    await workspace.addPlaybook(blockGuessingAddress);
    await stores.database.tenant(workspace.tenant, async (tx) => {
      const { work } = composition;
      await work.addRuleResponse(
        tx,
        workspace.scope,
        {
          rule_id: await work.policies.create(tx, workspace.scope, { rule }, by),
          response_name: 'Ask about the address',
          response_type: 'action',
          definition_id: 'abuseipdb.check_ip',
          connector_id: null,
          inputs: { ip: '203.0.113.9' },
          enabled: true,
          created_by: 'Test',
          owner_user_id: null,
        },
        by,
      );
      const at = new Date();
      const response = { name: 'Ask', response_type: 'action', action_name: 'abuseipdb.check_ip', inputs: {} };
      await tx
        .insertInto('automation_rule')
        .values({
          ...{ id: v7(), tenant_id: workspace.tenant, name: 'Ask for alerts', connector_id: v7() },
          ...{ definition_id: 'd', definition_title: 'D', responses: JSON.stringify([response]), enabled: true },
          ...{ source_id: null, notification_state: 'missing', request_hash: null, created_at: at, updated_at: at },
          ...{ created_by: 'Test', updated_by: 'Test', owner_user_id: manager.id },
        })
        .execute();
    });
  }

  test('is deleted only after the question, which names what acts through it and what takes over', async () => {
    const first = await create();
    const asleep = await create(reputation({ name: 'Asleep' }));
    await call('POST', `connectors/${asleep.id}/pause`);
    const next = await create(reputation({ name: 'Next' }));
    await useTheDefault();
    const asked = await call('DELETE', `connectors/${first.id}`);
    expect(asked.status).toBe(449);
    const { text, told } = asked.body.confirm;
    expect(text).toContain(
      'As the default it is used by playbook "Block a guessing address", response "Ask about the address", ' +
        'automation rule "Ask for alerts". Next becomes the default: what names no connector acts through it',
    );
    expect(told.text.map(({ reason }: { reason: string }) => reason)).toEqual([
      'ASK_CONNECTOR_DELETE_TEXT',
      'ASK_CONNECTOR_DEFAULT_USED',
      'ASK_CONNECTOR_NEXT',
    ]);
    expect((await call('DELETE', `connectors/${first.id}`, undefined, confirmed)).status).toBe(204);
    // Asleep is older, and nothing would act through it.
    expect([(await get(asleep.id)).default, (await get(next.id)).default]).toEqual([false, true]);
    const last = (await call('DELETE', `connectors/${next.id}`)).body.confirm;
    expect(last.text).toContain('Asleep becomes the default, but is paused');
    await call('DELETE', `connectors/${next.id}`, undefined, confirmed);
    expect((await get(asleep.id)).default).toBe(true);
    expect((await call('DELETE', `connectors/${asleep.id}`)).body.confirm.text).toContain(
      'automation rule "Ask for alerts". There is no other connector to take over: they will fail.',
    );
  });

  test('is asked about anew when by now another one would take over', async () => {
    const first = await create();
    const second = await create(reputation({ name: 'Second' }));
    const third = await create(reputation({ name: 'Third' }));
    const path = `connectors/${first.id}`;
    const asked = await call('DELETE', path);
    expect(asked.body.confirm.text).toContain('Second becomes the default');
    expect(asked.body.confirm.text).not.toContain('As the default it is used');
    await call('POST', `connectors/${second.id}/pause`);
    const again = await call('DELETE', path, undefined, confirmed);
    expect(again).toMatchObject({ status: 449 });
    expect(again.body.confirm.text).toContain('Third becomes the default');
    expect((await call('DELETE', path, undefined, confirmed)).status).toBe(204);
    expect((await get(third.id)).default).toBe(true);
  });

  test('is kept when another one would take over by the time it is deleted', async () => {
    const first = await create();
    const second = await create(reputation({ name: 'Second' }));
    const third = await create(reputation({ name: 'Third' }));
    const path = `connectors/${first.id}`;
    await call('DELETE', path);
    const { answer } = await fixture.server.stores.database.tenant(workspace.tenant, async (tx) => {
      await lockConnectors(tx, workspace.scope);
      await tx.updateTable('connector').set({ enabled: false }).where('id', '=', second.id).execute();
      return await calledWithin(tx, () => call('DELETE', path, undefined, confirmed));
    });
    expect(await answer).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect([(await get(first.id)).default, (await get(third.id)).default]).toEqual([true, false]);
  });

  test('is said nothing of where another one is deleted', async () => {
    await create();
    const other = await create(reputation({ name: 'Other' }));
    await useTheDefault();
    const { told } = (await call('DELETE', `connectors/${other.id}`)).body.confirm;
    expect(told.text).toMatchObject([{ reason: 'ASK_CONNECTOR_DELETE_TEXT' }]);
  });
});
