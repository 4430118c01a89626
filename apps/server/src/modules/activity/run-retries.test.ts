import type { ServerResponse } from 'node:http';
import { actionActivitySchema } from '@airdeck/contracts/activity/schema';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRunsFixture, node, type RunsFixture, type RunsWorkspace, statusesOf, stepOf } from './runs-fixture.ts';

let fixture: RunsFixture;
let workspace: RunsWorkspace;

beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  fixture.vendor.reset();
  workspace = await fixture.workspace();
});

const retry = (runId: string, body: object = {}, actor = workspace.analyst, headers = {}) =>
  fixture.call(actor, 'POST', `${workspace.runs}/${runId}/retry`, body, headers);

async function switchAutomationOff(): Promise<void> {
  const { admin, path } = workspace;
  const answer = await fixture.call(admin, 'PATCH', `${path}/settings`, { automation: { enabled: false } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

/** look, then send, then check; `send` fails as long as the vendor does. */
async function failed(): Promise<{ runId: string; playbookId: string }> {
  fixture.vendor.fails.add('/send');
  const playbookId = await workspace.add([
    node.read('look', '/look'),
    node.send('send', '/send', { depends_on: ['look'] }),
    node.read('check', '/check', { depends_on: ['send'] }),
  ]);
  const runId = await workspace.start(playbookId);
  await workspace.reaches(runId, 'error');
  fixture.vendor.calls.length = 0;
  fixture.vendor.fails.clear();
  return { runId, playbookId };
}

describe('a run that is tried again', () => {
  test('takes over what succeeded, does the rest, and leaves the one before as it was', async () => {
    const { runId, playbookId } = await failed();
    const before = await workspace.get(runId);
    const next = await workspace.started(await retry(runId));
    const run = await workspace.reaches(next, 'success');
    expect(fixture.vendor.calls).toEqual(['POST /send', 'GET /check']);
    expect(run.summary).toMatchObject({ retry_of: runId, playbook_id: playbookId });
    expect(run.summary.trigger_info).toMatchObject({ trigger_type: 'manual', username: workspace.analyst.email });
    expect(stepOf(run, 'look')).toMatchObject({ status: 'success', reused: true });
    expect(stepOf(run, 'send').reused).toBeUndefined();
    expect(await workspace.get(runId)).toEqual(before);
  });

  test('adds to the list of actions what it does, not what it takes over', async () => {
    const { runId } = await failed();
    const next = await workspace.started(await retry(runId));
    await workspace.reaches(next, 'success');
    const { body } = await fixture.call(workspace.analyst, 'GET', `${workspace.soar}/actions_activity?status=success`);
    const listed = actionActivitySchema
      .array()
      .parse(body)
      .map(({ details }) => details.context);
    expect(listed.map((one) => [one.workflow_action_id, one.workflow_instance_id])).toEqual([
      ['check', next],
      ['send', next],
      ['look', runId],
    ]);
  });

  test('begins at the action that is named, with everything behind it', async () => {
    const { runId } = await failed();
    const first = await workspace.started(await retry(runId));
    await workspace.reaches(first, 'success');
    fixture.vendor.calls.length = 0;
    const second = await workspace.started(await retry(first, { from_action: 'send' }));
    const run = await workspace.reaches(second, 'success');
    expect(fixture.vendor.calls).toEqual(['POST /send', 'GET /check']);
    expect(run.summary.retry_of).toBe(first);
    expect(statusesOf(run)).toEqual({ look: 'success', send: 'success', check: 'success' });
  });

  test('is refused while it goes on, for an action it has not, to readers and to other tenants', async () => {
    const waiting = await workspace.start(await workspace.add([node.ask('ask')]));
    await workspace.reaches(waiting, 'waiting');
    expect(await retry(waiting)).toMatchObject({ status: 409, body: { code: 'RUN_NOT_FINISHED' } });
    const { runId } = await failed();
    expect(await retry(runId, { from_action: 'nothing' })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', details: [{ path: 'body.from_action' }] },
    });
    expect(await retry(runId, { from: 'send' })).toMatchObject({ status: 400 });
    const reader = await workspace.person('ReadOnly');
    expect(await retry(runId, {}, reader)).toMatchObject({ status: 403, body: { code: 'ROLE_TOO_LOW' } });
    const other = await fixture.workspace();
    const foreign = await fixture.call(other.analyst, 'POST', `${other.runs}/${runId}/retry`, {});
    expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(await workspace.list()).toHaveLength(2);
  });

  test('starts once for one key, whatever number of times it is asked', async () => {
    const { runId } = await failed();
    const key = { 'idempotency-key': 'again' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => retry(runId, {}, workspace.analyst, key)));
    const started = await Promise.all(answers.map((answer) => workspace.started(answer)));
    expect(new Set(started).size).toBe(1);
    expect(await retry(runId, { from_action: 'look' }, workspace.analyst, key)).toMatchObject({ status: 422 });
    await workspace.reaches(started[0] ?? '', 'success');
    expect(fixture.vendor.calls).toEqual(['POST /send', 'GET /check']);
  }, 60_000);

  test('starts once, however many people ask for it at once; the others are told', async () => {
    const { runId } = await failed();
    const held: ServerResponse[] = [];
    fixture.vendor.answers.set('/send', (response) => held.push(response));
    const others = await Promise.all([1, 2, 3].map(() => workspace.person('Analyst')));
    const answers = await Promise.all([workspace.analyst, ...others].map((actor) => retry(runId, {}, actor)));
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused.map(({ body }) => body)).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ code: 'CONFLICT' })),
    );
    const [accepted] = answers.filter((answer) => !refused.includes(answer));
    if (accepted === undefined) throw new Error('Nobody was let through.');
    const next = await workspace.started(accepted);
    await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: 30_000 });
    held[0]?.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    await workspace.reaches(next, 'success');
    expect(fixture.vendor.calls).toEqual(['POST /send', 'GET /check']);
    expect(await workspace.list()).toHaveLength(2);
  });

  test('answers a key as the first time though another retry would be refused by now', async () => {
    const { runId } = await failed();
    const key = { 'idempotency-key': 'once' };
    const next = await workspace.started(await retry(runId, {}, workspace.analyst, key));
    await workspace.reaches(next, 'success');
    await switchAutomationOff();
    expect(await workspace.started(await retry(runId, {}, workspace.analyst, key))).toBe(next);
    expect(await retry(runId)).toMatchObject({ status: 409 });
  });

  test('works without its playbook, whose version it keeps', async () => {
    const { runId, playbookId } = await failed();
    const deleted = await fixture.call(workspace.analyst, 'DELETE', `${workspace.soar}/playbooks/${playbookId}`);
    expect(deleted.status).toBe(204);
    expect((await workspace.get(runId)).summary.playbook_id).toBeNull();
    const run = await workspace.reaches(await workspace.started(await retry(runId)), 'success');
    expect(run.summary.playbook_id).toBeNull();
  });

  test('of a dry run is a dry run', async () => {
    const id = await workspace.add([node.send('send', '/send'), node.read('look', '/look', { depends_on: ['send'] })]);
    fixture.vendor.fails.add('/look');
    const runId = await workspace.start(id, { dry_run: true });
    await workspace.reaches(runId, 'error');
    fixture.vendor.fails.clear();
    const run = await workspace.reaches(await workspace.started(await retry(runId)), 'success');
    expect(run.summary.dry_run).toBe(true);
    expect(fixture.vendor.calls).not.toContain('POST /send');
  });
});

