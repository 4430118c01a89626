import type { NotificationList } from '@airdeck/contracts/notifications/schema';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '../../http/test-server.ts';
import { type ActivityFixture, createActivityFixture, promptOf, type Workspace } from '../activity/activity-fixture.ts';

let fixture: ActivityFixture;
let workspace: Workspace;

beforeAll(async () => {
  fixture = await createActivityFixture();
  workspace = await fixture.createWorkspace({ connectors: false });
});
afterAll(() => fixture?.close());

const path = (tenant = workspace.tenant) => `/api/tenants/${tenant}/notifications`;

async function listOf(actor: Actor, tenant?: string): Promise<NotificationList> {
  return (await fixture.call(actor, 'GET', path(tenant))).body as NotificationList;
}

function hears(actor: Actor, title: RegExp) {
  return expect
    .poll(async () => (await listOf(actor)).notifications.map((one) => one.title))
    .toContainEqual(expect.stringMatching(title));
}

describe('notifications of the running server', () => {
  it('tell the starter that a run failed and who may answer that one waits', async () => {
    const admin = await workspace.person('Admin');
    const runId = await workspace.start(await workspace.addPlaybook());
    await hears(workspace.analyst, /waits for an answer$/);
    const [asked] = (await listOf(workspace.analyst)).notifications;
    const run = await workspace.getRun(runId);
    const link = `/activity/playbooks/${runId}?prompt=${promptOf(run)}`;
    expect(asked).toMatchObject({ kind: 'prompt_waiting', link, read_at: null });
    const answer = `${workspace.soar}/playbook_activity/${runId}/prompt/${promptOf(run)}`;
    await fixture.call(workspace.analyst, 'POST', answer, { option: 'block' });
    await hears(workspace.analyst, /failed$/);
    expect((await listOf(admin)).notifications.map((one) => one.kind)).toEqual(['prompt_waiting']);
  });

  it('tell of a case that was opened, and whom it was given to by somebody else', async () => {
    const { tenant, analyst } = workspace;
    const other = await workspace.person('Analyst');
    const detection = await fixture.addDetection(workspace, {
      definitionId: await workspace.addPlaybook(),
      inputs: { ip: '{{ group.src_ip }}' },
    });
    await detection.guess('203.0.113.7');
    await hears(other, /^CASE-\d+ opened: SSH password guessing$/);
    const [caseId] = await fixture.casesOf(workspace);
    const assign = (who: Actor, assignee: string) =>
      fixture.call(who, 'POST', `/api/tenants/${tenant}/case/${caseId}`, { assignee });
    expect((await assign(analyst, analyst.email)).status).toBe(200);
    expect((await assign(analyst, other.email)).status).toBe(200);
    await hears(other, /is yours: SSH password guessing$/);
    const own = (await listOf(analyst)).notifications.filter((one) => one.kind === 'case_assigned');
    expect(own).toEqual([]);
    const { body: created } = await fixture.call(analyst, 'POST', '/me/api_keys', {
      name: 'On call',
      tenant,
      role: 'Analyst',
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const { key: token } = created as { key: string };
    const script = { ...analyst, headers: { authorization: `Bearer ${token}` } };
    expect((await assign(script, analyst.email)).status).toBe(200);
    await hears(analyst, /is yours: SSH password guessing$/);
  });

  it('are read one by one or all together, by their owner only', async () => {
    const { tenant, analyst } = workspace;
    const before = await listOf(analyst);
    expect(before.unread).toBeGreaterThanOrEqual(2);
    const stranger = await workspace.person('Analyst');
    const ids = before.notifications.map((one) => one.id);
    const read = (who: Actor, body: object) =>
      fixture.server.inject({ method: 'POST', url: `${path(tenant)}/read`, headers: who.headers, payload: body });
    // More may arrive meanwhile, so that these are looked at and not the number of all.
    const unreadOf = async () =>
      (await listOf(analyst)).notifications.filter((one) => ids.includes(one.id) && one.read_at === null).length;
    const unread = await unreadOf();
    expect((await read(stranger, { ids })).statusCode).toBe(204);
    expect(await unreadOf()).toBe(unread);
    expect((await read(analyst, { ids: [ids[0]] })).statusCode).toBe(204);
    expect(await unreadOf()).toBe(unread - 1);
    await read(analyst, {});
    expect(await unreadOf()).toBe(0);
    expect((await read(analyst, { ids: [v7()], user: 'x' })).statusCode).toBe(400);
    expect((await read(analyst, { ids: Array.from({ length: 101 }, () => v7()) })).statusCode).toBe(400);
  });

  describe('beyond the newest', () => {
    /** Of one moment, so that only their ids tell them apart. */
    const earlier = new Date(Date.now() - 60_000);

    async function told(who: Actor, created_at: Date): Promise<string> {
      const event_id = v7();
      const text = { kind: 'case_opened' as const, title: 'Told', text: '', link: null };
      const row = { ...text, event_id, tenant_id: workspace.tenant, user_id: who.id, created_at };
      await fixture.server.stores.database.system((tx) => tx.insertInto('notification').values(row).execute());
      return event_id;
    }
    const pageOf = async (who: Actor, query: string) =>
      (await fixture.call(who, 'GET', `${path()}?${query}`)).body as NotificationList;
    async function readAs({ headers }: Actor, payload: object): Promise<void> {
      const answer = await fixture.server.inject({ method: 'POST', url: `${path()}/read`, headers, payload });
      expect(answer.statusCode).toBe(204);
    }

    it('are listed page after page, each once, whatever comes meanwhile', async () => {
      const reader = await workspace.person('ReadOnly');
      const ids: string[] = [];
      for (let count = 0; count < 5; count++) ids.unshift(await told(reader, earlier));
      const first = await pageOf(reader, 'limit=2');
      expect(first.unread).toBe(5);
      await told(reader, new Date());
      const second = await pageOf(reader, `limit=2&cursor=${first.cursor}`);
      const third = await pageOf(reader, `limit=2&cursor=${second.cursor}`);
      const seen = [first, second, third].flatMap(({ notifications }) => notifications.map(({ id }) => id));
      expect(seen).toEqual(ids);
      expect(third.cursor).toBeNull();
    });

    it('are behind a place of the own list only', async () => {
      const [reader, stranger] = [await workspace.person('ReadOnly'), await workspace.person('ReadOnly')];
      await told(reader, earlier);
      const theirs = await told(stranger, new Date());
      expect((await pageOf(reader, `cursor=${theirs}`)).notifications).toEqual([]);
      expect((await fixture.call(reader, 'GET', `${path()}?cursor=x`)).status).toBe(400);
    });

    it('are read up to the newest that was seen, also those nobody has looked at: what came since stays', async () => {
      const [reader, stranger] = [await workspace.person('ReadOnly'), await workspace.person('ReadOnly')];
      const ids: string[] = [];
      for (let count = 0; count < 3; count++) ids.unshift(await told(reader, earlier));
      const since = [await told(reader, earlier), await told(reader, new Date())];
      const theirs = await told(stranger, new Date());
      await readAs(reader, { up_to: theirs });
      expect((await pageOf(reader, '')).unread).toBe(5);
      await readAs(reader, { up_to: ids[0] });
      const left = (await pageOf(reader, '')).notifications.filter(({ read_at }) => read_at === null);
      expect(left.map(({ id }) => id)).toEqual(since.toReversed());
      expect((await pageOf(stranger, '')).unread).toBe(1);
    });
  });

  it('of another tenant and another person are out of reach', async () => {
    const elsewhere = await fixture.createWorkspace();
    expect((await fixture.call(elsewhere.analyst, 'GET', path())).status).toBe(403);
    const nobody = await workspace.person('ReadOnly');
    expect(await listOf(nobody)).toEqual({ notifications: [], unread: 0, cursor: null });
    for (const query of ['user=*', 'scope=all', 'tenant=x', 'limit=0']) {
      expect((await fixture.call(nobody, 'GET', `${path()}?${query}`)).status).toBe(400);
    }
  });

  it('show the secret of webhooks to a person, never to a key', async () => {
    const { tenant, analyst } = workspace;
    const url = '/me/notification_webhook/secret';
    const shown = await fixture.server.inject({ method: 'POST', url, headers: analyst.headers });
    expect(shown.statusCode).toBe(201);
    const key = await fixture.server.createApiKey(analyst, { tenant, role: 'Analyst' });
    const headers = { authorization: `Bearer ${key}` };
    const refused = await fixture.server.inject({ method: 'POST', url, headers });
    expect(refused.json()).toMatchObject({ code: 'ROLE_TOO_LOW' });
    const records = await fixture.server.stores.database.system((tx) =>
      tx.selectFrom('audit_record').selectAll().where('action', '=', 'webhook_secret.create').execute(),
    );
    expect(records).toHaveLength(1);
    expect(JSON.stringify(records)).not.toContain(shown.json<{ secret: string }>().secret);
  });
});
