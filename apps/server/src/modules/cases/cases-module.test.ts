import {
  type CaseUpdate,
  caseDetailSchema,
  caseListQuerySchema,
  caseListSchema,
} from '@airdeck/contracts/cases/schema';
import { listText } from '@airdeck/contracts/value-list';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TenantScope } from '../../tenant-scope.ts';
import {
  burstOf,
  createDetectionFixture,
  type DetectionFixture,
  guessingRule,
} from '../detection/detection-fixture.ts';
import { caseFigures } from './case-figures.ts';

let fixture: DetectionFixture;
let tenant: TenantScope;

beforeAll(async () => {
  fixture = await createDetectionFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  tenant = await fixture.newTenant();
  for (const name of ['grace@example.com', ada.actor.name]) await fixture.addMember(tenant, name);
  fixture.clock.now = new Date('2026-03-01T12:00:00.000Z');
  fixture.announced.length = 0;
});

const ada = { actor: { kind: 'user', id: null, name: 'ada.lovelace@example.com' }, requestId: 'r' } as const;
const automation = { actor: { kind: 'system', id: null, name: 'system' }, requestId: null } as const;

function list(query: Record<string, unknown> = {}, scope = tenant) {
  return fixture.db.tenant(scope.tenantId, (tx) =>
    fixture.cases.service.list(tx, scope, caseListQuerySchema.parse({ limit: 100, ...query })),
  );
}

function update(id: string, change: CaseUpdate, by: typeof ada | typeof automation = ada, scope = tenant) {
  return fixture.db.tenant(scope.tenantId, (tx) => fixture.cases.service.update(tx, scope, { id, update: change, by }));
}

function later(seconds: number) {
  fixture.clock.now = new Date(fixture.clock.now.getTime() + seconds * 1000);
}

/** Opens a case for an address and returns its id. */
async function open(src_ip: string, events: Parameters<typeof burstOf>[1] = { count: 5 }): Promise<string> {
  const known = new Set((await list()).cases.map((one) => one.id));
  await fixture.ingest(burstOf(tenant, { src_ip, ...events }));
  const made = (await list()).cases.find((one) => !known.has(one.id));
  if (made === undefined) throw new Error('No case was opened.');
  return made.id;
}

async function references(query: Record<string, unknown>) {
  return (await list(query)).cases.map((one) => one.reference);
}

