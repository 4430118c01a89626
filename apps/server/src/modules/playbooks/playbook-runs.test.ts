import { type PlaybookRun, playbookRunSchema } from '@airdeck/contracts/activity/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { figuresOf, figuresQuery } from './playbook-figures.ts';
import { createPlaybooksFixture, type PlaybooksFixture, threeSteps, type Workspace } from './playbooks-fixture.ts';

let fixture: PlaybooksFixture;
let work: Workspace;
beforeAll(async () => {
  fixture = await createPlaybooksFixture();
});
beforeEach(async () => {
  work = await fixture.createWorkspace();
});
afterAll(() => fixture?.close());

/** Asks, and gives the answer and the word of its version. */
const asking = (word: string, name = 'Asking') => ({
  ...threeSteps(name),
  actions: [
    { id: 'ask', kind: 'prompt', message: 'Go on?', options: [{ value: 'yes', label: 'Yes' }] },
  ] as JsonObject[],
  outputs: { word, answer: '{{ actions.ask.output.option }}' },
});
const blocking = () => ({
  ...threeSteps('Blocking'),
  actions: [
    { id: 'block', kind: 'action', action: 'fortigate.block_address', input: { address: '{{ inputs.ip }}' } },
  ] as JsonObject[],
  outputs: {},
});
const inputs = { ip: '192.0.2.1' };
const soar = () => `/api/tenants/${work.tenant}/soar`;

async function start(playbook_id: string): Promise<PlaybookRun> {
  const answer = await fixture.call(work.analyst, 'POST', `${soar()}/playbook_activity`, { playbook_id, inputs });
  expect(answer).toMatchObject({ status: 202 });
  return playbookRunSchema.parse(answer.body);
}

function runReaches(id: string, status: string): Promise<PlaybookRun> {
  return vi.waitFor(
    async () => {
      const { body } = await fixture.call(work.analyst, 'GET', `${soar()}/playbook_activity/${id}`);
      const run = playbookRunSchema.parse(body);
      expect(run.summary.status).toBe(status);
      return run;
    },
    { timeout: 30_000 },
  );
}

async function answer(run: PlaybookRun): Promise<PlaybookRun> {
  const id = run.summary.workflow_uuid;
  const asked = await runReaches(id, 'waiting');
  const prompt = asked.summary.actions_summary[0]?.prompt_id;
  await fixture.call(work.analyst, 'POST', `${soar()}/playbook_activity/${id}/prompt/${prompt}`, { option: 'yes' });
  return await runReaches(id, 'success');
}

describe('a run', () => {
  it('keeps the version it started with, while the playbook is edited, published, rolled back and deleted', async () => {
    const { id } = await work.createPublished(asking('one'));
    const first = await start(id);
    await fixture.call(work.analyst, 'PUT', `${work.playbooks}/${id}/draft`, {
      definition: asking('two'),
      revision: 0,
    });
    await work.publish(id, 2);
    const second = await start(id);
    await fixture.call(work.analyst, 'POST', `${work.playbooks}/${id}/roll_back`, { version: 1 });
    const third = await start(id);
    expect(await answer(second)).toMatchObject({ playbook: { outputs: { word: 'two', answer: 'yes' } } });
    expect((await fixture.call(work.analyst, 'DELETE', `${work.playbooks}/${id}`)).status).toBe(204);
    expect(await answer(first)).toMatchObject({
      playbook: { outputs: { word: 'one', answer: 'yes' }, definition: { outputs: { word: 'one' } } },
      summary: { playbook_id: null, workflow_name: 'Asking' },
    });
    expect(await answer(third)).toMatchObject({ playbook: { outputs: { word: 'one' } } });
  });

  it('shows in the figures of its playbook, and is found by it', async () => {
    const { id } = await work.createPublished(asking('one'));
    await work.createPublished(asking('two', 'Other'));
    const run = await answer(await start(id));
    await start(id);
    const { body } = await fixture.call(work.analyst, 'GET', work.playbooks);
    expect(body).toMatchObject([
      {
        id,
        figures: {
          runs_30d: 2,
          success_rate: 1,
          median_duration_s: expect.any(Number),
          last_runs: [
            { duration_s: null },
            { id: run.summary.workflow_uuid, status: 'success', duration_s: expect.any(Number) },
          ],
        },
      },
      { figures: { runs_30d: 0, success_rate: null, median_duration_s: null, last_runs: [] } },
    ]);
  });
});

