/** Attack case E12: rows of jobs that a tenant's own transaction has written, and a run that names what is another tenant's. */
import { singleActionDefinition } from '@airdeck/engine/definition';
import { listDeadJobs } from '@airdeck/engine/jobs';
import { findRun } from '@airdeck/engine/reads';
import { runJobKinds } from '@airdeck/engine/run-model';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DUE_JOB, jobKindOf } from '../connectors/connector-work.ts';
import { createRunsFixture, node, type RunsFixture, type RunsWorkspace } from './runs-fixture.ts';

let fixture: RunsFixture;
let own: RunsWorkspace;
let others: RunsWorkspace;

beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  fixture.vendor.reset();
  own = await fixture.workspace({ connector: false });
  others = await fixture.workspace();
});

const engineClient = () => fixture.server.composition.work.enginePool.client;

/** With the rights of a request of the tenant; row-level security lets it write rows of its own. */
async function forge(row: { kind: string; runId?: string; stepId?: string | null; payload?: object }): Promise<string> {
  const id = v7();
  await fixture.db.tenant(own.tenant, (tx) =>
    engineClient()(tx).query(
      `insert into engine.job (id, tenant_id, kind, run_id, step_id, payload, priority, state, available_at, attempt,
         max_attempts, backoff_ms, lease_token, created_at)
       values ($1, $2, $3, $4, $5, $6::jsonb, 0, 'available', now(), 0, 3, 0, 0, now())`,
      [id, own.tenant, row.kind, row.runId ?? null, row.stepId ?? null, JSON.stringify(row.payload ?? null)],
    ),
  );
  return id;
}

async function putAway(id: string) {
  const dead = () =>
    fixture.db.tenant(own.tenant, async (tx) =>
      (await listDeadJobs(engineClient()(tx), { tenantId: own.tenant, limit: 10 })).find((job) => job.id === id),
    );
  await expect.poll(dead).toBeDefined();
  return (await dead())?.error;
}

test.each([runJobKinds.timer, runJobKinds.promptExpiry, runJobKinds.deadline, runJobKinds.stop, runJobKinds.step])(
  'a row (%s) of one tenant neither answers nor ends the run of another that it names',
  async (kind) => {
    const playbook = await others.add([node.ask('ask'), node.destroy('gone', '/gone', { depends_on: ['ask'] })]);
    const runId = await others.start(playbook);
    const before = await others.reaches(runId, 'waiting');
    const [asked] = before.summary.actions_summary;
    const job = await forge({ kind, runId, stepId: asked?.action_uuid ?? null, payload: { by: 'x' } });
    expect(await putAway(job)).toMatchObject({ code: 'JOB_FORGED', message: 'It names a run of another tenant.' });
    expect(await others.get(runId)).toEqual(before);
    expect(fixture.vendor.calls).toEqual([]);
    await others.answer(runId, others.analyst, 'delete');
    await others.reaches(runId, 'success');
  },
);

test('a row that answers a question of its own tenant as if it were a delay leaves it to the people asked', async () => {
  const runId = await own.start(await own.add([node.ask('ask')]));
  const before = await own.reaches(runId, 'waiting');
  const [asked] = before.summary.actions_summary;
  const job = await forge({ kind: runJobKinds.timer, runId, stepId: asked?.action_uuid ?? null });
  expect(await putAway(job)).toMatchObject({ code: 'JOB_FORGED' });
  expect(await own.get(runId)).toEqual(before);
});

test('a run that names the connector of another tenant finds none, and calls nobody', async () => {
  const extra = { connector_id: others.connectorId };
  const definition = singleActionDefinition({ name: 'http_request.get', extra });
  const { runId } = await fixture.db.tenant(own.tenant, (tx) =>
    fixture.server.composition.work.engine.startRun(engineClient()(tx), {
      tenantId: own.tenant,
      kind: 'playbook',
      name: 'Borrowed',
      definition,
      traits: { 'http_request.get': { effect: 'reads', idempotent: true } },
      inputs: { input: { path: '/borrowed' } },
      trigger: {
        ...{ trigger_type: 'manual', username: own.analyst.email, user_tenant_id: own.tenant, user_tenant_name: null },
        ...{ case_id: null, acts_as: own.analyst.id, response_name: null, connector_id: null },
      },
    }),
  );
  const code = () =>
    fixture.db.tenant(own.tenant, async (tx) => {
      const run = await findRun(engineClient()(tx), { tenantId: own.tenant, runId });
      return run?.error?.code;
    });
  await expect.poll(code).toBe('CONNECTOR_UNAVAILABLE');
  expect(fixture.vendor.calls).toEqual([]);
});

test('a row whose payload names the connector of another tenant is dropped, and calls nobody', async () => {
  const id = await forge({ kind: jobKindOf.test, payload: { connector_id: others.connectorId } });
  const left = () =>
    fixture.db.tenant(own.tenant, (tx) => engineClient()(tx).query('select from engine.job where id = $1', [id]));
  await expect.poll(async () => (await left()).rows.length).toBe(0);
  expect(fixture.vendor.calls).toEqual([]);
});

test('what is done for all tenants is not done because one of them asks', async () => {
  expect(await putAway(await forge({ kind: DUE_JOB.kind }))).toMatchObject({
    code: 'JOB_FORGED',
    message: 'No tenant has jobs of this kind.',
  });
});

test('a job whose payload is none of its kind is put away with its last error after its tries', async () => {
  expect(await putAway(await forge({ kind: jobKindOf.test, payload: { connector_id: 5 } }))).toMatchObject({
    code: 'JOB_FAILED',
  });
});
