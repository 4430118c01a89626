/** How many runs of a tenant may be unfinished, as people and automation meet it. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createRunsFixture, node, type RunsFixture, type RunsWorkspace } from './runs-fixture.ts';

const MOST = 3;

let fixture: RunsFixture;
let workspace: RunsWorkspace;
let playbook: string;

beforeAll(async () => {
  fixture = await createRunsFixture({ env: { OPEN_RUNS_MAX: String(MOST) } });
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  workspace = await fixture.workspace();
  playbook = await workspace.add([node.ask('ask')]);
});

async function ask(path: string, payload: object) {
  const { headers } = workspace.analyst;
  return await fixture.server.inject({ method: 'POST', url: path, headers, payload });
}

test('beyond it a person is refused, told when to come again, and starts again once a run has ended', async () => {
  const ended = await workspace.start(playbook);
  await fixture.call(workspace.analyst, 'POST', `${workspace.runs}/${ended}/cancel`);
  const runs: string[] = [];
  for (let n = 0; n < MOST; n++) runs.push(await workspace.start(playbook));
  const [first = ''] = runs;

  const refusals = [
    await ask(workspace.runs, { playbook_id: playbook, inputs: {} }),
    await ask(`${workspace.runs}/${ended}/retry`, {}),
    await ask(`${workspace.soar}/actions_activity`, { action_name: 'http_request.get', action_input: { path: '/x' } }),
  ];
  for (const refusal of refusals) {
    expect(refusal.statusCode).toBe(429);
    expect(refusal.json().code).toBe('TOO_MANY_OPEN_RUNS');
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(0);
  }

  const others = await fixture.workspace();
  await others.start(await others.add([node.ask('ask')]));

  await workspace.reaches(first, 'waiting');
  await workspace.answer(first, workspace.analyst, 'keep');
  await workspace.reaches(first, 'success');
  await workspace.start(playbook);
});

test('beyond it automation starts nothing, and its case and its history say why', async () => {
  const { guess } = await workspace.answerGuesses(playbook);
  for (let n = 0; n < MOST; n++) await workspace.start(playbook);
  await guess('203.0.113.9');
  const [entry] = await workspace.history();
  expect(entry).toMatchObject({ outcome: 'failed', run_id: null });
  expect(entry?.problem).toContain('Too many runs');
  const { body } = await fixture.call(workspace.analyst, 'GET', `${workspace.path}/case/${entry?.case_id}`);
  const story = (body.activity as { text: string }[]).map(({ text }) => text);
  expect(story).toContainEqual(expect.stringContaining('could not start: Too many runs'));
});
