/** Traces from the API through the engine to the vendor, as a collector gets them: two processes on the same stores. */
import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestServer, type TestServer } from '../http/test-server.ts';
import { createRunsFixture, node, type RunsFixture } from '../modules/activity/runs-fixture.ts';
import { type CollectedSpan, type Collector, startCollector } from './collector-stand-in.ts';
import { traceOfLines } from './tracer.ts';
import { openTracing, type Tracing } from './tracing.ts';

const CANARY = `canary${randomBytes(8).toString('hex')}`;
const callers = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const traceparent = `00-${callers.traceId}-${callers.spanId}-01`;
const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
const shared = {
  DATABASE_URL: 'postgresql://db/air',
  EVENTS_URL: 'http://events:8123',
  FILES_URL: 's3://key:secret@files.example.com/air',
  IDENTITY_SECRET: 'x'.repeat(32),
  CONNECTOR_KEYS_FILE: import.meta.filename,
};
const quietly = { warn: () => undefined };

function tracingTo(url: string, role: string, log: { warn(fields: object): void } = quietly): Tracing {
  return openTracing(
    { url, headers: { 'x-api-key': CANARY }, serviceName: 'airdeck', share: 1 },
    {
      ...{ now: () => new Date(), elapsedMs: () => performance.now(), randomBytes, log },
      process: { id: v7(), role, host: 'host-1', release: '0.0.0' },
    },
  );
}

describe('a run that one process is asked for and another carries out', () => {
  const lines: Record<string, unknown>[] = [];
  const output = new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)) as Record<string, unknown>);
      done();
    },
  });
  let collector: Collector;
  let tracings: readonly Tracing[];
  let runs: RunsFixture;
  let worker: TestServer;

  beforeAll(async () => {
    const identitySecret = randomBytes(48).toString('base64url');
    const key = { id: 'test', key: new Uint8Array(randomBytes(32)) };
    const keys = { current: async () => key, get: async () => key };
    collector = await startCollector();
    const [api, other] = [tracingTo(collector.url, 'api'), tracingTo(collector.url, 'worker')];
    tracings = [api, other];
    runs = await createRunsFixture({
      ...{ identitySecret, keys, env: { ...shared, ROLE: 'api' }, tracing: api },
      log: pino({ level: 'debug', ...traceOfLines(api.tracer) }, output),
    });
    worker = await createTestServer({
      ...{ keys, env: { ...shared, ROLE: 'worker' }, tracing: other },
      besides: { stores: runs.server.stores, identitySecret },
      sandbox: { host: '127.0.0.1', port: runs.vendor.port },
    });
  });
  afterAll(async () => {
    await worker?.close();
    await runs?.close();
    await Promise.all(tracings.map((each) => each.stop()));
    await collector?.close();
  });

  it('is one trace from the request over its steps to the calls, and tells no secret', async () => {
    const space = await runs.workspace({ connector: false });
    const config = {
      base_url: `http://127.0.0.1:${runs.vendor.port}/${CANARY}`,
      ...{ auth: 'header', header_name: 'x-service-key', secret: CANARY },
    };
    await runs.db.tenant(space.tenant, (tx) =>
      runs.server.composition.work.connectors.create(
        tx,
        space.scope,
        { definitionId: 'http_request', name: `Any service ${CANARY}`, config },
        by,
      ),
    );
    const read = node.read('first', `/read/${CANARY}`, { input: { path: `/read/${CANARY}`, query: { q: CANARY } } });
    const send = node.send('second', '/send', {
      depends_on: ['first'],
      input: { path: '/send', json: { password: CANARY }, headers: { 'x-more': CANARY } },
    });
    const inputs = { type: 'object', properties: { ip: { type: 'string' } } };
    const playbook_id = await space.add([read, send], { inputs });
    const headers = { traceparent, 'x-canary': CANARY, cookie: `a=${CANARY}` };
    const asked = { playbook_id, inputs: { ip: CANARY } };
    const runId = await space.started(await runs.call(space.analyst, 'POST', space.runs, asked, headers));
    await space.reaches(runId, 'success');
    expect((await runs.call(space.analyst, 'GET', `${space.path}/case?q=${CANARY}`)).status).toBe(200);
    await Promise.all(tracings.map((each) => each.stop()));

    const all = collector.spans();
    const trace = all.filter(({ traceId }) => traceId === callers.traceId);
    const request = only(trace, 'playbook-activity.start');
    expect(request).toMatchObject({
      ...{ parentSpanId: callers.spanId, kind: 2, status: {} },
      resource: { 'service.name': 'airdeck', 'airdeck.role': 'api' },
    });
    expect(request.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/tenants/:tenant/soar/playbook_activity',
      'http.response.status_code': 202,
      'airdeck.tenant_id': space.tenant,
      'airdeck.request_id': expect.any(String),
    });
    const steps = ['http_request.get', 'http_request.send'].map((action) => only(trace, `step ${action}`));
    for (const step of steps) {
      expect(step).toMatchObject({ parentSpanId: request.spanId, resource: { 'airdeck.role': 'worker' } });
      expect(step.attributes).toMatchObject({
        ...{ 'airdeck.tenant_id': space.tenant, 'airdeck.run_id': runId, 'airdeck.attempt': 1 },
        'airdeck.outcome': 'succeeded',
      });
    }
    const calls = ['GET', 'POST'].map((method) => only(trace, method));
    expect(calls.map(({ parentSpanId }) => parentSpanId)).toEqual(steps.map(({ spanId }) => spanId));
    expect(calls[0]?.attributes).toEqual({
      'http.request.method': 'GET',
      ...{ 'server.address': '127.0.0.1', 'server.port': runs.vendor.port },
      ...{ 'http.response.status_code': 200, 'airdeck.tenant_id': space.tenant },
    });
    expect(trace).toHaveLength(5);
    for (const span of all) expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));

    const told = collector.seen.map(({ body }) => body).join('\n');
    expect(told).not.toContain(CANARY);
    expect(collector.seen[0]?.headers['x-api-key']).toBe(CANARY);
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'answered', status: 202, trace_id: callers.traceId }));
  });
});

