/** Every shipped playbook on the composed server, against the vendors of the sandbox over HTTP. */

import { playbookRunSchema } from '@airdeck/contracts/activity/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Actor } from '../../http/test-server.ts';
import {
  type ActivityFixture,
  by,
  createActivityFixture,
  promptOf,
  statusesOf,
  type Workspace,
} from '../activity/activity-fixture.ts';
import { demoConnections } from '../demo/demo-connections.ts';
import {
  ADA,
  ATTACKER,
  BO,
  EICAR,
  HOST,
  type LibraryCase,
  libraryCases,
  report,
  SECOND_HOST,
} from './library/library-cases-fixture.ts';
import { addShippedPlaybooks } from './library/library-seed.ts';
import { effectsOn } from './library/sandbox-effects-fixture.ts';
import { type ShippedPlaybook, shippedPlaybooks } from './library/shipped-playbooks.ts';

let fixture: ActivityFixture;
let workspace: Workspace;
let manager: Actor;
let ids: Awaited<ReturnType<typeof addShippedPlaybooks>>;

beforeAll(async () => {
  fixture = await createActivityFixture();
  workspace = await fixture.createWorkspace({ connectors: false });
  manager = await workspace.person('SystemManager');
  await fixture.db.tenant(workspace.tenant, async (tx) => {
    for (const { definition_id: definitionId, config } of demoConnections(fixture.sandbox)) {
      await fixture.work.connectors.create(tx, workspace.scope, { definitionId, name: definitionId, config }, by);
    }
  });
  ids = await seed(workspace);
});
afterAll(() => fixture.close());
beforeEach(() => fixture.sandbox.reset());

type Tenant = Pick<Workspace, 'tenant' | 'scope'>;

function seed({ tenant, scope }: Tenant) {
  return fixture.db.tenant(tenant, (tx) => addShippedPlaybooks(fixture.work.playbooks, tx, scope, by));
}

/** Starts a playbook, answers its question when there is one to answer, and waits for its end. */
async function play(
  key: ShippedPlaybook,
  inputs: JsonObject,
  { option, ending = 'success' }: { option?: string; ending?: 'success' | 'error' } = {},
) {
  const runId = await workspace.start(ids[key], inputs);
  if (option !== undefined) {
    const asking = await workspace.runReaches(runId, 'waiting');
    const path = `${workspace.soar}/playbook_activity/${runId}/prompt/${promptOf(asking)}`;
    const answered = await fixture.call(manager, 'POST', path, { option, comment: 'Seen.' });
    expect(answered).toMatchObject({ status: 200, body: { answered: { option } } });
  }
  const run = await workspace.runReaches(runId, ending);
  return { run, outputs: run.playbook.outputs, statuses: statusesOf(run) };
}

const decided = (option: string) => expect.stringContaining(`decided: ${option}. Seen.`) as string;

function ticketLike(outputs: JsonObject): JsonObject {
  const { ticket } = outputs;
  return typeof ticket === 'string' ? { ...outputs, ticket: expect.stringMatching(`^${ticket}`) } : outputs;
}

describe.each(Object.entries(libraryCases) as [keyof typeof libraryCases, LibraryCase][])('%s', (key, one) => {
  const withoutMessages = () => effectsOn(fixture.sandbox).filter((line) => !line.startsWith('slack'));

  test('does at the vendors what was decided, and says so', async () => {
    const { outputs } = await play(key, one.inputs, { option: one.option });
    expect(withoutMessages()).toEqual(one.effects);
    expect(outputs).toMatchObject(ticketLike(one.outputs));
    const messages = effectsOn(fixture.sandbox).filter((line) => line.startsWith('slack'));
    expect(messages).toEqual([key === 'malware-hash' ? expect.stringContaining(EICAR) : decided(one.option)]);
  });

  test('does nothing when the answer was to leave it', async () => {
    const { outputs } = await play(key, one.inputs, { option: 'ignore' });
    const left =
      key === 'ransomware-containment' ? [`pagerduty Signs of ransomware on ${HOST} and 1 more, resolved`] : [];
    expect(withoutMessages()).toEqual(left);
    expect(outputs).toMatchObject({ failed: [], ticket: null });
  });

  test('tries all of it in a dry run, and touches nothing', async () => {
    const trial = { playbook_id: ids[key], inputs: one.inputs, dry_run: true };
    const started = await fixture.call(workspace.analyst, 'POST', `${workspace.soar}/playbook_activity`, trial);
    const runId = playbookRunSchema.parse(started.body).summary.workflow_uuid;
    const path = `${workspace.soar}/playbook_activity/${runId}/prompt/`;
    const asking = await workspace.runReaches(runId, 'waiting');
    await fixture.call(workspace.analyst, 'POST', `${path}${promptOf(asking)}`, { option: one.option });
    const run = await workspace.runReaches(runId, 'success');
    expect(run.playbook.outputs).toMatchObject({ failed: [] });
    expect(Object.values(statusesOf(run))).not.toContain('error');
    expect(effectsOn(fixture.sandbox)).toEqual([]);
  });

  test('does the rest when one vendor refuses, and names what failed', async () => {
    fixture.sandbox.disturb({ kind: 'forbidden', times: 1000, ...one.refusal.by });
    const { outputs } = await play(key, one.inputs, { option: one.option });
    expect(withoutMessages()).toEqual(one.effects.filter((line) => !one.refusal.missing.test(line)));
    expect(outputs).toMatchObject({ failed: one.refusal.failed, ticket: expect.any(String) });
    const tickets = fixture.sandbox.state().calls.filter(({ body }) => JSON.stringify(body).includes('FAILED, '));
    expect(tickets.length).toBeGreaterThan(0);
  });
});

