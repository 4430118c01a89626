import {
  eventUsageSchema,
  type LogReport,
  type LogReportTable,
  logReportLimits,
  logReportSchema,
} from '@airdeck/contracts/reports/log-report';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { EventsError } from '../../storage/events-store.ts';
import { eventRow } from '../../storage/test-events.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { rangeBefore } from '../activity-report/report-range.ts';
import { eventVolume } from '../sources/event-volume.ts';
import { createLogReportModule } from './log-report-module.ts';
import { createLogReportService } from './log-report-service.ts';
import { createLogTalkers } from './log-talkers.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let server: TestServer;
let tenant: string;
let reader: Actor;
let stranger: { tenant: string; reader: Actor };
const now = Date.now();
/** Noon, so that days of the zones of the tests are the same. */
const noon = Math.floor(now / DAY_MS) * DAY_MS - DAY_MS / 2;

beforeAll(async () => {
  server = await createTestServer();
  tenant = await server.createTenant();
  reader = await server.createActor({ home: tenant, roles: { [tenant]: 'ReadOnly' } });
  const other = await server.createTenant();
  stranger = { tenant: other, reader: await server.createActor({ home: other, roles: { [other]: 'ReadOnly' } }) };
  const busy = await addSource(tenant, 'Firewall');
  const silent = await addSource(tenant, 'Branch =office');
  const stopped = await addSource(tenant, 'Old server');
  const theirs = await addSource(other, 'Theirs');
  await count(tenant, busy, { events: 100, bytes: 9_000, at: noon, arrived: now });
  await count(tenant, busy, { events: 40, bytes: 4_000, at: noon - DAY_MS, arrived: now });
  await count(tenant, silent, { events: 5, bytes: 500, at: noon - 2 * DAY_MS, arrived: now - 2 * DAY_MS });
  await count(tenant, stopped, { events: 7, bytes: 700, at: noon - 12 * DAY_MS, arrived: now - 12 * DAY_MS });
  await count(other, theirs, { events: 999, bytes: 1, at: noon, arrived: now });
  await server.stores.events.insert([
    ...[1, 2, 3].map((n) => eventRow({ tenant, time: noon + n, host: 'web-1', src_ip: '192.0.2.7' })),
    eventRow({ tenant, time: noon, host: 'web-2', src_ip: '' }),
    eventRow({ tenant, time: noon - 20 * DAY_MS, host: 'web-9', src_ip: '192.0.2.9' }),
    eventRow({ tenant: other, time: noon, host: 'not-ours' }),
  ]);
});
afterAll(() => server?.close());

async function addSource(of: string, name: string): Promise<string> {
  const id = v7();
  await server.stores.database.system((tx) =>
    tx
      .insertInto('event_source')
      .values({
        ...{ id, tenant_id: of, name, kind: 'syslog', token_hash: Buffer.from(id), token_hint: 'abcd' },
        created_at: new Date(now - 30 * DAY_MS),
      })
      .execute(),
  );
  return id;
}

type Counted = { events: number; bytes: number; at: number; arrived: number };

function count(of: string, source: string, { events, bytes, at, arrived }: Counted): Promise<void> {
  const byHour = new Map([[Math.floor(at / HOUR_MS) * HOUR_MS, { events, bytes }]]);
  const addition = { tenantId: of, sourceId: source, receivedAt: arrived, byHour };
  return server.stores.database.system((tx) => eventVolume.add(tx, [addition]));
}

function get(query: string, { who = reader, of = tenant, rest = '' } = {}) {
  const url = `/api/tenants/${of}/reports/log_collection${rest}?${query}`;
  return server.inject({ method: 'GET', url, headers: who.headers });
}

const week = () => {
  const [start, end] = [noon - 6.5 * DAY_MS, noon + 0.5 * DAY_MS].map((time) => new Date(time).toISOString());
  return `start_time=${start}&end_time=${end}`;
};

