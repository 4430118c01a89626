import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { newDoorCounters } from '../ingestion/door-counters.ts';
import { createMetrics, type MetricSources } from './metrics.ts';
import { type MetricsDoor, openMetricsDoor } from './metrics-door.ts';

const stats = {
  ...{
    http: { ...newDoorCounters(), accepted: 7, repeated: 12 },
    syslog_tcp: newDoorCounters(),
    syslog_udp: newDoorCounters(),
  },
  ...{ syslog_tls: newDoorCounters(), held_bytes: 5, spool: { bytes: 3, damaged: 2 } },
};
const queue = { kind: 'mail', ready: 4, oldest_seconds: 12, working: 1, scheduled: 0, held: 0, dead: 0 };
const sources: MetricSources = {
  release: '1.0.0',
  role: 'all',
  ingestion: async () => stats,
  working: () => 9,
  spans: () => ({ sent: 11, dropped: 6 }),
  refusedCalls: () => ({ person: 8, tenant: 1, address: 0, stranger: 0, at_once: 0 }),
  circuits: () => ({ opened: 3, refused: 14 }),
  queues: async () => [queue],
  stalled: async () => null,
  archive: undefined,
  disk: undefined,
  certificateEnds: () => undefined,
  now: () => new Date('2026-11-20T10:00:30Z'),
};
const warnings: string[] = [];
const log = { warn: (_fields: object, message: string) => warnings.push(message) };
let door: MetricsDoor | undefined;

afterEach(async () => {
  await door?.close();
  door = undefined;
  warnings.length = 0;
});

