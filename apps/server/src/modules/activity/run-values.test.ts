/** Attack cases E6 and E13: what the expressions of a run can read, and what it does with answers nobody can keep. */
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createRunsFixture, node, type RunsFixture, type RunsWorkspace, statusesOf } from './runs-fixture.ts';

const SECRET = 'planted-secret-of-a-connector';
const INPUT = 'planted-input-of-another-run';

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

/** How an action of a run ended: `success`, or the code of its error. */
async function endOf(runId: string, actionId: string): Promise<string> {
  const { details, summary } = await workspace.action(runId, actionId);
  return details.error_info?.code ?? summary.status;
}

test('reads neither the environment, nor secrets, nor inputs of other actions, runs and tenants, nor what is not there (E6)', async () => {
  const { scope, tenant } = workspace;
  const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
  const config = { base_url: `http://127.0.0.1:${fixture.vendor.port}`, auth: 'bearer', secret: SECRET };
  const secretly = await fixture.db.tenant(tenant, (tx) =>
    fixture.server.composition.work.connectors.create(
      tx,
      scope,
      { definitionId: 'http_request', name: 'With a secret', config },
      by,
    ),
  );
  const others = await fixture.workspace();
  const otherRun = await others.start(await others.add([node.ask('ask')]), { inputs: { note: INPUT } });
  const forbidden = [
    'env.PATH',
    'process.env.PATH',
    'environment',
    'secrets.secret',
    'config.secret',
    'connector.config.secret',
    'connectors[0].config.secret',
    'actions.first.secrets',
    'actions.first.config.secret',
    'actions.first.connector',
    'actions.first.input',
    'actions.first.headers.authorization',
    'actions.first.output.request.headers',
    `runs['${otherRun}'].inputs.note`,
    `run['${otherRun}']`,
    'run.inputs',
    'run.secrets',
    `tenants['${others.tenant}'].name`,
    'tenant.variables',
    'variables.note',
    'inputs.note',
    'inputs.absent.deeper',
    'actions.first.output.absent',
    'actions.first.output.headers.absent.deeper',
  ];
  const reads = forbidden.map((text, at) =>
    node.send(`read_${at}`, '/told', {
      depends_on: ['first'],
      input: { path: '/told', text: `{{ ${text} }}` },
      on_error: 'continue',
    }),
  );
  const first = node.read('first', '/first', { connector_id: secretly });
  const runId = await workspace.start(await workspace.add([first, ...reads]));
  const run = await workspace.reaches(runId, 'success');
  for (const [at, text] of forbidden.entries())
    expect([text, await endOf(runId, `read_${at}`)]).toEqual([text, 'EXPRESSION_FAILED']);
  expect(fixture.vendor.calls).toEqual(['GET /first']);
  const everything = [run, ...(await Promise.all([0, 3, 4, 13].map((at) => workspace.action(runId, `read_${at}`))))];
  for (const planted of [SECRET, INPUT, process.env.PATH ?? 'PATH'])
    expect(JSON.stringify(everything)).not.toContain(planted);
});

test('finds a large answer of long before, however an expression names it', async () => {
  const blob = randomBytes(10_000).toString('hex');
  fixture.vendor.answers.set('/large', (response) => response.writeHead(200, json).end(JSON.stringify({ blob })));
  const again = (id: string, text: string) =>
    node.send(id, '/later', { depends_on: ['between'], input: { path: '/later', json: { size: `{{ ${text} }}` } } });
  const named = {
    by_name: 'size(actions.large.output.body.blob)',
    by_text: "size(actions['large'].output.body.blob)",
    by_input: 'size(actions[inputs.which].output.body.blob)',
    among_all: '[actions].map(all, size(all.large.output.body.blob))[0]',
    behind_a_remark: "// don't\n size(actions.large.output.body.blob)",
  };
  const id = await workspace.add(
    [
      node.read('large', '/large'),
      node.read('between', '/between', { depends_on: ['large'] }),
      ...Object.entries(named).map(([name, text]) => again(name, text)),
    ],
    { outputs: { size: '{{ size(actions.large.output.body.blob) }}' } },
  );
  const runId = await workspace.start(id, { inputs: { which: 'large' } });
  expect((await workspace.reaches(runId, 'success')).playbook.outputs).toEqual({ size: blob.length });
  const sizeOf = async (name: string) => (await workspace.action(runId, name)).details.action_input.json;
  for (const name of Object.keys(named)) expect([name, await sizeOf(name)]).toEqual([name, { size: blob.length }]);
});

