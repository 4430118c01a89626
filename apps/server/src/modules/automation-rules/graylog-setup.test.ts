import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAutomationRulesFixture, DEFINITION } from './automation-rules-fixture.ts';

type Fixture = Awaited<ReturnType<typeof createAutomationRulesFixture>>;

let fixture: Fixture;
let workspace: Awaited<ReturnType<Fixture['createWorkspace']>>;

beforeAll(async () => {
  fixture = await createAutomationRulesFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  workspace = await fixture.createWorkspace();
});

const notificationsOf = (title: string) => fixture.graylog().notifications.filter((one) => one.title === title);

const auditOf = (like: string) =>
  fixture.db.tenant(workspace.tenant, async (tx) => {
    const rows = await tx
      .selectFrom('audit_record')
      .select('action')
      .where('action', 'like', like)
      .orderBy('sequence')
      .execute();
    return rows.map(({ action }) => action);
  });

describe('what fails half-way', () => {
  const fail = (path: string, times = 1) =>
    fixture.sandbox.disturb({ vendor: 'graylog', kind: 'forbidden', path, times });

  test('before the notification is made is shown, and repaired', async () => {
    fail('/events/notifications');
    const rule = await workspace.create();
    expect(rule.notification).toMatchObject({ state: 'failed', reason: expect.stringContaining('Graylog') });
    expect(notificationsOf(rule.notification.title)).toEqual([]);
    expect((await workspace.repair(rule.id)).notification).toMatchObject({ state: 'attached', reason: null });
    expect(notificationsOf(rule.notification.title)).toHaveLength(1);
    expect(await auditOf('automation_rule.%')).toEqual(['automation_rule.create', 'automation_rule.repair']);
  });

  test('after it was made and before it is attached is shown, and repaired without a second one', async () => {
    fail(`/events/definitions/${fixture.definition().id}?schedule`);
    const rule = await workspace.create();
    expect(rule.notification.state).toBe('failed');
    const [made] = notificationsOf(rule.notification.title);
    expect(fixture.usedBy()).not.toContain(made?.id);
    expect((await workspace.repair(rule.id)).notification.state).toBe('attached');
    expect(notificationsOf(rule.notification.title)).toHaveLength(1);
    expect(fixture.usedBy()).toContain(made?.id);
  });

  test('is tried again by itself with the next look', async () => {
    fail(`/events/definitions/${fixture.definition().id}?schedule`);
    const rule = await workspace.create();
    await workspace.lookUntil(async () => {
      expect((await workspace.get(rule.id)).notification.state).toBe('attached');
    });
  });

  test('of a deletion leaves a rule that starts nothing and can be deleted again', async () => {
    const rule = await workspace.create();
    fail(`/events/notifications/${notificationsOf(rule.notification.title)[0]?.id}`);
    const refused = await workspace.send('DELETE', `${workspace.path}/${rule.id}`);
    expect(refused.status).toBe(502);
    expect(refused.body.message).toContain('still in Graylog');
    expect(await workspace.get(rule.id)).toMatchObject({ deleting: true, notification: { state: 'failed' } });
    expect((await workspace.send('PATCH', `${workspace.path}/${rule.id}`, { name: 'X' })).status).toBe(409);
    await workspace.fire();
    expect(await workspace.runs()).toEqual([]);
    expect((await workspace.send('POST', `${workspace.path}/${rule.id}/repair`)).status).toBe(404);
    expect(notificationsOf(rule.notification.title)).toEqual([]);
  });

  test('because it is deleted while it is still being set up leaves nothing behind', async () => {
    fixture.sandbox.disturb({ vendor: 'graylog', kind: 'slow', delay_ms: 3_000, path: '/events/notifications' });
    const creating = workspace.send('POST', workspace.path, workspace.blocking());
    const rule = await vi.waitFor(
      async () => {
        const [made] = (await workspace.send('GET', workspace.path)).body;
        expect(made?.notification.state).toBe('working');
        return made;
      },
      { timeout: 30_000, interval: 5 },
    );
    expect((await workspace.send('DELETE', `${workspace.path}/${rule.id}`)).status).toBe(204);
    expect((await creating).status).toBe(404);
    expect(notificationsOf(rule.notification.title)).toEqual([]);
    expect(fixture.usedBy()).toHaveLength(1);
  });

  test('can be left in Graylog on purpose', async () => {
    const rule = await workspace.create();
    fixture.sandbox.disturb({ vendor: 'graylog', kind: 'unavailable', times: 100 });
    expect((await workspace.send('DELETE', `${workspace.path}/${rule.id}?force=true`)).status).toBe(204);
    expect((await workspace.send('GET', workspace.path)).body).toEqual([]);
    fixture.sandbox.reset();
  });

  test('when a worker dies between two steps is finished by the next one, which finds what the first has made', async () => {
    const rule = await workspace.create();
    const before = notificationsOf(rule.notification.title).map(({ id }) => id);
    // As the row was before anything of it was written down.
    await fixture.db.tenant(workspace.tenant, (tx) =>
      tx.updateTable('automation_rule').set({ notification_id: null, notification_state: 'working' }).execute(),
    );
    await workspace.lookUntil(async () => {
      expect((await workspace.get(rule.id)).notification.state).toBe('attached');
    });
    expect(notificationsOf(rule.notification.title).map(({ id }) => id)).toEqual(before);
    expect(fixture.usedBy().filter((id) => before.includes(id))).toEqual(before);
  });
});