async function open(changed: Partial<MetricSources> = {}) {
  const metrics = createMetrics({ ...sources, ...changed });
  door = await openMetricsDoor({ host: '127.0.0.1', port: 0, metrics, log });
  return { metrics, ask: (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${door?.port}${path}`, init) };
}

describe('metrics for Prometheus', () => {
  it('shows what doors, queues and answers count, the same after being asked twice', async () => {
    const { metrics, ask } = await open();
    metrics.onAnswer({ routeId: 'cases.list', status: 200, ms: 20 });
    metrics.onAnswer({ routeId: undefined, status: 404, ms: 1 });
    await ask('/metrics');
    const answer = await ask('/metrics');
    expect(answer.headers.get('content-type')).toContain('text/plain');
    const lines = (await answer.text()).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'airdeck_info{release="1.0.0",role="all"} 1',
        'airdeck_events_total{door="http",outcome="accepted"} 7',
        'airdeck_syslog_spool_damaged_total 2',
        'airdeck_deliveries_repeated_total 12',
        'airdeck_held_bytes 5',
        'airdeck_working 9',
        'airdeck_trace_spans_total{outcome="sent"} 11',
        'airdeck_trace_spans_total{outcome="dropped"} 6',
        'airdeck_calls_refused_total{limit="person"} 8',
        'airdeck_calls_refused_total{limit="tenant"} 1',
        'airdeck_circuits_opened_total 3',
        'airdeck_circuits_refused_total 14',
        'airdeck_jobs{kind="mail",state="ready"} 4',
        'airdeck_jobs_oldest_ready_seconds{kind="mail"} 12',
        'airdeck_http_answer_seconds_count{route="cases.list",status="2xx"} 1',
        'airdeck_http_answer_seconds_bucket{le="0.025",route="cases.list",status="2xx"} 1',
        'airdeck_http_answer_seconds_count{route="other",status="4xx"} 1',
      ]),
    );
    expect(lines.some((line) => line.startsWith('nodejs_eventloop_lag_p99_seconds '))).toBe(true);
  });

  it('shows how old the archive is and in which state, and nothing where none is kept', async () => {
    const figures = {
      state: 'full',
      secured_until: '2026-11-20T10:00:00.000Z',
      base_at: null,
      rebuilt_at: null,
    } as const;
    const lines = (await (await open({ archive: () => figures })).metrics.text()).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'airdeck_archive_age_seconds 30',
        'airdeck_archive_state{state="full"} 1',
        'airdeck_archive_state{state="working"} 0',
      ]),
    );
    await door?.close();
    const begun = await open({ archive: () => ({ ...figures, secured_until: null }) });
    expect(await begun.metrics.text()).not.toMatch(/^airdeck_archive_age_seconds/m);
    await door?.close();
    expect(await (await open()).metrics.text()).not.toContain('airdeck_archive');
  });

  it('shows the disk of what is embedded and whether merges stand still, and nothing where both stores are elsewhere', async () => {
    const short = await open({ disk: { free: () => 700_000_000, mergesStopped: () => true } });
    const lines = (await short.metrics.text()).split('\n');
    expect(lines).toEqual(expect.arrayContaining(['airdeck_disk_free_bytes 700000000', 'airdeck_merges_stopped 1']));
    await door?.close();
    const elsewhere = await open({ disk: { free: () => 700_000_000, mergesStopped: undefined } });
    expect(await elsewhere.metrics.text()).not.toContain('airdeck_merges_stopped');
    await door?.close();
    expect(await (await open()).metrics.text()).not.toContain('airdeck_disk');
  });

  it('shows when the certificate of encrypted syslog ends, once it is read', async () => {
    const ends = new Date('2026-12-24T00:00:00Z');
    const line = `airdeck_syslog_certificate_ends_seconds ${ends.getTime() / 1_000}`;
    expect(await (await open({ certificateEnds: () => ends })).metrics.text()).toContain(line);
    await door?.close();
    expect(await (await open()).metrics.text()).not.toMatch(/^airdeck_syslog_certificate/m);
  });

  it('leaves queues to the processes that work on them, so that nobody adds them up twice', async () => {
    const { ask } = await open({ queues: undefined });
    expect(await (await ask('/metrics')).text()).not.toContain('airdeck_jobs');
  });

  it('shows for how long no worker takes what is due, also where the processes that count queues are away', async () => {
    const stalled = { seconds: 150 };
    const { metrics } = await open({ role: 'api', queues: undefined, stalled: async () => stalled });
    expect(await metrics.text()).toMatch(/^airdeck_work_stalled_seconds 150$/m);
    await door?.close();
    expect(await (await open()).metrics.text()).toMatch(/^airdeck_work_stalled_seconds 0$/m);
    await door?.close();
    expect(await (await open({ stalled: undefined })).metrics.text()).not.toContain('airdeck_work_stalled');
  });

  it('leaves queues out while the database does not say them, and shows everything else', async () => {
    const silently = () => new Promise<never>(() => undefined);
    for (const queues of [silently, () => Promise.reject(new Error('no database'))]) {
      let isAway = false;
      const { ask } = await open({ queues: () => (isAway ? queues() : Promise.resolve([queue])), storeWithinMs: 1 });
      expect(await (await ask('/metrics')).text()).toContain('airdeck_jobs{kind="mail",state="ready"} 4');
      isAway = true;
      const answer = await ask('/metrics');
      const text = await answer.text();
      expect([answer.status, text.match(/^airdeck_jobs.*$/gm)]).toEqual([200, null]);
      expect(text).toContain('airdeck_syslog_spool_bytes 3');
      await door?.close();
    }
  });

  it('leaves out for how long while the database does not say it, and shows everything else', async () => {
    const silent = await open({ queues: undefined, stalled: () => new Promise(() => undefined), storeWithinMs: 1 });
    const text = await silent.metrics.text();
    expect(text).not.toMatch(/^airdeck_work_stalled_seconds/m);
    expect(text).toContain('airdeck_syslog_spool_bytes 3');
    await door?.close();
    const away = await open({ queues: undefined, stalled: () => Promise.reject(new Error('no database')) });
    expect(await away.metrics.text()).not.toMatch(/^airdeck_work_stalled_seconds/m);
  });

  it('knows one address and one method', async () => {
    const { ask } = await open();
    expect((await ask('/')).status).toBe(404);
    expect((await ask('/metrics', { method: 'POST', body: 'x' })).status).toBe(404);
    expect((await ask('/config.json')).status).toBe(404);
  });

  it('answers 503 and nothing of the inside when a source cannot be read', async () => {
    const { ask } = await open({ ingestion: () => Promise.reject(new Error('password of the database')) });
    const answer = await ask('/metrics');
    expect([answer.status, await answer.text()]).toEqual([503, '']);
    expect(warnings).toEqual(['metrics could not be read']);
  });

  it('closes at once although somebody holds a connection', async () => {
    await open();
    const socket = connect(door?.port ?? 0, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    await door?.close();
    door = undefined;
    await closed;
  });
});
