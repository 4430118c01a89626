/** Runs whose integration does not answer, with the real stores: what is put off, what it costs, and what goes on meanwhile. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { FAILURES_IN_A_ROW, OPEN_MS } from '../actions/circuit-breaker.ts';
import { createRunsFixture, node, type RunsFixture, type RunsWorkspace, stepOf } from './runs-fixture.ts';

let fixture: RunsFixture;
let workspace: RunsWorkspace;
const clock = { ms: Date.now() };

beforeAll(async () => {
  fixture = await createRunsFixture({ now: () => new Date(clock.ms) });
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  fixture.vendor.reset();
  workspace = await fixture.workspace();
  await opens();
});

const readNow = (path: string) =>
  fixture.call(workspace.analyst, 'POST', `${workspace.soar}/synchronous_action`, {
    ...{ action_name: 'http_request.get', action_input: { path }, connector_id: null },
  });

/** The vendor is down for as many calls as it takes. */
async function opens(): Promise<void> {
  fixture.vendor.fails.add('/look').add('/send');
  for (let failed = 0; failed < FAILURES_IN_A_ROW; failed += 1) {
    expect((await readNow('/look')).body).toMatchObject({ details: [{ message: 'VENDOR_UNAVAILABLE' }] });
  }
  fixture.vendor.calls.length = 0;
}

/** Waits until the action was refused. */
async function refused(runId: string, action: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const { details } = await workspace.action(runId, action);
      expect(details.error_info?.code).toBe('CIRCUIT_OPEN');
    },
    { timeout: 30_000, interval: 50 },
  );
}

test('somebody who waits is told at once, and nothing is sent', async () => {
  expect(await readNow('/other')).toMatchObject({
    status: 502,
    body: {
      code: 'ACTION_FAILED',
      message: 'This integration did not answer 5 times in a row. The next call is tried in 30 s.',
      details: [{ message: 'CIRCUIT_OPEN' }],
    },
  });
  expect(fixture.vendor.calls).toEqual([]);
});

test('an action that must not be made twice waits, and is made once when the system is back, though it has one attempt', async () => {
  // Little is left of the pause, by the clock that it is kept by.
  clock.ms += OPEN_MS - 100;
  const runId = await workspace.start(await workspace.add([node.send('send', '/send')]));
  await refused(runId, 'send');
  expect((await workspace.action(runId, 'send')).details).toMatchObject({
    error_info: { retryable: true },
    context: { attempt_count: 0 },
  });
  expect(fixture.vendor.calls).toEqual([]);
  fixture.vendor.fails.clear();
  clock.ms += 100;
  await workspace.reaches(runId, 'success');
  expect(fixture.vendor.calls).toEqual(['POST /send']);
  expect((await workspace.action(runId, 'send')).details).toMatchObject({
    error_info: null,
    context: { attempt_count: 1 },
  });
});

test('a system that is still away when it is tried again fails the run with what it said, not with the pause', async () => {
  clock.ms += OPEN_MS;
  const runId = await workspace.start(await workspace.add([node.read('look', '/look')]));
  const run = await workspace.reaches(runId, 'error');
  expect(run.summary.error_info?.code).toBe('VENDOR_UNAVAILABLE');
  expect(fixture.vendor.calls).toEqual(['GET /look']);
  expect((await readNow('/look')).body).toMatchObject({ details: [{ message: 'CIRCUIT_OPEN' }] });
});

test('a run that waits for it can be cancelled', async () => {
  const runId = await workspace.start(await workspace.add([node.send('send', '/send')]));
  await refused(runId, 'send');
  const answer = await fixture.call(workspace.analyst, 'POST', `${workspace.runs}/${runId}/cancel`);
  expect(answer.status).toBeLessThan(300);
  const run = await workspace.reaches(runId, 'cancelled');
  expect(stepOf(run, 'send').outcome_unknown).not.toBe(true);
  expect(fixture.vendor.calls).toEqual([]);
});

test('other connectors of the same tenant, and the same integration of another one, are called as ever', async () => {
  fixture.vendor.fails.clear();
  const { connectors } = fixture.server.composition.work;
  const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
  const config = { base_url: `http://127.0.0.1:${fixture.vendor.port}` };
  const second = await fixture.db.tenant(workspace.tenant, (tx) =>
    connectors.create(tx, workspace.scope, { definitionId: 'http_request', name: 'Second', config }, by),
  );
  const read = node.read('look', '/look', { connector_id: second });
  await workspace.reaches(await workspace.start(await workspace.add([read])), 'success');
  const other = await fixture.workspace();
  await other.reaches(await other.start(await other.add([node.read('look', '/look')])), 'success');
  expect((await readNow('/look')).body).toMatchObject({ details: [{ message: 'CIRCUIT_OPEN' }] });
});

test('whoever configures it anew need not wait', async () => {
  fixture.vendor.fails.clear();
  const url = `${workspace.path}/connectors/${workspace.connectorId}`;
  const changed = await fixture.call(workspace.admin, 'PATCH', url, { config: { test_path: '/health' } });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  expect(await readNow('/look')).toMatchObject({ status: 200 });
});

test('what was opened and refused is counted', async () => {
  const before = fixture.server.composition.work.circuits();
  await readNow('/look');
  expect(fixture.server.composition.work.circuits()).toEqual({ ...before, refused: before.refused + 1 });
  const text = await fixture.server.composition.operations.metrics.text();
  expect(text).toContain(`airdeck_circuits_opened_total ${before.opened}`);
  expect(before.opened).toBeGreaterThan(0);
});