describe('the list', () => {
  beforeEach(async () => {
    await fixture.createPolicy(tenant, guessingRule());
    const anySource = { source_type: 'log', connector_definition_id: 'okta', event_type: '' } as const;
    await fixture.createPolicy(tenant, {
      ...guessingRule({ source: anySource }),
      name: 'Okta 100% failures',
      severity: 'critical',
    });
    await open('203.0.113.1');
    later(60);
    const second = await open('203.0.113.2');
    await update(second, { alert_status: 'acknowledged', tags: ['VPN users'], assignee: 'grace@example.com' });
    later(60);
    await open('203.0.113.3', { count: 5, integration: 'okta', event_type: 'system_log' });
    later(60);
    await update(second, { comment: 'Looking.' });
  });

  test('answers as the contract says, newest first, with total and facets', async () => {
    const answer = caseListSchema.parse(await list());
    expect(answer.cases.map((one) => one.reference)).toEqual(['CASE-3', 'CASE-2', 'CASE-1']);
    expect(answer.total).toBe(3);
    expect(answer.facets).toEqual({
      status: [
        { value: 'open', count: 2 },
        { value: 'acknowledged', count: 1 },
        { value: 'closed', count: 0 },
      ],
      severity: [
        { value: 'critical', count: 1 },
        { value: 'high', count: 2 },
        { value: 'medium', count: 0 },
        { value: 'low', count: 0 },
      ],
      source: [
        { value: 'sshd', count: 2 },
        { value: 'okta', count: 1 },
      ],
      category: [
        { value: 'authentication', count: 2 },
        { value: 'system_log', count: 1 },
      ],
    });
  });

  test.each<[Record<string, unknown>, string[]]>([
    [{ status: 'open' }, ['CASE-3', 'CASE-1']],
    [{ status: 'open,acknowledged', severity: 'high' }, ['CASE-2', 'CASE-1']],
    [{ source: 'okta' }, ['CASE-3']],
    [{ source: 'okta,sshd', category: 'authentication' }, ['CASE-2', 'CASE-1']],
    [{ q: '203.0.113.2' }, ['CASE-2']],
    [{ q: 'case-1' }, ['CASE-1']],
    [{ q: 'vpn GRACE' }, ['CASE-2']],
    [{ q: '100%' }, ['CASE-3']],
    [{ q: '%' }, ['CASE-3']],
    [{ q: 'okta' }, ['CASE-3']],
    [{ q: 'case_1' }, []],
    [{ start_time: '2026-03-01T12:01:00Z' }, ['CASE-3', 'CASE-2']],
    [{ start_time: '2026-03-01T13:01:00+01:00', end_time: '2026-03-01T12:02:00Z' }, ['CASE-2']],
    [{ sort: 'time_opened' }, ['CASE-1', 'CASE-2', 'CASE-3']],
    [{ sort: '-severity' }, ['CASE-3', 'CASE-2', 'CASE-1']],
    [{ sort: 'severity' }, ['CASE-1', 'CASE-2', 'CASE-3']],
    [{ sort: '-time_updated' }, ['CASE-2', 'CASE-3', 'CASE-1']],
    [{ limit: 2, page: 2 }, ['CASE-1']],
    [{ limit: 2, page: 9 }, []],
  ])('%j gives %j', async (query, expected) => {
    expect(await references(query)).toEqual(expected);
  });

  test('finds a category with a comma in its name, alone and beside others', async () => {
    later(60);
    await fixture.createPolicy(tenant, {
      ...guessingRule({
        source: { source_type: 'log', connector_definition_id: 'own', event_type: 'logon, remote' },
      }),
    });
    await open('203.0.113.4', { count: 5, integration: 'own', event_type: 'logon, remote' });
    const byComma = listText(['logon, remote']);
    expect(await references({ category: byComma })).toEqual(['CASE-4']);
    expect(await references({ category: listText(['logon, remote', 'system_log']) })).toEqual(['CASE-4', 'CASE-3']);
    expect((await list({ category: byComma })).facets.category).toContainEqual({ value: 'logon, remote', count: 1 });
    expect(await references({ category: 'x'.repeat(500) })).toEqual([]);
  });

  test('a page past the end still knows the total', async () => {
    expect((await list({ page: 9, status: 'open' })).total).toBe(2);
  });
});