describe('the log-collection report', () => {
  it('counts volume by source and day, and compares it with the time before', async () => {
    const report = (await get(week())).json<LogReport>();
    expect(report.total).toEqual({ events: 145, bytes: 13_500 });
    expect(report.previous).toEqual({ events: 7, bytes: 700 });
    expect(report.by_day).toHaveLength(7);
    expect(report.by_day.slice(-2).map(({ events }) => events)).toEqual([40, 100]);
    expect(report.sources.map(({ name, events }) => [name, events])).toEqual([
      ['Firewall', 140],
      ['Branch =office', 5],
      ['Old server', 0],
    ]);
    expect(report.sources[0]?.events_by_day).toEqual([0, 0, 0, 0, 0, 40, 100]);
    expect(report.other_sources.sources).toBe(0);
  });

  it('is also there as volume alone, for every role of this tenant and nobody else', async () => {
    const answer = await get(`${week()}&time_zone=UTC`, { rest: '/usage' });
    const usage = eventUsageSchema.parse(answer.json());
    expect(usage.total).toEqual({ events: 145, bytes: 13_500 });
    expect(usage.previous).toEqual({ events: 7, bytes: 700 });
    expect(usage.by_day.slice(-2).map(({ events, bytes }) => [events, bytes])).toEqual([
      [40, 4_000],
      [100, 9_000],
    ]);
    expect((await get(week(), { who: stranger.reader, rest: '/usage' })).statusCode).toBe(403);
    const theirs = await get(week(), { who: stranger.reader, of: stranger.tenant, rest: '/usage' });
    expect(theirs.json()).toMatchObject({ total: { events: 999, bytes: 1 }, previous: { events: 0, bytes: 0 } });
  });

  it('names who was talked of most, of this time and this tenant alone', async () => {
    const report = (await get(week())).json<LogReport>();
    expect(report.hosts).toEqual([
      { value: 'web-1', events: 3 },
      { value: 'web-2', events: 1 },
    ]);
    expect(report.src_ips).toEqual([{ value: '192.0.2.7', events: 3 }]);
    expect(report.talkers_complete).toBe(true);
  });

  it('tells sources that fell silent: within the time, and since a day', async () => {
    const { silent_sources: silent } = (await get(week())).json<LogReport>();
    expect(silent.map(({ name, reason }) => [name, reason])).toEqual([
      ['Old server', 'period'],
      ['Branch =office', 'day'],
    ]);
  });

  it('says how long events are kept and how old the oldest is', async () => {
    const { retention } = (await get(week())).json<LogReport>();
    expect(retention).toEqual({
      ...{ days: 90, plan_days: 90, search_days: 30 },
      ...{ oldest_event_at: new Date(noon - 20 * DAY_MS).toISOString(), oldest_known: true },
    });
  });

  it('puts events into the days of the zone that is asked for', async () => {
    const { by_day: days } = (await get(`${week()}&time_zone=Pacific/Kiritimati`)).json<LogReport>();
    const day = new Date(noon + 14 * HOUR_MS).toISOString().slice(0, 10);
    expect(days.find((one) => one.day === day)?.events).toBe(100);
    expect((await get(`${week()}&time_zone=Nowhere/Else`)).json()).toMatchObject({
      details: [{ path: 'query.time_zone' }],
    });
  });

  it('has its tables as CSV, in which no cell is a formula', async () => {
    const csv = async (table: string) => (await get(`${week()}&table=${table}`, { rest: '/csv' })).body;
    expect(await csv('days')).toContain(',100,9000\r\n');
    expect(await csv('silent_sources')).toContain(',period,');
    expect(await csv('hosts')).toBe('\uFEFFhost,events\r\nweb-1,3\r\nweb-2,1\r\n');
    const sources = (await csv('sources')).split('\r\n');
    expect(sources[0]).toBe('\uFEFFsource_id,name,kind,deleted,last_event_at,day,events,bytes');
    expect(sources.slice(1, 3).map((line) => line.split(',').slice(-2))).toEqual([
      ['40', '4000'],
      ['100', '9000'],
    ]);
    expect(sources).toHaveLength(6);
    expect((await get(`${week()}&table=secrets`, { rest: '/csv' })).statusCode).toBe(400);
  });

  it('shows another tenant nothing of it', async () => {
    const theirs = (await get(week(), { who: stranger.reader, of: stranger.tenant })).json<LogReport>();
    expect(theirs.sources.map(({ name }) => name)).toEqual(['Theirs']);
    expect(theirs.hosts).toEqual([{ value: 'not-ours', events: 1 }]);
    expect((await get(week(), { who: stranger.reader })).statusCode).toBe(403);
  });

  it('refuses a time that is turned round or longer than a year', async () => {
    const end = new Date(now).toISOString();
    expect((await get(`start_time=${end}&end_time=${end}`)).statusCode).toBe(400);
    expect((await get(`start_time=2020-01-01T00:00:00Z`)).statusCode).toBe(400);
    expect((await get(`start_time=2025-01-01T00:00:00Z&end_time=2026-01-02T01:00:00.001Z`)).statusCode).toBe(400);
  });
});