describe('everybody at once', () => {
  it('starts, saves, publishes, copies and deletes without one waiting for the other for ever', async () => {
    const { id } = await work.createPublished(blocking());
    await fixture.call(work.analyst, 'PUT', `${work.playbooks}/${id}/draft`, { definition: blocking(), revision: 0 });
    const path = `${work.playbooks}/${id}`;
    const start = () => fixture.call(work.analyst, 'POST', `${soar()}/playbook_activity`, { playbook_id: id, inputs });
    const changes = Array.from({ length: 8 }, (_, n) => [
      start(),
      fixture.call(work.analyst, 'PUT', `${path}/draft`, { definition: blocking(), revision: 2 + n }),
      fixture.call(work.analyst, 'POST', `${path}/publish`, { revision: 2 + n }),
      fixture.call(work.analyst, 'POST', `${path}/roll_back`, { version: 1 }),
      fixture.call(work.analyst, 'POST', `${path}/duplicate`, { name: `Copy ${n}` }),
    ]).flat();
    const changed = new Set((await Promise.all(changes)).map(({ status }) => status));
    expect([...changed].sort()).toEqual([200, 201, 202, 409]);
    const last = await Promise.all([start(), fixture.call(work.analyst, 'DELETE', path), start(), start()]);
    expect(last[1]).toMatchObject({ status: 204 });
    for (const { status } of [last[0], last[2], last[3]]) expect([202, 404]).toContain(status);
    expect(await work.auditVerdict()).toMatchObject({ intact: true });
  });
});

