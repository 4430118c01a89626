import {
  type PolicyRule,
  policyListSchema,
  policySchema,
  policyVersionSchema,
} from '@airdeck/contracts/policies/schema';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventRow } from '../../storage/test-events.ts';
import { guessingRule } from '../detection/detection-fixture.ts';
import { createPoliciesServer, type Method, named, putCase } from './policies-server-fixture.ts';

let policies: Awaited<ReturnType<typeof createPoliciesServer>>;

beforeAll(async () => {
  policies = await createPoliciesServer();
}, 120_000);
afterAll(() => policies.close());

const workspace = () => policies.workspace();

describe('creating', () => {
  test('keeps who made it, starts switched off, and the same key makes it once', async () => {
    const { call, analyst } = await workspace();
    const key = { headers: { 'idempotency-key': v7() } };
    const first = await call('POST', '', { rule: named('One') }, key);
    expect(first.status).toBe(201);
    expect(policySchema.parse(first.body)).toMatchObject({
      ...{ enabled: false, version: 1, origin: 'own', author: analyst.email, updated_by: analyst.email },
      ...{ last_case: null, open_cases: 0, published: null },
    });
    expect((await call('POST', '', { rule: named('One') }, key)).body).toEqual(first.body);
    expect((await call('POST', '', { rule: named('Two') }, key)).status).toBe(422);
    expect((await call('GET', '')).body.total).toBe(1);
  });

  test('a name belongs to one policy, whatever its case and however many ask at once', async () => {
    const { call } = await workspace();
    const tries = await Promise.all(
      Array.from({ length: 20 }, (_, n) => call('POST', '', { rule: named(n % 2 === 0 ? 'Same' : 'SAME') })),
    );
    expect(tries.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(tries.filter(({ status, body }) => status === 409 && body.details[0].path === 'rule.name')).toHaveLength(19);
    const other = await call('POST', '', { rule: named('Other') });
    const renamed = await call('PUT', `/${other.body.id}`, { rule: named('same') });
    expect(renamed.status).toBe(409);
  });

  test.each<[string, (rule: PolicyRule) => unknown]>([
    ['no criteria', (rule) => ({ ...rule, logic: { ...rule.logic, filter_criteria: [] } })],
    ['a list that is empty', (rule) => ({ ...rule, logic: { ...rule.logic, filter_criteria: [{ any: [] }] } })],
    ['an operator that is not there', (rule) => withCriterion(rule, { field: 'user', operator: 'sounds', value: 'x' })],
    ['a value that is missing', (rule) => withCriterion(rule, { field: 'user', operator: 'equals' })],
    ['an expression that is none', (rule) => withCriterion(rule, { field: 'user', operator: 'regex', value: '(' })],
    ['a back reference', (rule) => withCriterion(rule, { field: 'user', operator: 'regex', value: '(a)\\1' })],
    ['an expression that takes long', (rule) => withCriterion(rule, slow)],
    ['10,000 values', (rule) => withCriterion(rule, { field: 'user', operator: 'in', value: numbers(10_000) })],
    ['a threshold of 0', (rule) => ({ ...rule, logic: { ...rule.logic, threshold: { count: 0, within_s: 60 } } })],
    ['a threshold of 10⁹', (rule) => ({ ...rule, logic: { ...rule.logic, threshold: { count: 1e9, within_s: 60 } } })],
    ['a sequence of one step', (rule) => withSequence(rule, { steps: [aStep], within_s: 60 })],
    ['a sequence beside a threshold', (rule) => withSequence(rule, { steps: [aStep, aStep], within_s: 60 })],
    ['a sequence without end', (rule) => withSequence(rule, { steps: [aStep, aStep], within_s: 1e9 })],
    ['a group named twice', (rule) => ({ ...rule, logic: { ...rule.logic, group_by: ['user', 'user'] } })],
    ['a technique that is none', (rule) => ({ ...rule, techniques: ['T1'] })],
    ['criteria nested too deeply', (rule) => withCriterion(rule, nested(25))],
  ])('%s is refused', async (_name, spoil) => {
    const { call } = await workspace();
    const refused = await call('POST', '', { rule: spoil(named('Bad')) });
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(refused.body.details.length).toBeGreaterThan(0);
    expect((await call('GET', '')).body.total).toBe(0);
  });

  test('a refusal that fills something in says which one it is, or it could be shown in English only', async () => {
    const { call, create } = await workspace();
    await create(named('Ours'));
    const message = 'Another policy is called "ours". Give this one another name.';
    const taken = { message, reason: 'POLICY_NAME_TAKEN', values: { name: 'ours' } };
    expect((await call('POST', '', { rule: named('ours') })).body).toMatchObject({
      ...taken,
      details: [{ path: 'rule.name', ...taken }],
    });
    const rule = named('Twice');
    const twice = await call('POST', '', { rule: { ...rule, logic: { ...rule.logic, group_by: ['user', 'user'] } } });
    expect(twice.body.details).toEqual([
      {
        path: 'rule.logic.group_by.1',
        ...{ message: 'user is named twice.', reason: 'POLICY_GROUPED_TWICE', values: { name: 'user' } },
      },
    ]);
  });

  test('readers look and change nothing; strangers do not even look', async () => {
    const { tenant, call, create } = await workspace();
    const { id } = await create(named('Mine'));
    const reader = await policies.server.createActor({ home: tenant, roles: { [tenant]: 'ReadOnly' } });
    const stranger = await policies.server.createActor({ home: await policies.server.createTenant() });
    const tries: [Method, string, object?][] = [
      ['POST', '', { rule: named('x') }],
      ['PUT', `/${id}`, { enabled: true }],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/roll_back`, { version: 1 }],
      ['POST', '/import', { files: [{ name: 'a', text: 'b' }] }],
      ['POST', '/test', { rule: named('x'), events: 'x' }],
      ['POST', '/backtest', { rule: named('x'), start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-02T00:00:00Z' }],
      ['POST', '/publish', { id, tenants: [tenant] }],
    ];
    for (const [method, path, payload] of tries) {
      expect((await call(method, path, payload, { as: reader })).status).toBe(403);
      expect((await call(method, path, payload, { as: stranger })).status).toBe(403);
    }
    expect((await call('GET', `/${id}`, undefined, { as: reader })).status).toBe(200);
    expect((await call('GET', `/${id}`, undefined, { as: stranger })).status).toBe(403);
  });
});

describe('changing', () => {
  test('of two people who started from one version the second learns what the first changed', async () => {
    const { call, create, analyst } = await workspace();
    const { id } = await create(named('Ours'));
    const first = await call('PUT', `/${id}`, { rule: named('Ours', { severity: 'low' }), based_on: 1 });
    expect(first.body).toMatchObject({ version: 2, rule: { severity: 'low' } });
    const second = await call('PUT', `/${id}`, { rule: named('Ours', { description: 'Mine' }), based_on: 1 });
    expect(second).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(second.body.details).toEqual([
      { path: 'version', message: '2' },
      { path: 'updated_by', message: analyst.email },
      { path: 'updated_at', message: first.body.updated_at },
      {
        path: 'rule.severity',
        message: `${analyst.email} changed the severity.`,
        reason: 'POLICY_CHANGED_ONE',
        values: {
          who: analyst.email,
          part: [{ message: 'the severity', reason: 'POLICY_PART_SEVERITY', values: {} }],
        },
      },
    ]);
    const races = await Promise.all(
      ['low', 'medium', 'high', 'critical'].map((severity) =>
        call('PUT', `/${id}`, { rule: named('Ours', { severity, description: severity } as PolicyRule), based_on: 2 }),
      ),
    );
    expect(races.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  test('versions tell the story, and an older rule comes back as a new version', async () => {
    const { call, create } = await workspace();
    const { id } = await create(named('Told'));
    await call('PUT', `/${id}`, { rule: named('Told', { severity: 'low' }), note: 'Too loud' });
    await call('PUT', `/${id}`, { enabled: true });
    await call('PUT', `/${id}`, { enabled: true, rule: named('Told', { severity: 'low' }) });
    const back = await call('POST', `/${id}/roll_back`, { version: 1 });
    expect(back.body).toMatchObject({ version: 4, enabled: true, rule: { severity: 'high' } });
    const versions = policyVersionSchema.array().parse((await call('GET', `/${id}/versions`)).body);
    expect(versions.map(({ version, change, note, enabled }) => [version, change, note, enabled])).toEqual([
      [4, 'rolled_back', 'Version 1 again', true],
      [3, 'switched_on', '', true],
      [2, 'changed', 'Too loud', false],
      [1, 'created', '', false],
    ]);
    expect((await call('POST', `/${id}/roll_back`, { version: 9 })).status).toBe(404);
  });

  test('the newest hundred versions are kept, and listed', async () => {
    const { call, create } = await workspace();
    const { id } = await create(named('Restless'));
    for (let n = 2; n <= 102; n++) await call('PUT', `/${id}`, { rule: named('Restless', { description: `${n}` }) });
    const versions = policyVersionSchema.array().parse((await call('GET', `/${id}/versions`)).body);
    expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 100 }, (_, n) => 102 - n));
    expect((await call('POST', `/${id}/roll_back`, { version: 2 })).status).toBe(404);
  });

  test('the list searches, filters and counts', async () => {
    const { call, create } = await workspace();
    const okta = {
      ...guessingRule().logic,
      source: { source_type: 'log', connector_definition_id: 'okta', event_type: '' },
    };
    await create(named('Alpha', { severity: 'low', techniques: ['T1110.001'] }), true);
    await create(named('Beta', { logic: okta as PolicyRule['logic'] }));
    const list = async (query: string) => policyListSchema.parse((await call('GET', `?${query}`)).body);
    const names = async (query: string) => (await list(query)).rules.map(({ rule }) => rule.name);
    expect(await names('q=t1110.001')).toEqual(['Alpha']);
    expect(await names('q=%25')).toEqual([]);
    expect(await names('enabled=false')).toEqual(['Beta']);
    expect(await names('source=okta,nothing')).toEqual(['Beta']);
    expect(await names('severity=low,high')).toEqual(['Alpha', 'Beta']);
    expect(await names('origin=sigma')).toEqual([]);
    const { total, facets } = await list('severity=low');
    expect(total).toBe(1);
    expect(facets.severity).toContainEqual({ value: 'high', count: 1 });
    expect(facets.source).toEqual([{ value: 'sshd', count: 1 }]);
    expect(facets.enabled).toEqual([
      { value: 'true', count: 1 },
      { value: 'false', count: 0 },
    ]);
    expect((await call('GET', '?severity=odd')).status).toBe(400);
  });

  test('can be those that opened a case since a time', async () => {
    const { tenant, call, create } = await workspace();
    const busy = await create(named('Busy'), true);
    await create(named('Quiet'), true);
    await putCase(policies.server, { tenant, policyId: busy.id });
    const since = async (start: string) => policyListSchema.parse((await call('GET', `?start_time=${start}`)).body);
    const day = 24 * 3_600_000;
    const lately = await since(new Date(Date.now() - day).toISOString());
    expect(lately.rules.map(({ rule }) => rule.name)).toEqual(['Busy']);
    expect([lately.total, lately.facets.enabled[0]]).toEqual([1, { value: 'true', count: 1 }]);
    expect((await since(new Date(Date.now() + day).toISOString())).total).toBe(0);
  });
});

describe('deleting', () => {
  test('takes versions along and leaves open cases as they are', async () => {
    const { tenant, call, create } = await workspace();
    const { id } = await create(named('Short-lived'), true);
    const caseId = await putCase(policies.server, { tenant, policyId: id });
    expect(policySchema.parse((await call('GET', `/${id}`)).body)).toMatchObject({
      open_cases: 1,
      last_case: { id: caseId, reference: 'CASE-1' },
    });
    expect((await call('DELETE', `/${id}`)).status).toBe(204);
    expect((await call('DELETE', `/${id}`)).status).toBe(404);
    expect((await call('GET', `/${id}/versions`)).status).toBe(404);
    const { rows } = await policies.server.stores.database.tenant(tenant, (tx) =>
      sql`select status, policy_id, name from case_record where id = ${caseId}`.execute(tx),
    );
    expect(rows).toEqual([{ status: 'open', policy_id: null, name: 'A case' }]);
  });
});

describe('trying', () => {
  test('pasted lines, line by line, with the cases they would open', async () => {
    const { call } = await workspace();
    const failure = (second: number) =>
      `Feb 22 16:45:${String(second).padStart(2, '0')} web-1 sshd[1]: Failed password for root from 203.0.113.7 port 1786 ssh2`;
    const lines = [failure(1), '', 'no such thing', ...[2, 3, 4, 5].map(failure)];
    const { body } = await call('POST', '/test', { rule: guessingRule(), events: lines.join('\n') });
    expect(
      body.lines.map(({ line, matched, of_source }: Record<string, unknown>) => [line, matched, of_source]),
    ).toEqual([[1, true, true], [3, false, false], ...[4, 5, 6, 7].map((line) => [line, true, true])]);
    expect(body.summary).toEqual({ events: 6, matched: 5, cases: [{ group: { src_ip: '203.0.113.7' }, events: 5 }] });
    expect((await call('POST', '/test', { rule: guessingRule(), events: '\n'.repeat(3_000) })).status).toBe(400);
  });

  test('on past events reaches back as far as the plan does, and says from when it holds', async () => {
    const tenant = await policies.server.createTenant({
      skuInfo: { search_length_days: 3, retention_length_days: 90 },
    });
    const { headers } = await policies.server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
    const day = 86_400_000;
    const now = Date.now();
    const failures = (daysAgo: number) =>
      Array.from({ length: 5 }, (_, n) => eventRow({ tenant, time: now - daysAgo * day + n * 1_000 }));
    await policies.server.stores.events.insert([...failures(1), ...failures(5)]);
    const held = (fromDaysAgo: number, toDaysAgo: number) =>
      policies.server.inject({
        ...{ method: 'POST', url: `/api/tenants/${tenant}/soar/rules/backtest`, headers },
        payload: {
          rule: guessingRule(),
          start_time: new Date(now - fromDaysAgo * day).toISOString(),
          end_time: new Date(now - toDaysAgo * day).toISOString(),
        },
      });
    const week = (await held(7, 0)).json();
    expect(week).toMatchObject({ matched_events: 5, scanned_events: 5, cases: 1 });
    expect(Math.abs(Date.parse(week.complete_from) - (now - 3 * day))).toBeLessThan(600_000);
    const days = (await held(2, 0)).json();
    expect(days).toMatchObject({ matched_events: 5, complete_from: new Date(now - 2 * day).toISOString() });
    const gone = await held(7, 4);
    expect([gone.statusCode, gone.json().details[0].path]).toEqual([400, 'body.end_time']);
  });

  test('an expression that takes long is tried, held against the past and switched on by nobody', async () => {
    const { tenant, call, create } = await workspace();
    const rule = withCriterion(named('Slow'), slow);
    const refused = { status: 400, body: { details: [{ path: 'rule.logic.filter_criteria.0.value' }] } };
    expect((await call('POST', '/validate', { rule })).body).toMatchObject({
      valid: false,
      problems: [{ path: 'logic.filter_criteria.0.value', message: expect.stringContaining('of at most 1,500') }],
    });
    const events = 'ab'.repeat(131_072);
    expect(await call('POST', '/test', { rule, events })).toMatchObject(refused);
    const period = { start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-02T00:00:00Z' };
    expect(await call('POST', '/backtest', { rule, ...period })).toMatchObject(refused);
    // One that was saved when there was no bound.
    const { id } = await create(named('Before'));
    await policies.server.stores.database.tenant(tenant, (tx) =>
      sql`update policy set rule = ${JSON.stringify(rule)} where id = ${id}`.execute(tx),
    );
    expect(await call('PUT', `/${id}`, { enabled: true })).toMatchObject(refused);
    expect((await call('GET', `/${id}`)).body).toMatchObject({ enabled: false, rule: { name: 'Slow' } });
  });

  test('problems come with their places', async () => {
    const { call } = await workspace();
    const rule = withCriterion(named('x'), { field: 'user', operator: 'regex', value: '(' });
    expect((await call('POST', '/validate', { rule })).body).toMatchObject({
      valid: false,
      problems: [{ path: 'logic.filter_criteria.0.value' }],
    });
  });
});

/** 2,003 parts with its repetition written out. */
const slow = { field: 'user', operator: 'regex', value: '[ab]{0,1000}c' };
const aStep = { filter_criteria: [{ field: 'user', operator: 'exists' }] };

function withSequence(rule: PolicyRule, sequence: object) {
  return { ...rule, logic: { ...rule.logic, sequence } };
}

function withCriterion(rule: PolicyRule, criterion: unknown): unknown {
  return { ...rule, logic: { ...rule.logic, filter_criteria: [criterion] } };
}

function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, n) => String(n));
}

function nested(depth: number): unknown {
  return depth === 0 ? { field: 'user', operator: 'exists' } : { not: nested(depth - 1) };
}