describe('what nobody asked for', () => {
  let collector: Collector;
  let tracing: Tracing;
  let runs: RunsFixture;
  beforeAll(async () => {
    collector = await startCollector();
    tracing = tracingTo(collector.url, 'all');
    runs = await createRunsFixture({ tracing });
  });
  afterAll(async () => {
    await runs?.close();
    await collector?.close();
  });

  it('begins a trace of its own: a run that events set off, beside that of their delivery', async () => {
    const space = await runs.workspace();
    runs.vendor.answers.set('/fail', (response) =>
      response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ message: CANARY })),
    );
    const guesses = await space.answerGuesses(await space.add([node.read('look', '/fail')]));
    await guesses.guess('203.0.113.9');
    const [answer] = await vi.waitFor(async () => {
      const entries = await space.history();
      expect(entries[0]?.status).toBe('error');
      return entries;
    }, 30_000);
    expect(answer).toBeDefined();
    await tracing.stop();
    const spans = collector.spans();
    const delivery = only(spans, 'ingest.delivery');
    expect(delivery).toMatchObject({
      kind: 5,
      attributes: { 'airdeck.tenant_id': space.tenant, 'airdeck.accepted': 5 },
    });
    const begun = only(spans, 'run.start');
    expect(begun.parentSpanId).toBeUndefined();
    expect(begun.traceId).not.toBe(delivery.traceId);
    const steps = spans.filter(({ name }) => name === 'step http_request.get');
    expect(steps.length).toBeGreaterThan(0);
    for (const step of steps) {
      expect(step).toMatchObject({ traceId: begun.traceId, parentSpanId: begun.spanId, status: { code: 2 } });
      expect(step.attributes).toMatchObject({ 'airdeck.outcome': 'failed', 'error.type': expect.any(String) });
    }
    const call = spans.find(({ parentSpanId }) => parentSpanId === steps[0]?.spanId);
    expect(call).toMatchObject({ name: 'GET', status: { code: 2 }, attributes: { 'http.response.status_code': 500 } });
    // What the vendor said is in the error of the step.
    expect(collector.seen.map(({ body }) => body).join('\n')).not.toContain(CANARY);
  });
});