describe('a dry run', () => {
  it('of a draft changes nothing out there and is not counted among the runs', async () => {
    const { playbook_id: id } = await work.create(blocking());
    const path = `${work.playbooks}/${id}/dry_run`;
    const refused = await fixture.call(work.analyst, 'POST', path, { inputs });
    expect(refused).toMatchObject({ status: 409, body: { code: 'PLAYBOOK_NOT_PUBLISHED' } });
    const tried = await fixture.call(work.analyst, 'POST', path, { inputs, definition: blocking() });
    expect(tried).toMatchObject({ status: 202, body: { summary: { dry_run: true, playbook_id: id } } });
    // There is no connector: had the action been called, the run would have failed.
    await runReaches(playbookRunSchema.parse(tried.body).summary.workflow_uuid, 'success');
    const shown = await fixture.call(work.analyst, 'GET', `${work.playbooks}/${id}`);
    expect(shown.body).toMatchObject({ figures: { runs_30d: 0, last_runs: [] } });
  });

  it('of what was never stored belongs to no playbook, and runs once for one Idempotency-Key', async () => {
    const dry = (body: object) =>
      fixture.call(work.analyst, 'POST', `${work.playbooks}/dry_run`, body, { 'idempotency-key': 'dry' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => dry({ inputs, definition: blocking() })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    const runs = answers.map(({ body }) => playbookRunSchema.parse(body).summary);
    expect(new Set(runs.map(({ workflow_uuid }) => workflow_uuid)).size).toBe(1);
    expect(runs[0]).toMatchObject({ dry_run: true, playbook_id: null });
    const another = await dry({ inputs: { ip: '192.0.2.9' }, definition: blocking() });
    expect(another).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });

  it('needs a definition without problems, inputs that fit, and an Analyst', async () => {
    const dry = (body: object) => fixture.call(work.analyst, 'POST', `${work.playbooks}/dry_run`, body);
    const cycle = { ...blocking(), actions: [{ ...blocking().actions[0], depends_on: ['block'] }] };
    expect(await dry({ inputs, definition: cycle })).toMatchObject({
      status: 409,
      body: { code: 'PLAYBOOK_INVALID', details: [{ path: 'actions.0.depends_on' }] },
    });
    expect(await dry({ inputs: { ip: 7 }, definition: blocking() })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', details: [{ path: 'inputs.ip' }] },
    });
    const reader = await work.person('ReadOnly');
    const refused = await fixture.call(reader, 'POST', `${work.playbooks}/dry_run`, { inputs, definition: blocking() });
    expect(refused).toMatchObject({ status: 403, body: { code: 'ROLE_TOO_LOW' } });
  });
});

describe('figures of many playbooks with many runs', () => {
  const playbooks = Array.from({ length: 20 }, () => v7());
  const RUNS = 4_000;
  const DAY_MS = 24 * 3_600_000;

  /** Two runs a minute since 33 hours; some failed, every fifth one was dry, the last ten go on. */
  async function seed(): Promise<void> {
    await fixture.db.system(async (tx) => {
      for (const id of playbooks) {
        const definition = JSON.stringify(threeSteps());
        await tx.insertInto('playbook').values({ id, tenant_id: work.tenant, definition }).execute();
      }
      await sql`insert into engine.definition (tenant_id, hash, body, traits) values (${work.tenant}, 'x', '{}', '{}')`.execute(
        tx,
      );
      await sql`
        with made as (
          select n, now() - n * interval '30 seconds' as at,
            (lpad(to_hex((extract(epoch from now() - n * interval '30 seconds') * 1000)::bigint), 12, '0')
              || '7' || lpad(to_hex(n % 4096), 3, '0') || '8' || lpad(to_hex(n), 15, '0'))::uuid as id
          from generate_series(1, ${RUNS}) n),
        runs as (
          insert into engine.run (id, tenant_id, kind, name, definition_hash, status, inputs, priority, dry_run,
            created_at, updated_at, finished_at)
          select id, ${work.tenant}, 'playbook', 'x', 'x',
            case when n <= 10 then 'running' when n % 40 = 3 then 'error' else 'success' end,
            '{}', 0, n % 5 = 0, at, at, case when n > 10 then at + interval '4 seconds' end
          from made)
        insert into playbook_run (tenant_id, run_id, playbook_id, version, dry_run)
        select ${work.tenant}, id, (${playbooks}::uuid[])[n % 20 + 1], 1, n % 5 = 0 from made`.execute(tx);
    });
  }

  it('are right, and look up no more runs than they show', async () => {
    await seed();
    const [, second] = playbooks;
    const now = new Date();
    const figures = await fixture.db.read(work.tenant, (tx) => figuresOf(tx, work.scope, { ids: playbooks, now }));
    // Runs 1, 21, 41 …: none of them dry or failed, the first one still going on.
    expect(figures(second ?? '')).toMatchObject({ runs_30d: 200, success_rate: 1, median_duration_s: 4 });
    expect(figures(second ?? '').last_runs).toHaveLength(20);
    expect(figures(second ?? '').last_runs[0]).toMatchObject({ status: 'running', duration_s: null });
    // Runs 3, 23, 43 …: every second one failed; of the newest fifty the first goes on.
    expect(figures(playbooks[3] ?? '').success_rate).toBeCloseTo(25 / 49);
    // Runs 10, 30, 50 …: all of them dry.
    expect(figures(playbooks[10] ?? '')).toMatchObject({ runs_30d: 0, last_runs: [], success_rate: null });
    const later = new Date(now.getTime() + 31 * DAY_MS);
    const old = await fixture.db.read(work.tenant, (tx) => figuresOf(tx, work.scope, { ids: playbooks, now: later }));
    expect(old(second ?? '')).toMatchObject({ runs_30d: 0, success_rate: null, median_duration_s: null });
    expect(old(second ?? '').last_runs).toHaveLength(20);
  });

  it('come from the index, whatever the statistics say', async () => {
    const plan = await fixture.db.read(work.tenant, async (tx) => {
      const query = figuresQuery(work.scope, { ids: playbooks, now: new Date() });
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${query}`.execute(tx);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toContain('playbook_run_newest');
    expect(plan).not.toMatch(/Seq Scan on (playbook_run|run)/);
  });
});