describe('block-guessing-address', () => {
  const inputs = { ip: ATTACKER, case_reference: 'C-7' };

  test('blocks the address, or leaves it, as it was decided', async () => {
    expect((await play('block-guessing-address', inputs, { option: 'ignore' })).outputs).toEqual({ blocked: false });
    expect(effectsOn(fixture.sandbox)).toEqual([]);
    expect((await play('block-guessing-address', inputs, { option: 'block' })).outputs).toEqual({ blocked: true });
    expect(effectsOn(fixture.sandbox)).toEqual([`fortigate blocks airdeck-${ATTACKER}`]);
  });

  test('fails when the firewall refuses, because nothing else protects then', async () => {
    fixture.sandbox.disturb({ vendor: 'fortigate', kind: 'forbidden', times: 1000 });
    const { run } = await play('block-guessing-address', inputs, { option: 'block', ending: 'error' });
    expect(run.summary.error_info).toMatchObject({ retryable: false, message: expect.stringContaining('"block"') });
  });
});

describe('vulnerable-host-ticket', () => {
  const inputs = { host: HOST, weakness: 'CVE-2026-12345', severity: 'high', details: 'openssl 3.0.1' };
  const title = `jira CVE-2026-12345 on ${HOST}`;

  test('opens one ticket, and comments on it when the weakness is found again', async () => {
    const first = await play('vulnerable-host-ticket', inputs);
    expect(first.outputs).toMatchObject({ is_new: true, ticket: expect.stringMatching(/^SEC-/), isolated: false });
    expect(effectsOn(fixture.sandbox)).toEqual([title]);
    const second = await play('vulnerable-host-ticket', inputs);
    expect(second.outputs).toMatchObject({ is_new: false, ticket: first.outputs?.ticket });
    expect(effectsOn(fixture.sandbox)).toEqual([title, title.replace('jira', 'jira comment on')]);
    const other = await play('vulnerable-host-ticket', { ...inputs, host: SECOND_HOST });
    expect(other.outputs).toMatchObject({ is_new: true });
  });

  test('asks about a critical one only, and isolates the host when told so', async () => {
    const critical = { ...inputs, severity: 'critical', channel: '#security' };
    const left = await play('vulnerable-host-ticket', critical, { option: 'ignore' });
    expect(left.outputs).toMatchObject({ isolated: false });
    const done = await play('vulnerable-host-ticket', critical, { option: 'isolate' });
    expect(done.outputs).toMatchObject({ isolated: true, failed: [] });
    expect(effectsOn(fixture.sandbox)).toEqual([
      `falcon isolates ${HOST}`,
      title,
      title.replace('jira', 'jira comment on'),
      `slack CVE-2026-12345 (critical) on ${HOST}.`,
      `slack CVE-2026-12345 (critical) on ${HOST}.`,
    ]);
  });

  test('opens no ticket when it cannot tell whether there is one, and ends as failed', async () => {
    fixture.sandbox.disturb({ vendor: 'jira', kind: 'forbidden', path: '/rest/api/3/search' });
    const { run } = await play('vulnerable-host-ticket', inputs, { ending: 'error' });
    expect(run.summary.error_info?.message).toContain('"known"');
    expect(effectsOn(fixture.sandbox)).toEqual([]);
  });
});

describe('without an answer in time', () => {
  /** The playbook as it is, but for its question, which is open for a second. */
  async function unanswered(key: ShippedPlaybook, inputs: JsonObject) {
    const definition: PlaybookDefinition = shippedPlaybooks[key];
    const actions = definition.actions.map((node) => (node.kind === 'prompt' ? { ...node, expires_in_s: 1 } : node));
    const runId = await workspace.start(await workspace.addPlaybook({ ...definition, actions }), inputs);
    return (await workspace.runReaches(runId, 'success')).playbook.outputs;
  }

  test('hosts with ransomware are cut off', async () => {
    const outputs = await unanswered('ransomware-containment', { hosts: [HOST] });
    expect(outputs).toMatchObject({ isolated: [HOST], locked: false, blocked: false, failed: [] });
    expect(effectsOn(fixture.sandbox)).toEqual([
      `falcon isolates ${HOST}`,
      `pagerduty Signs of ransomware on ${HOST}, triggered`,
      'servicenow Ransomware on one host',
    ]);
  });

  test('nothing is done about a mail, but a ticket says that nobody looked', async () => {
    const outputs = await unanswered('phishing-triage', { user: ADA, url: 'https://phish.example/', ...report });
    expect(outputs).toMatchObject({ verdict: 'ignore', contained: false });
    expect(effectsOn(fixture.sandbox)).toEqual([
      `jira Phishing mail to ${ADA}`,
      expect.stringContaining('Nobody answered in time, so the default was taken: ignore.'),
    ]);
  });
});