describe('requests', () => {
  it.each([
    ['is not there', undefined],
    ['refuses', 500],
    ['never answers', 'never'],
  ] as const)('are answered as ever while the collector %s, and what is lost is counted', async (_what, answer) => {
    const collector = await startCollector();
    if (answer === undefined) await collector.close();
    else collector.answerWith(answer);
    const told: object[] = [];
    const tracing = tracingTo(collector.url, 'all', { warn: (fields) => told.push(fields) });
    const server = await createTestServer({ tracing });
    try {
      const tenant = await server.createTenant();
      const { headers } = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
      const ask = (path: string) => server.inject({ url: `/api/tenants/${tenant}/${path}`, headers });
      // Enough for the first group to be on its way while requests are answered.
      for (let n = 0; n < 300; n += 1) tracing.tracer.begin({ name: 'work' }).end();
      await expect.poll(() => collector.seen.length + told.length).toBeGreaterThan(0);
      expect((await ask('case')).statusCode).toBe(200);
      expect((await ask('nothing-there')).statusCode).toBe(404);
      await tracing.stop();
      const { sent, dropped } = tracing.counts() ?? { sent: 0, dropped: 0 };
      expect(sent).toBe(0);
      expect(dropped).toBeGreaterThanOrEqual(302);
      expect(told).toHaveLength(1);
      expect(await server.composition.operations.metrics.text()).toContain(
        `airdeck_trace_spans_total{outcome="dropped"} ${dropped}`,
      );
    } finally {
      await server.close();
      await collector.close();
    }
  });

  it("are followed to a person's own address without a word of whose it is", async () => {
    const collector = await startCollector();
    const tracing = tracingTo(collector.url, 'all');
    const server = await createTestServer({ tracing });
    try {
      const tenant = await server.createTenant();
      const { headers, id } = await server.createActor({ home: tenant, roles: { [tenant]: 'ReadOnly' } });
      const ask = (method: 'PUT' | 'POST', url: string, payload: object) =>
        server.inject({ method, url, headers, payload });
      await ask('PUT', '/me/notification_slack', { url: `https://10.1.2.9/${CANARY}` });
      expect((await ask('POST', '/me/notification_test', { channel: 'slack' })).json()).toMatchObject({ ok: false });
      await tracing.stop();
      expect(only(collector.spans(), 'POST').attributes).toEqual({
        ...{ 'http.request.method': 'POST', 'server.address': '10.1.2.9', 'server.port': 443 },
        'error.type': 'EGRESS_DENIED',
      });
      const told = collector.seen.map(({ body }) => body).join('\n');
      for (const never of [id, CANARY]) expect(told).not.toContain(never);
    } finally {
      await server.close();
      await collector.close();
    }
  });

  it('leave nothing behind while nothing is followed', async () => {
    const runs = await createRunsFixture();
    try {
      const space = await runs.workspace();
      const playbook_id = await space.add([node.read('look', '/look')]);
      const asked = { playbook_id, inputs: {} };
      const runId = await space.started(await runs.call(space.analyst, 'POST', space.runs, asked, { traceparent }));
      await space.reaches(runId, 'success');
      const { rows } = await runs.db.system((tx) =>
        runs.server.composition.work.enginePool.client(tx).query('select trace from engine.run'),
      );
      expect(rows).toEqual([{ trace: null }]);
      expect(await runs.server.composition.operations.metrics.text()).not.toContain('airdeck_trace_spans_total{');
    } finally {
      await runs.close();
    }
  });
});

function only(spans: readonly CollectedSpan[], name: string): CollectedSpan {
  const found = spans.filter((span) => span.name === name);
  const [span] = found;
  if (span === undefined || found.length > 1) {
    throw new Error(`${found.length} spans are called ${name}; there are ${spans.map((one) => one.name).join(', ')}.`);
  }
  return span;
}