const gateway =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<html>');

describe('a call that must not be made twice', () => {
  const thrice = { retry: { max_attempts: 3, backoff_s: 1 } };

  test.each([
    ['a gateway that stopped waiting', gateway(504)],
    ['a server that broke in the middle', gateway(500)],
    ['an answer that cannot be read', gateway(201, { 'content-encoding': 'gzip' })],
  ])('is made once when it meets %s', async (_, answer) => {
    fixture.vendor.answers.set('/send', answer);
    const runId = await workspace.start(await workspace.add([node.send('send', '/send', thrice)]));
    const run = await workspace.reaches(runId, 'error');
    expect(run.summary.error_info?.code).toBe('OUTCOME_UNKNOWN');
    expect(fixture.vendor.calls).toEqual(['POST /send']);
  });

  test('is made again when it was turned away at the door', async () => {
    fixture.vendor.answers.set('/send', (response) => {
      fixture.vendor.answers.clear();
      gateway(503, { 'retry-after': '1' })(response);
    });
    const runId = await workspace.start(await workspace.add([node.send('send', '/send', thrice)]));
    await workspace.reaches(runId, 'success');
    expect(fixture.vendor.calls).toEqual(['POST /send', 'POST /send']);
  });
});

test('the same inputs again are a start like any other, once for one key', async () => {
  const id = await workspace.add([node.read('look', '/look')]);
  const start = (inputs: object) =>
    fixture.call(workspace.analyst, 'POST', workspace.runs, { playbook_id: id, inputs }, { 'idempotency-key': 'k' });
  const [first, second] = [await start({ a: 1 }), await start({ a: 1 })];
  expect(await workspace.started(first)).toBe(await workspace.started(second));
  expect(await start({ a: 2 })).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  // What would be refused by now has been answered already.
  await workspace.reaches(await workspace.started(first), 'success');
  await switchAutomationOff();
  expect(await workspace.started(await start({ a: 1 }))).toBe(await workspace.started(first));
  await fixture.call(workspace.analyst, 'DELETE', `${workspace.soar}/playbooks/${id}`);
  expect(await workspace.started(await start({ a: 1 }))).toBe(await workspace.started(first));
  expect(await start({ a: 2 })).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
});