/** More of each kind than the screen is given. */
describe('the log-collection report of a tenant with more sources than are shown', () => {
  const kinds = { sent: 55, stopped: 105, unheard: 7 };
  let many: string;
  let who: Actor;

  beforeAll(async () => {
    many = await server.createTenant();
    who = await server.createActor({ home: many, roles: { [many]: 'ReadOnly' } });
    for (let n = 0; n < kinds.sent; n++) {
      await count(many, await addSource(many, `Sender ${n}`), { events: 2, bytes: 20, at: noon, arrived: now });
    }
    for (let n = 0; n < kinds.stopped; n++) {
      const before = { events: 1, bytes: 10, at: noon - 12 * DAY_MS, arrived: now - 12 * DAY_MS };
      await count(many, await addSource(many, `Stopped ${n}`), before);
    }
    for (let n = 0; n < kinds.unheard; n++) await addSource(many, `Unheard ${n}`);
  });

  const read = async () => logReportSchema.parse((await get(week(), { who, of: many })).json());
  const csv = async (table: string) =>
    (await get(`${week()}&table=${table}`, { who, of: many, rest: '/csv' })).body.trim().split('\r\n').slice(1);

  it('gives the screen the first of them and tells of the rest', async () => {
    const { sources, other_sources: others, silent_sources: silent } = await read();
    expect(sources).toHaveLength(logReportLimits.sourcesShown);
    expect(others).toEqual({ sources: 117, events: 10, bytes: 100 });
    expect(silent).toHaveLength(logReportLimits.silentShown);
  });

  it('counts as having sent only what sent, also beyond those that are shown', async () => {
    expect((await read()).source_counts).toEqual({ sent: 55, silent: 112, never_sent: 7 });
    const small = (await get(week())).json<LogReport>();
    expect(small.source_counts).toEqual({ sent: 2, silent: 2, never_sent: 0 });
  });

  it('does not pass over a source that was set up and never sent, nor lets it hide one that fell silent', async () => {
    const quiet = await server.createTenant();
    const actor = await server.createActor({ home: quiet, roles: { [quiet]: 'ReadOnly' } });
    await addSource(quiet, 'Unheard');
    const { silent_sources: silent } = (await get(week(), { who: actor, of: quiet })).json<LogReport>();
    expect(silent.map(({ name, reason }) => [name, reason])).toEqual([['Unheard', 'never']]);
    expect(new Set((await read()).silent_sources.map(({ reason }) => reason))).toEqual(new Set(['period']));
  });

  it('has every source in its files, also those without an event', async () => {
    const sources = await csv('sources');
    expect(sources).toHaveLength(167);
    expect(sources.filter((line) => line.endsWith(',2,20'))).toHaveLength(55);
    expect(sources.filter((line) => line.endsWith(',,0,0'))).toHaveLength(112);
    const silent = await csv('silent_sources');
    expect(silent).toHaveLength(112);
    expect(silent.filter((line) => line.includes(',never,'))).toHaveLength(7);
  });

  it('tells other reports of those that fell silent alone, as they know no other', async () => {
    const { silent_sources: silent } = await serviceOn(createLogTalkers(refusing)).volume(
      trustedTenantScope(many),
      range(),
      rangeBefore(range()),
    );
    expect(new Set(silent.map(({ reason }) => reason))).toEqual(new Set(['period']));
  });

  it('compares as other reports ask, and tells them nothing of a silence that is over', async () => {
    const ofDays = (first: number, last: number) => ({
      ...range(),
      start: new Date(noon - first * DAY_MS),
      end: new Date(noon - last * DAY_MS),
    });
    const {
      previous,
      sources,
      silent_sources: silent,
    } = await serviceOn(createLogTalkers(refusing)).volume(trustedTenantScope(tenant), ofDays(6, 3), ofDays(1.5, -0.5));
    expect(previous).toEqual({ events: 140, bytes: 13_000 });
    expect(sources.find(({ name }) => name === 'Firewall')).toMatchObject({ events: 0, previous_events: 140 });
    expect(silent.map(({ name }) => name).toSorted()).toEqual(['Branch =office', 'Old server']);
  });
});

