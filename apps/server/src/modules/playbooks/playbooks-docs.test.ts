/** Every example of docs/playbooks.md as its reader would use it: imported, published, started, answered. */
import { readFileSync } from 'node:fs';
import { vendorErrorCodes } from '@airdeck/connector-kit/vendor-error';
import { playbookRunSchema } from '@airdeck/contracts/activity/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import { playbookDraftSchema, playbookImportedSchema, playbookSchema } from '@airdeck/contracts/playbooks/schema';
import { engineFailureCodes } from '@airdeck/engine/errors';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  type ActivityFixture,
  by,
  createActivityFixture,
  promptOf,
  type Workspace,
} from '../activity/activity-fixture.ts';
import { demoConnections } from '../demo/demo-connections.ts';
import { effectsOn } from './library/sandbox-effects-fixture.ts';
import { shippedPlaybooks } from './library/shipped-playbooks.ts';

const document = readFileSync(new URL('../../../../../docs/playbooks.md', import.meta.url), 'utf8');

/** The id that examples name for the first playbook of the document. */
const FIRST_PLAYBOOK = '00000000-0000-4000-8000-000000000001';

type Example = { title: string; isWrong: boolean; yaml: string; expected: unknown };

/** Blocks of YAML, each with the block of JSON that says what comes of it. */
const examples = [
  ...document.matchAll(/^```yaml( wrong)?\n([\s\S]*?)^```\n([\s\S]*?)(?=^```yaml|^## |(?![\s\S]))/gm),
].map(
  ([, wrong, yaml = '', after = '']): Example => ({
    title: (parse(yaml) as { metadata: { name: string } }).metadata.name,
    isWrong: wrong !== undefined,
    yaml,
    expected: JSON.parse(/^```json\n([\s\S]*?)^```/m.exec(after)?.[1] ?? 'null'),
  }),
);

let fixture: ActivityFixture;
let workspace: Workspace;

beforeAll(async () => {
  fixture = await createActivityFixture();
  workspace = await fixture.createWorkspace({ connectors: false });
  await fixture.db.tenant(workspace.tenant, async (tx) => {
    for (const { definition_id: definitionId, config } of demoConnections(fixture.sandbox)) {
      await fixture.work.connectors.create(tx, workspace.scope, { definitionId, name: definitionId, config }, by);
    }
  });
});
afterAll(() => fixture.close());
beforeEach(() => fixture.sandbox.reset());

async function post(path: string, body: unknown, status: number): Promise<JsonObject> {
  const answer = await fixture.call(workspace.analyst, 'POST', `${workspace.soar}/playbooks${path}`, body);
  expect(answer.body).toBeTypeOf('object');
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  return answer.body;
}

async function imported(yaml: string) {
  return playbookImportedSchema.parse(await post('/import', { yaml }, 200));
}

/** Stores a playbook that has no problems, and publishes it. Returns its id. */
async function publish(yaml: string): Promise<string> {
  const definition: unknown = parse(yaml);
  const draft = playbookDraftSchema.parse(await post('', { definition }, 201));
  expect(draft.problems).toEqual([]);
  const { revision } = draft;
  const published = await post(`/${draft.playbook_id}/publish`, { revision, note: 'From the document' }, 200);
  expect(playbookSchema.parse(published).version).toBe(1);
  return draft.playbook_id;
}

/** The first example of every input that has one. */
function exampleInputs(yaml: string): JsonObject {
  const { inputs } = parse(yaml) as { inputs: { properties: Record<string, { examples?: unknown[] }> } };
  return Object.fromEntries(
    Object.entries(inputs.properties).flatMap(([name, { examples: given }]) => (given ? [[name, given[0]]] : [])),
  ) as JsonObject;
}

async function answerWithFirstOption(runId: string): Promise<void> {
  const run = await workspace.runReaches(runId, 'waiting');
  const path = `${workspace.soar}/playbook_activity/${runId}/prompt/${promptOf(run)}`;
  const asked = await fixture.call(workspace.analyst, 'GET', path);
  const [first] = asked.body.options as { value: string }[];
  expect((await fixture.call(workspace.analyst, 'POST', path, { option: first?.value })).status).toBe(200);
}

test('has an example of every kind of action and of every field', () => {
  expect(examples.length).toBeGreaterThanOrEqual(11);
  const actions = examples.flatMap(({ yaml }) => (parse(yaml) as { actions: JsonObject[] }).actions);
  expect([...new Set(actions.map(({ kind }) => kind))].toSorted()).toEqual(['action', 'delay', 'playbook', 'prompt']);
  const fields = new Set(actions.flatMap((action) => Object.keys(action)));
  for (const field of [
    'depends_on',
    'when',
    'for_each',
    'retry',
    'timeout_s',
    'on_error',
    'expires_in_s',
    'approvers',
  ]) {
    expect(fields).toContain(field);
  }
});

describe('the examples', () => {
  test.each(examples.filter(({ isWrong }) => !isWrong))('$title', async ({ yaml, expected }) => {
    const [first] = examples;
    // The reader has published that one before; its id is the reader's own.
    const inner = yaml.includes(FIRST_PLAYBOOK) ? await publish(first?.yaml ?? '') : '';
    const id = await publish(yaml.replaceAll(FIRST_PLAYBOOK, inner));
    const runId = await workspace.start(id, exampleInputs(yaml));
    if (yaml.includes('kind: prompt')) await answerWithFirstOption(runId);
    const run = await workspace.runReaches(runId, 'success');
    expect(run.playbook.outputs).toEqual(expected);
  });

  test('the first one, imported as a reader would', async () => {
    const [first] = examples;
    const { definition, problems } = await imported(first?.yaml ?? '');
    expect(problems).toEqual([]);
    expect(definition).toMatchObject(parse(first?.yaml ?? '') as JsonObject);
  });

  test.each(examples.filter(({ isWrong }) => isWrong))('$title, told with their places', async ({ yaml, expected }) => {
    const { problems } = await imported(yaml);
    const told = problems.map(({ path, code }) => ({ path, code }));
    expect(told).toHaveLength((expected as unknown[]).length);
    expect(told).toEqual(expect.arrayContaining(expected as unknown[]));
  });
});

test('a dry run of an example with a question changes nothing, and says what it would', async () => {
  const { yaml = '', expected } = examples.find((one) => one.title === 'Ask before blocking') ?? {};
  const id = await publish(yaml);
  const trial = await post(`/${id}/dry_run`, { inputs: exampleInputs(yaml) }, 202);
  const runId = playbookRunSchema.parse(trial).summary.workflow_uuid;
  await answerWithFirstOption(runId);
  const run = await workspace.runReaches(runId, 'success');
  expect(run.summary.dry_run).toBe(true);
  expect(run.playbook.outputs).toEqual(expected);
  expect(effectsOn(fixture.sandbox)).toEqual([]);
});

test('lists the library as it is shipped', () => {
  const rows = [...(document.split('## The library')[1] ?? '').matchAll(/^\| ([A-Z][^|]+) \|/gm)].map(
    ([, name]) => name,
  );
  const names = Object.values(shippedPlaybooks).map(({ metadata }) => metadata.name);
  expect(rows.slice(1).toSorted()).toEqual(names.toSorted());
});

test('explains every code a run can end with', () => {
  const table = document.split('## How an action or a run can end badly')[1]?.split('\n## ')[0] ?? '';
  const told = [...table.matchAll(/`([A-Z_]{6,})`/g)].map(([, code]) => code);
  expect(told).toEqual(expect.arrayContaining(Object.values(engineFailureCodes).filter((code) => !internal.has(code))));
  expect(told).toEqual(expect.arrayContaining(Object.keys(vendorErrorCodes).filter((code) => !internal.has(code))));
});

/** Of faults of the product itself, and of set-up; no playbook can avoid or mend them. */
const internal: ReadonlySet<string> = new Set(['STEP_FAILED', 'RUN_FAULT', 'JOB_FORGED', 'CONNECTOR_CONFIG_INVALID']);