describe('updating', () => {
  let id: string;
  beforeEach(async () => {
    await fixture.createPolicy(tenant, guessingRule());
    id = await open('203.0.113.1');
    fixture.announced.length = 0;
  });

  test('every change is a story entry, announced and audited; the answer is the detail', async () => {
    later(30);
    const outcome = await update(id, { alert_status: 'acknowledged', comment: 'Mine\0.' });
    expect(outcome.kind).toBe('updated');
    const detail = caseDetailSchema.parse(outcome.kind === 'updated' ? outcome.detail : undefined);
    expect(detail).toMatchObject({
      alert_status: 'acknowledged',
      acknowledged_by_username: 'ada.lovelace@example.com',
      time_acknowledged: '2026-03-01T12:00:30.000Z',
      time_updated: '2026-03-01T12:00:30.000Z',
    });
    expect(detail.activity.map((entry) => [entry.username, entry.kind, entry.text])).toEqual([
      ['system', 'opened', expect.stringContaining('SSH password guessing')],
      ['ada.lovelace@example.com', 'status_changed', 'Acknowledged'],
      ['ada.lovelace@example.com', 'commented', 'Mine\ufffd.'],
    ]);
    expect(fixture.announced).toEqual([{ tenant: tenant.tenantId, kind: 'case', id, status: 'acknowledged' }]);
    expect(await auditOf()).toEqual(['case.update ok ']);
  });

  test('its severities are told from the one it opened with, oldest first, in list, detail and export', async () => {
    const { time_opened } = (await list()).cases[0] ?? expect.fail();
    const opening = { severity: 'high', at: time_opened, username: 'system' };
    expect((await list()).cases[0]?.severity_history).toEqual([opening]);
    later(60);
    await update(id, { alert_severity: 'low', comment: 'A test of ours.' });
    later(60);
    await update(id, { alert_severity: 'critical' }, automation);
    const history = [
      opening,
      { severity: 'low', at: '2026-03-01T12:01:00.000Z', username: ada.actor.name },
      { severity: 'critical', at: '2026-03-01T12:02:00.000Z', username: 'system' },
    ];
    const answers = await fixture.db.tenant(tenant.tenantId, async (tx) => ({
      list: (await fixture.cases.service.list(tx, tenant, caseListQuerySchema.parse({}))).cases[0],
      detail: await fixture.cases.service.get(tx, tenant, id),
      export: (await fixture.cases.service.export(tx, tenant, id)).case,
    }));
    for (const answer of Object.values(answers)) expect(answer?.severity_history).toEqual(history);
  });

  test('a refused transition changes nothing and leaves its record', async () => {
    await update(id, { alert_status: 'closed', close_reason: 'benign' });
    const refused = await update(id, { alert_status: 'acknowledged', comment: 'No.' });
    expect(refused).toMatchObject({ kind: 'refused', error: { code: 'CASE_TRANSITION_REFUSED', status: 409 } });
    const detail = await fixture.detailOf(tenant, id);
    expect(detail).toMatchObject({ alert_status: 'closed', close_reason: 'benign' });
    expect(detail.activity.some((entry) => entry.kind === 'commented')).toBe(false);
    expect(await auditOf()).toEqual(['case.update ok ', 'case.update refused CASE_TRANSITION_REFUSED']);
  });

  test('a case cannot be reopened beside a newer open one of its group', async () => {
    await update(id, { alert_status: 'closed', close_reason: 'benign' });
    await open('203.0.113.1', { count: 5, fromS: 1000 });
    const refused = await update(id, { alert_status: 'open' });
    expect(refused).toMatchObject({ kind: 'refused', error: { message: expect.stringContaining('CASE-2') } });
  });

  test('sending the same update twice tells it once', async () => {
    await update(id, { alert_severity: 'low' });
    await update(id, { alert_severity: 'low' });
    const { activity } = await fixture.detailOf(tenant, id);
    expect(activity.filter((entry) => entry.kind === 'severity_changed')).toHaveLength(1);
  });

  test("another tenant's case does not exist: not to read, change or list", async () => {
    const other = await fixture.newTenant();
    await expect(fixture.detailOf(other, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(update(id, { comment: 'x' }, ada, other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await list({}, other)).toMatchObject({ cases: [], total: 0 });
    // Even when the code forgot the tenant, the database would not give a row.
    const rows = await fixture.db.tenant(other.tenantId, async (tx) => {
      const tables = ['case_record', 'case_activity', 'case_event', 'case_response'];
      const counts = await Promise.all(
        tables.map((name) => sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`.execute(tx)),
      );
      return counts.map((one) => one.rows[0]?.n);
    });
    expect(rows).toEqual([0, 0, 0, 0]);
  });

  async function auditOf(): Promise<string[]> {
    const { rows } = await fixture.db.tenant(tenant.tenantId, (tx) =>
      sql<{ line: string }>`select action || ' ' || outcome || ' ' || coalesce(code, '') as line
        from audit_record where action = 'case.update' order by sequence`.execute(tx),
    );
    return rows.map((row) => row.line);
  }

  test('one of twenty gets through who set the same part from the same state', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => update(id, { tags: [`by ${index}`], seen: { tags: [] } })),
    );
    const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(lost).toHaveLength(19);
    for (const { reason } of lost) expect(reason).toMatchObject({ code: 'CONFLICT' });
    expect((await list()).cases[0]?.tags).toHaveLength(1);
  });

  test('events that come in meanwhile are no reason to refuse a person', async () => {
    later(30);
    await fixture.ingest(burstOf(tenant, { src_ip: '203.0.113.1', count: 5 }));
    const seen = { alert_status: 'open', assignee: null } as const;
    const outcome = await update(id, { alert_status: 'acknowledged', assignee: 'ada.lovelace@example.com', seen });
    expect(outcome.kind).toBe('updated');
  });
});

describe('what automation tells a case', () => {
  let id: string;
  beforeEach(async () => {
    await fixture.createPolicy(tenant, guessingRule());
    id = await open('203.0.113.1');
  });

  test('a response shows its status; its end is final whatever comes late', async () => {
    const response = {
      tenant: tenant.tenantId,
      caseId: id,
      responseName: 'Block',
      responseType: 'playbook',
      runId: v7(),
      byHand: false,
    } as const;
    for (const status of ['pending', 'running', 'success', 'running'] as const) {
      await fixture.db.system((tx) => fixture.cases.story.setResponseStatus(tx, { ...response, status }));
    }
    expect((await fixture.detailOf(tenant, id)).alert_responses).toEqual([
      { response_name: 'Block', response_type: 'playbook', workflow_instance_id: response.runId, status: 'success' },
    ]);
  });

  test('an entry of a case that does not exist is left out', async () => {
    const entry = {
      tenant: tenant.tenantId,
      caseId: v7(),
      username: 'system',
      kind: 'run_started',
      text: 'x',
      data: {},
    } as const;
    await fixture.db.system((tx) => fixture.cases.story.add(tx, entry));
    const other = await fixture.newTenant();
    await fixture.db.system((tx) => fixture.cases.story.add(tx, { ...entry, tenant: other.tenantId, caseId: id }));
    expect((await fixture.detailOf(tenant, id)).activity).toHaveLength(1);
  });

  test('events that come after something else happened start a new entry', async () => {
    await fixture.ingest(burstOf(tenant, { count: 2, fromS: 20, src_ip: '203.0.113.1' }));
    await update(id, { comment: 'Watching.' });
    later(1);
    await fixture.ingest(burstOf(tenant, { count: 1, fromS: 30, src_ip: '203.0.113.1' }));
    later(1);
    await fixture.ingest(burstOf(tenant, { count: 3, fromS: 40, src_ip: '203.0.113.1' }));
    expect((await fixture.detailOf(tenant, id)).activity.slice(1).map((entry) => entry.text)).toEqual([
      '2 more matching events',
      'Watching.',
      '4 more matching events',
    ]);
  });

  test('related cases share a group value, under the same name', async () => {
    const byTarget = guessingRule({ group_by: ['src_ip', 'user'], threshold: { count: 1, within_s: 1 } });
    await fixture.createPolicy(tenant, { ...byTarget, name: 'Any failure' });
    // Detection does not listen in this test; it looks for changes by itself after five seconds.
    later(5);
    await fixture.ingest(burstOf(tenant, { count: 1, fromS: 50, src_ip: '203.0.113.1', user: 'x' }));
    await fixture.ingest(burstOf(tenant, { count: 1, fromS: 50, src_ip: '203.0.113.9', user: '203.0.113.1' }));
    const detail = caseDetailSchema.parse(await fixture.detailOf(tenant, id));
    expect(detail.related_cases.map((one) => one.alert_name)).toEqual(['Any failure']);
    expect(detail.related_cases[0]?.meta_data_fields).toEqual({ src_ip: '203.0.113.1', user: 'x' });
  });
});

describe('figures', () => {
  const hours = { buckets: 24, bucketMs: 3_600_000 };
  const day = { start: new Date('2026-03-01T00:00:00Z'), end: new Date('2026-03-02T00:00:00Z'), limit: 2, ...hours };
  const figures = (period = day, scope = tenant) =>
    fixture.db.tenant(scope.tenantId, (tx) => caseFigures(tx, scope, period));

  test('nothing to average is null, nothing to count is zero', async () => {
    const none = await figures();
    expect(none).toMatchObject({
      triggered_alerts: [],
      alert_counts: { high: 0, medium: 0, low: 0 },
      mttr_by_type: { manual_mttr: null, automated_mttr: null },
      mttd_by_type: { manual_mttd: null, automated_mttd: null },
    });
    expect(none.alert_history).toHaveLength(24);
    expect(none.alert_history[1]).toEqual({ t: '2026-03-01T01:00:00.000Z', high: 0, medium: 0, low: 0 });
  });

  test('each mean is taken over the cases it is about', async () => {
    await fixture.createPolicy(tenant, guessingRule());
    // The scenario's events happen at 16:45 on 22 February; the rule sees them now.
    const seen = (atS: number) => Date.parse('2026-02-22T16:45:00Z') / 1000 + atS;
    const nowS = () => fixture.clock.now.getTime() / 1000;
    const fromS = nowS() - seen(0);
    const first = await open('203.0.113.1', { count: 5, fromS: fromS - 40 });
    const second = await open('203.0.113.2', { count: 5, fromS: fromS - 20 });
    later(600);
    await update(first, { alert_status: 'acknowledged' });
    await fixture.db.system(async (tx) => {
      const success = { tenant: tenant.tenantId, caseId: second, at: fixture.clock.now };
      await fixture.cases.story.automatedResponseSucceeded(tx, success);
      const again = { ...success, at: new Date(fixture.clock.now.getTime() + 5000) };
      await fixture.cases.story.automatedResponseSucceeded(tx, again);
    });
    later(600);
    await update(first, { alert_status: 'closed', close_reason: 'true_positive' });
    // The automatic close comes after the automatic response: the earlier of the two counts.
    await update(second, { alert_status: 'closed', close_reason: 'true_positive' }, automation);
    later(3600);
    const third = await open('203.0.113.3', { count: 5, fromS: fromS + 4770 });
    await update(third, { alert_severity: 'medium' });

    const result = await figures();
    expect(result.mttd_by_type.automated_mttd).toBeCloseTo((40 + 20 + 30) / 3);
    expect(result.mttd_by_type.manual_mttd).toBeCloseTo(600);
    expect(result.mttr_by_type.automated_mttr).toBeCloseTo(600);
    expect(result.mttr_by_type.manual_mttr).toBeCloseTo(1200);
    expect(result.alert_counts).toEqual({ high: 2, medium: 1, low: 0 });
    expect(result.alert_history.filter((one) => one.high + one.medium > 0)).toEqual([
      { t: '2026-03-01T12:00:00.000Z', high: 2, medium: 0, low: 0 },
      { t: '2026-03-01T13:00:00.000Z', high: 0, medium: 1, low: 0 },
    ]);
    // Whole parts, the last of which is short.
    const { alert_history: long } = await figures({ ...day, buckets: 2, bucketMs: 13 * 3_600_000 });
    expect(long).toEqual([
      { t: '2026-03-01T00:00:00.000Z', high: 2, medium: 0, low: 0 },
      { t: '2026-03-01T13:00:00.000Z', high: 0, medium: 1, low: 0 },
    ]);
    expect(result.triggered_alerts).toEqual([
      {
        id: third,
        case_id: third,
        title: 'SSH password guessing',
        priority: 2,
        timestamp: '2026-03-01T13:20:00.000Z',
        source: 'sshd',
      },
      expect.objectContaining({ id: second, priority: 1 }),
    ]);
  });

  test('cases outside the period and of other tenants do not count; a source ahead of time gives no negative mean', async () => {
    await fixture.createPolicy(tenant, guessingRule());
    await open('203.0.113.1', { count: 5, fromS: 30 * 86_400 });
    expect((await figures()).mttd_by_type.automated_mttd).toBe(0);
    const before = { ...day, start: new Date('2026-02-28T00:00:00Z'), end: new Date('2026-03-01T12:00:00Z') };
    expect((await figures(before)).alert_counts.high).toBe(0);
    expect((await figures(day, await fixture.newTenant())).alert_counts.high).toBe(0);
  });
});
