import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { type ActivityFixture, createActivityFixture, type Workspace } from '../activity/activity-fixture.ts';
import { blockGuessingAddress } from '../playbooks/starter-playbooks.ts';

const POLICY = '01957000-0000-7000-8000-000000000001';
const inputs = { ip: '203.0.113.7' };

let fixture: ActivityFixture;
let fenced: TestServer;
let workspace: Workspace;
let playbook_id: string;
let case_id: string;

beforeAll(async () => {
  const identitySecret = randomBytes(48).toString('base64url');
  fixture = await createActivityFixture({ identitySecret });
  workspace = await fixture.createWorkspace({ connectors: false });
  playbook_id = await workspace.addPlaybook();
  const at = new Date();
  await fixture.db.system((tx) =>
    tx
      .insertInto('restore_fence')
      .values({ id: true, state: 'up', backup_taken_at: at, restored_at: at, lifted_at: null })
      .execute(),
  );
  fenced = await createTestServer({ besides: { stores: fixture.server.stores, identitySecret } });
  const opened = await ask('/case', { alert_name: 'Phone call' });
  expect(opened.status).toBe(201);
  case_id = String(opened.body.id);
});
afterAll(async () => {
  await fenced?.close();
  await fixture?.close();
});

async function ask(path: string, payload: object) {
  const url = `/api/tenants/${workspace.tenant}${path}`;
  const answer = await fenced.inject({ method: 'POST', url, headers: workspace.analyst.headers, payload });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
}

async function runs(): Promise<number> {
  const { rows } = await fixture.db.tenant(workspace.tenant, (tx) =>
    sql<{ started: number }>`select count(*)::int as started from engine.run`.execute(tx),
  );
  return rows[0]?.started ?? 0;
}

const starts: [string, () => [string, object]][] = [
  ['a run', () => ['/soar/playbook_activity', { playbook_id, inputs }]],
  ['a run that tries', () => ['/soar/playbook_activity', { playbook_id, inputs, dry_run: true }]],
  ['a dry run', () => [`/soar/playbooks/${playbook_id}/dry_run`, { inputs }]],
  ['a dry run of a draft', () => ['/soar/playbooks/dry_run', { inputs, definition: blockGuessingAddress }]],
  [
    'a dry run of an automation',
    () => {
      const of = { rule_id: POLICY, response_name: 'Block it', response_type: 'playbook', definition_id: playbook_id };
      return ['/soar/rule_responses/dry_run', { response: { ...of, inputs }, case_id }];
    },
  ],
  ['a playbook for many cases', () => ['/case/bulk', { cases: [case_id], playbook: { playbook_id, inputs } }]],
  ['a playbook for cases that match', () => ['/case/bulk', { matching: {}, playbook: { playbook_id, inputs } }]],
];

test.each(starts)('%s is refused while the fence is up, and does not begin when it is lifted', async (_what, asked) => {
  const [path, payload] = asked();
  expect(await ask(path, payload)).toMatchObject({ status: 503, body: { code: 'RESTORE_FENCE_UP' } });
  expect(await runs()).toBe(0);
});

test('cases are changed behind it, one and many', async () => {
  expect(await ask(`/case/${case_id}`, { comment: 'Looking' })).toMatchObject({ status: 200 });
  const acknowledged = await ask('/case/bulk', { cases: [case_id], change: { alert_status: 'acknowledged' } });
  expect(acknowledged).toMatchObject({ status: 200, body: { results: [{ outcome: 'changed' }] } });
});