describe('the log-collection report while the event store finds it too much', () => {
  it('still tells the volume, and that nobody knows how old the oldest event is', async () => {
    const { signal } = new AbortController();
    const report = await serviceOn(createLogTalkers(refusing)).read(trustedTenantScope(tenant), range(), signal);
    expect(report.total).toEqual({ events: 145, bytes: 13_500 });
    expect(report.talkers_complete).toBe(false);
    expect(report.retention).toMatchObject({ days: 90, oldest_event_at: null, oldest_known: false });
  });

  it('has no file of talkers, as one without a row would say that nobody sent', async () => {
    const { handlers } = createLogReportModule({
      db: server.stores.database,
      events: refusing,
      now: () => new Date(now),
    });
    const ask = (table: LogReportTable) =>
      handlers['log-report.csv'](
        { params: undefined, query: { table }, body: undefined } as never,
        { scope: trustedTenantScope(tenant), raw: {} } as never,
      );
    await expect(ask('hosts')).rejects.toThrow(expect.objectContaining({ code: 'SEARCH_TOO_EXPENSIVE' }));
    await expect(ask('src_ips')).rejects.toThrow(expect.objectContaining({ code: 'SEARCH_TOO_EXPENSIVE' }));
  });

  it('fails for any other failure of the store', async () => {
    const talkers = createLogTalkers({
      query: () => Promise.reject(new EventsError('EVENTS_UNAVAILABLE', 'Gone.')),
    });
    await expect(talkers.oldest(trustedTenantScope(tenant))).rejects.toThrow('Gone.');
  });

  it('is not asked for the files of sources', async () => {
    const service = serviceOn({
      talkers: () => Promise.reject(new Error('Asked for talkers.')),
      oldest: () => Promise.reject(new Error('Asked for the oldest.')),
    });
    const { sources } = await service.wholeVolume(trustedTenantScope(tenant), range());
    expect(sources).toHaveLength(3);
  });
});

const refusing = {
  query: () => Promise.reject(new EventsError('EVENTS_QUERY_TOO_EXPENSIVE', 'Too much.')),
};

const range = () => ({
  start: new Date(noon - 6.5 * DAY_MS),
  end: new Date(noon + 0.5 * DAY_MS),
  timeZone: 'UTC',
});

function serviceOn(talkers: ReturnType<typeof createLogTalkers>) {
  return createLogReportService({ db: server.stores.database, talkers, now: () => new Date(now) });
}