test('inputs that could change the meaning of a query are refused before a run exists', async () => {
  const hostile: [ShippedPlaybook, JsonObject][] = [
    ['password-spray', { ip: `${ATTACKER}" or outcome.result eq "FAILURE`, users: [ADA] }],
    ['password-spray', { ip: ATTACKER, users: [`${ADA}" or "a" eq "a`] }],
    ['vulnerable-host-ticket', { host: HOST, weakness: 'CVE-2026-1" OR project = HR', severity: 'high' }],
    ['exposed-cloud-key', { iam_user: '../root', access_key_id: 'AKIAI44QH8DHBEXAMPLE' }],
    ['lost-device', { host: "x'+status:'normal", user: ADA }],
    ['impossible-travel', { user: "a' or 'a' eq 'a", ip: ATTACKER }],
  ];
  for (const [key, inputs] of hostile) {
    const body = { playbook_id: ids[key], inputs };
    const refused = await fixture.call(workspace.analyst, 'POST', `${workspace.soar}/playbook_activity`, body);
    expect(refused, key).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  }
  expect(fixture.sandbox.state().calls).toEqual([]);
});

test('analysts do not decide about administrators', async () => {
  const runId = await workspace.start(ids['new-admin-review'], { user: BO, group: 'Finance' });
  const run = await workspace.runReaches(runId, 'waiting');
  const path = `${workspace.soar}/playbook_activity/${runId}/prompt/${promptOf(run)}`;
  const refused = await fixture.call(workspace.analyst, 'POST', path, { option: 'suspend' });
  expect(refused).toMatchObject({ status: 403, body: { code: 'PROMPT_NOT_APPROVER' } });
  expect(effectsOn(fixture.sandbox)).toEqual([]);
});

test('a clean file ends the run without a question', async () => {
  const { outputs, statuses } = await play('malware-hash', { hash: 'ab'.repeat(32), channel: '#security' });
  expect(outputs).toMatchObject({ is_clean: true, blocked: false, ticket: null });
  expect(statuses).toMatchObject({ decide: 'cancelled', prevent: 'cancelled', ticket: 'cancelled', notify: 'success' });
});

test('what a tenant has not connected is left out, and the question is asked all the same', async () => {
  const bare = await fixture.createWorkspace({ connectors: false });
  const playbookId = await bare.addPlaybook(shippedPlaybooks['phishing-triage']);
  const runId = await bare.start(playbookId, { user: ADA, url: 'https://phish.example/' });
  const run = await bare.runReaches(runId, 'waiting');
  expect(statusesOf(run)).toMatchObject({ link: 'error', domain: 'error', recipient: 'error', decide: 'waiting' });
});

describe('giving a tenant the library', () => {
  const stored = ({ tenant, scope }: Tenant) =>
    fixture.db.tenant(tenant, (tx) => fixture.work.playbooks.list(tx, scope));

  test('twice, or by two servers at once, gives it once, under the same ids', async () => {
    const tenant = await fixture.createWorkspace({ connectors: false });
    const [first, second] = await Promise.all([seed(tenant), seed(tenant)]);
    expect(second).toEqual(first);
    expect(await seed(tenant)).toEqual(first);
    expect((await stored(tenant)).map(({ id }) => id).toSorted()).toEqual(Object.values(first).toSorted());
    const other = await fixture.createWorkspace({ connectors: false });
    const others = Object.values(await seed(other));
    expect(others.filter((id) => Object.values(first).includes(id))).toEqual([]);
    expect(await tenant.auditVerdict()).toMatchObject({ intact: true });
  });

  test('leaves a copy as people made it', async () => {
    const tenant = await fixture.createWorkspace({ connectors: false });
    const { 'lost-device': id } = await seed(tenant);
    const changed = { ...shippedPlaybooks['lost-device'].metadata, name: 'Our own way' };
    await fixture.db.tenant(tenant.tenant, (tx) =>
      tx
        .updateTable('playbook')
        .set({ definition: JSON.stringify({ ...shippedPlaybooks['lost-device'], metadata: changed }), version: 2 })
        .where('id', '=', id)
        .execute(),
    );
    await seed(tenant);
    const copy = (await stored(tenant)).find((playbook) => playbook.id === id);
    expect(copy).toMatchObject({ version: 2, metadata: { name: 'Our own way' } });
  });
});