test('can ask whether something is there, and is told no rather than anything else (E6)', async () => {
  const id = await workspace.add([node.read('first', '/first')], {
    outputs: {
      input: '{{ has(inputs.absent) }}',
      output: '{{ has(actions.first.output.absent) }}',
      error: '{{ actions.first.error }}',
    },
  });
  const run = await workspace.reaches(await workspace.start(id), 'success');
  expect(run.playbook.outputs).toEqual({ input: false, output: false, error: null });
});

const MIB = 1_048_576;
const json = { 'content-type': 'application/json' };

/** Sends this much of a JSON text, or until nobody reads any more. */
function endless(response: ServerResponse, sizeBytes: number): void {
  const piece = Buffer.alloc(MIB, 'x');
  let left = sizeBytes;
  response.writeHead(200, json).write('"');
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= piece.length;
      if (!response.write(piece)) return;
    }
    if (!response.destroyed) response.end('"');
  };
  response.on('drain', more);
  more();
}

const answers: Record<string, { answer: (response: ServerResponse) => void; end: string }> = {
  hundred_megabytes: { answer: (response) => endless(response, 100 * MIB), end: 'BODY_TOO_LARGE' },
  million_items: {
    answer: (response) => response.writeHead(200, json).end(`[${'{},'.repeat(1_000_000)}{}]`),
    end: 'VENDOR_REJECTED',
  },
  inflates: {
    answer: (response) => response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end('not gzip at all'),
    end: 'BODY_UNREADABLE',
  },
  binary: {
    answer: (response) =>
      response
        .writeHead(200, { 'content-type': 'application/octet-stream' })
        .end(Buffer.from(Array.from({ length: 4_096 }, (_, at) => at % 256))),
    end: 'success',
  },
  invalid_utf8: {
    answer: (response) =>
      response
        .writeHead(200, json)
        .end(Buffer.from([...Buffer.from('{"a":"'), 0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80, ...Buffer.from('"}')])),
    end: 'success',
  },
  nul: { answer: (response) => response.writeHead(200, json).end('{"a\\u0000":"b\\u0000\\ud800"}'), end: 'success' },
};

test('an answer that cannot be kept ends its action with the documented error; the others, and other tenants, go on (E13)', async () => {
  for (const [name, { answer }] of Object.entries(answers)) fixture.vendor.answers.set(`/${name}`, answer);
  const names = Object.keys(answers);
  const others = await fixture.workspace();
  const [ids, beside] = await Promise.all([
    workspace.add([
      ...names.map((name) => node.read(name, `/${name}`, { on_error: 'continue' })),
      node.send('sent', '/hundred_megabytes', { on_error: 'continue' }),
      node.read('after', '/after', { depends_on: [...names, 'sent'] }),
    ]),
    others.add(Array.from({ length: 10 }, (_, at) => node.read(`look_${at}`, `/look_${at}`))),
  ]);
  const [runId, besideId] = await Promise.all([workspace.start(ids), others.start(beside)]);
  await others.reaches(besideId, 'success');
  const run = await workspace.reaches(runId, 'success');
  for (const name of names) expect([name, await endOf(runId, name)]).toEqual([name, answers[name]?.end]);
  // It was told to change something; what it answered is too much to know whether it has.
  expect(await endOf(runId, 'sent')).toBe('OUTCOME_UNKNOWN');
  expect(statusesOf(run).after).toBe('success');
  const outputOf = async (name: string) => (await workspace.action(runId, name)).details.action_output;
  expect(await outputOf('binary')).toMatchObject({ body: null, text: expect.stringContaining('\u001f !"#') });
  expect(JSON.stringify(await outputOf('binary'))).not.toContain('\\u0000');
  expect(await outputOf('invalid_utf8')).toMatchObject({ body: { a: expect.stringMatching(/^\uFFFD+\(\uFFFD+$/) } });
  expect(await outputOf('nul')).toMatchObject({ body: { 'a\uFFFD': 'b\uFFFD\uFFFD' } });
}, 120_000);