describe('what somebody changes in Graylog', () => {
  test('while the notification is attached is not lost, and ours is there in the end', async () => {
    await fixture.train('sandbox/interfere', { event_definition_title: DEFINITION, how: 'overwrite_after_write' });
    const rule = await workspace.create();
    expect(rule.notification.state).toBe('attached');
    expect(fixture.usedBy()).toHaveLength(2);
    await fixture.train('sandbox/interfere', { event_definition_title: DEFINITION, how: 'edit_after_read', times: 1 });
    expect((await workspace.send('DELETE', `${workspace.path}/${rule.id}`)).status).toBe(204);
    expect(fixture.definition()).toMatchObject({ description: expect.stringContaining('Edited.') });
    expect(fixture.usedBy()).toHaveLength(1);
  });

  test('again and again is left to them, and said', async () => {
    const how = { event_definition_title: DEFINITION, how: 'overwrite_after_write', times: 9 };
    await fixture.train('sandbox/interfere', how);
    const rule = await workspace.create();
    expect(rule.notification).toMatchObject({ state: 'changed', reason: expect.stringContaining('keeps changing') });
    await fixture.train('sandbox/interfere', {});
    expect((await workspace.repair(rule.id)).notification.state).toBe('attached');
  });

  test('is noticed by the next look, and repaired by a person', async () => {
    const rule = await workspace.create();
    const { id } = fixture.definition();
    const [own] = notificationsOf(rule.notification.title);
    const seen = (state: string, reason: string) =>
      workspace.lookUntil(async () => {
        const { notification } = await workspace.get(rule.id);
        expect(notification).toMatchObject({ state, reason: expect.stringContaining(reason) });
      });
    await fixture.atGraylog('PUT', `/events/definitions/${id}?schedule=true`, {
      ...fixture.definition(),
      notifications: [],
    });
    await seen('missing', 'does not use');
    expect((await workspace.repair(rule.id)).notification.state).toBe('attached');
    const config = {
      type: 'http-notification-v2',
      url: 'https://elsewhere.example/',
      method: 'POST',
      content_type: 'JSON',
    };
    await fixture.atGraylog('PUT', `/events/notifications/${own?.id}`, { id: own?.id, title: own?.title, config });
    await seen('changed', 'changed the notification');
    expect((await workspace.repair(rule.id)).notification.state).toBe('attached');
    await fixture.atGraylog('DELETE', `/events/notifications/${own?.id}`);
    await seen('missing', 'was deleted');
    await fixture.atGraylog('DELETE', `/events/definitions/${id}`);
    expect((await workspace.repair(rule.id)).notification).toMatchObject({ state: 'missing' });
    expect((await workspace.send('DELETE', `${workspace.path}/${rule.id}`)).status).toBe(204);
  });

  test('of the event source here is noticed too: a repaired rule gets its alerts again', async () => {
    const rule = await workspace.create();
    const other = await workspace.create({ name: 'Another' });
    await fixture.db.tenant(workspace.tenant, (tx) =>
      tx
        .updateTable('event_source')
        .set({ deleted_at: new Date() })
        .where('id', '=', rule.source_id ?? '')
        .execute(),
    );
    await workspace.lookUntil(async () => {
      expect((await workspace.get(rule.id)).notification).toMatchObject({ state: 'changed' });
    });
    const repaired = await workspace.repair(rule.id);
    expect(repaired.source_id).not.toBe(rule.source_id);
    await expect.poll(async () => (await workspace.get(other.id)).notification).toMatchObject({ state: 'attached' });
    await workspace.fire();
    for (const { id } of [rule, other]) expect(await workspace.get(id)).toMatchObject({ triggered_count: 1 });
  });
});
