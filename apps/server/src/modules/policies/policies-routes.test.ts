import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sigmaImportedSchema } from '@airdeck/contracts/policies/import-schema';
import { policyPublicationsSchema } from '@airdeck/contracts/policies/publication-schema';
import {
  type PolicyRule,
  policyListSchema,
  policyPublishedSchema,
  policySchema,
  policyVersionSchema,
} from '@airdeck/contracts/policies/schema';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { eventRow } from '../../storage/test-events.ts';
import { guessingRule } from '../detection/detection-fixture.ts';

let server: TestServer;

beforeAll(async () => {
  server = await createTestServer();
}, 120_000);
afterAll(() => server.close());

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

async function workspace() {
  const tenant = await server.createTenant();
  const analyst = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
  async function call(
    method: Method,
    path: string,
    payload?: object,
    options: { as?: Actor; in?: string; headers?: Record<string, string> } = {},
  ) {
    const answer = await server.inject({
      method,
      url: `/api/tenants/${options.in ?? tenant}/soar/rules${path}`,
      headers: { ...(options.as ?? analyst).headers, ...options.headers },
      ...(payload === undefined ? {} : { payload }),
    });
    return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() };
  }
  const create = async (rule: PolicyRule, enabled = false) =>
    policySchema.parse((await call('POST', '', { rule, enabled })).body);
  return { tenant, analyst, call, create };
}

const named = (name: string, parts: Partial<PolicyRule> = {}): PolicyRule => ({ ...guessingRule(), name, ...parts });

/** A case the policy has just opened; its id. */
async function putCase(tenant: string, policyId: string): Promise<string> {
  const id = v7();
  await server.stores.database.tenant(tenant, (tx) =>
    sql`insert into case_record (id, tenant_id, number, alert_type, policy_id, group_key, name, description, category,
        severity, severity_rank, status, log_sources, meta, opened_at, time_opened, time_updated, search_text)
      values (${id}, ${tenant}, 1, 'policy', ${policyId}, '[]', 'A case', '', '', 'high', 2, 'open', '{}', '{}',
        now(), now(), now(), '')`.execute(tx),
  );
  return id;
}

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
    const reader = await server.createActor({ home: tenant, roles: { [tenant]: 'ReadOnly' } });
    const stranger = await server.createActor({ home: await server.createTenant() });
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
    await putCase(tenant, busy.id);
    const since = async (start: string) => policyListSchema.parse((await call('GET', `?start_time=${start}`)).body);
    const day = 24 * 3_600_000;
    const lately = await since(new Date(Date.now() - day).toISOString());
    expect(lately.rules.map(({ rule }) => rule.name)).toEqual(['Busy']);
    expect([lately.total, lately.facets.enabled[0]]).toEqual([1, { value: 'true', count: 1 }]);
    expect((await since(new Date(Date.now() + day).toISOString())).total).toBe(0);
  });
});

describe('matching nearly everything', () => {
  test('is asked about with the measured rate before it is switched on, each time the rule changes', async () => {
    const { tenant, call, create } = await workspace();
    await server.stores.events.insert(
      Array.from({ length: 2_000 }, (_, n) => eventRow({ tenant, outcome: n % 4 === 0 ? 'success' : 'failure' })),
    );
    const { id } = await create(guessingRule());
    const asked = await call('PUT', `/${id}`, { enabled: true });
    expect(asked).toMatchObject({ status: 449, body: { code: 'CONFIRMATION_REQUIRED' } });
    expect(asked.body.confirm.text).toContain('75 %');
    expect(asked.body.confirm.text).toContain('1,500 of 2,000');
    expect((await call('GET', `/${id}`)).body.enabled).toBe(false);
    const confirmed = { headers: { 'x-air-confirm': 'true' } };
    expect((await call('PUT', `/${id}`, { enabled: true }, confirmed)).body.enabled).toBe(true);
    // Without a new question the header alone opens nothing.
    const wider = guessingRule({ filter_criteria: [{ field: 'user', operator: 'exists' }] });
    expect((await call('PUT', `/${id}`, { rule: wider }, confirmed)).status).toBe(449);
    const narrow = guessingRule({ filter_criteria: [{ field: 'outcome', operator: 'equals', value: 'unknown' }] });
    expect((await call('PUT', `/${id}`, { rule: narrow })).status).toBe(200);
    expect((await call('POST', '', { rule: named('New'), enabled: true })).status).toBe(449);
  });

  test('is asked about before a publication puts it to work at a customer, as measured there', async () => {
    const { tenant, call, create } = await workspace();
    const [busy, quiet] = [await server.createTenant({ name: 'Busy customer' }), await server.createTenant()];
    await server.stores.events.insert(
      Array.from({ length: 2_000 }, () => eventRow({ tenant: busy, outcome: 'failure' })),
    );
    const as = await server.createActor({
      home: tenant,
      roles: { [tenant]: 'Analyst', [busy]: 'Analyst', [quiet]: 'Analyst' },
    });
    const { id } = await create(named('Everything'));
    const publish = (order: object, headers = {}) =>
      call('POST', '/publish', { id, tenants: [busy, quiet], ...order }, { as, headers });
    const confirmed = { 'x-air-confirm': 'true' };
    const asked = await publish({ enabled: true });
    expect(asked).toMatchObject({ status: 449, body: { code: 'CONFIRMATION_REQUIRED' } });
    expect(asked.body.confirm.text).toContain('Busy customer: 100 %');
    expect((await call('GET', '', undefined, { as, in: busy })).body.total).toBe(0);
    expect((await call('GET', '', undefined, { as, in: quiet })).body.total).toBe(0);
    // The question was about these tenants and no others.
    expect((await publish({ enabled: true, tenants: [busy] }, confirmed)).status).toBe(449);
    expect(
      (await publish({ enabled: true }, confirmed)).body.tenants.map(({ status }: { status: string }) => status),
    ).toEqual(['created', 'created']);
    expect((await publish({})).status).toBe(200);
    await call('PUT', `/${id}`, { rule: named('Everything', { severity: 'low' }) });
    expect((await publish({})).status).toBe(449);
    expect((await publish({ tenants: [quiet] })).status).toBe(200);
  });

  test('is asked about before an import gives it to a policy that is on', async () => {
    const { tenant, call } = await workspace();
    await server.stores.events.insert(
      Array.from({ length: 2_000 }, () => eventRow({ tenant, integration: 'acme', fields: { result: 'accepted' } })),
    );
    const text = sigmaRule(v7(), 'Widened');
    const imported = (word: string, options = {}) => {
      const files = [{ name: 'rule.yml', text: text.replace('denied', word) }];
      return call('POST', '/import', { files, replace: true }, options);
    };
    const id = (await imported('denied')).body.rules[0].policy_id;
    expect((await imported('accepted')).status).toBe(200);
    expect((await imported('refused')).status).toBe(200);
    await call('PUT', `/${id}`, { enabled: true });
    const asked = await imported('accepted');
    expect(asked).toMatchObject({ status: 449, body: { code: 'CONFIRMATION_REQUIRED' } });
    expect(asked.body.confirm.text).toContain('Widened: 100 %');
    expect(JSON.stringify((await call('GET', `/${id}`)).body.rule)).not.toContain('accepted');
    const key = { headers: { 'idempotency-key': v7(), 'x-air-confirm': 'true' } };
    const done = await imported('accepted', key);
    expect(done.status).toBe(200);
    // Sent again because its answer was lost: what was answered needs no second question.
    expect(await imported('accepted', key)).toEqual(done);
  });
});

const sigmaRule = (id: string, title: string) => `title: ${title}
id: ${id}
author: A. Author
license: DRL 1.1
logsource: { product: acme }
detection:
  sel: { result|contains: denied }
  condition: sel
`;

describe('importing Sigma', () => {
  const id = '11111111-1111-4111-8111-111111111111';

  test('rule by rule, switched off, with author and text; again only where asked to', async () => {
    const { call, tenant } = await workspace();
    const second = sigmaRule('22222222-2222-4222-8222-222222222222', 'First rule');
    const text = `${sigmaRule(id, 'First rule')}---\n${second}`;
    const files = [
      { name: 'two.yml', text },
      { name: 'bad.yml', text: 'title: [' },
      { name: 'modifier.yml', text: sigmaRule(v7(), 'Odd').replace('contains', 'sounds_like') },
      { name: 'again.yml', text: sigmaRule(id, 'Same id') },
      { name: 'anchor.yml', text: `a: &a [x]\nb: *a\n` },
    ];
    const dry = sigmaImportedSchema.parse((await call('POST', '/import', { files, dry_run: true })).body);
    expect(dry.rules.map(({ status }) => status)).toEqual([
      'imported',
      'imported',
      'failed',
      'failed',
      'failed',
      'failed',
    ]);
    expect(dry.rules[0]?.rule?.origin?.author).toBe('A. Author');
    expect((await call('GET', '')).body.total).toBe(0);

    const done = sigmaImportedSchema.parse((await call('POST', '/import', { files })).body);
    expect(done).toMatchObject({ imported: 2, skipped: 0, failed: 4 });
    const list = policyListSchema.parse((await call('GET', '?origin=sigma')).body);
    expect(list.rules.map(({ rule, author, enabled }) => [rule.name, author, enabled])).toEqual([
      ['First rule', 'A. Author', false],
      ['First rule (2)', 'A. Author', false],
    ]);
    const kept = await call('GET', `/${done.rules[1]?.policy_id}/source_text`);
    expect(kept.body).toMatchObject({ format: 'sigma', file: 'two.yml' });
    expect(kept.body.text.trim()).toBe(second.trim());

    const skipped = sigmaImportedSchema.parse((await call('POST', '/import', { files: files.slice(0, 1) })).body);
    expect(skipped).toMatchObject({ imported: 0, skipped: 2 });
    const newer = [{ name: 'new.yml', text: sigmaRule(id, 'First rule').replace('denied', 'refused') }];
    const replaced = sigmaImportedSchema.parse((await call('POST', '/import', { files: newer, replace: true })).body);
    expect(replaced.rules[0]).toMatchObject({ status: 'imported', policy_id: done.rules[0]?.policy_id });
    const versions = await call('GET', `/${done.rules[0]?.policy_id}/versions`);
    expect(versions.body.map(({ change }: { change: string }) => change)).toEqual(['imported', 'imported']);
    const { rows } = await server.stores.database.tenant(tenant, (tx) =>
      sql<{ data: unknown }>`select data from audit_record where action = 'policy.import' order by sequence`.execute(
        tx,
      ),
    );
    expect(rows[0]?.data).toMatchObject({ imported: 2, failed: 4 });
  });

  test('a bomb costs its sender an answer, not the server', async () => {
    const { call } = await workspace();
    const levels = Array.from(
      { length: 9 },
      (_, n) =>
        `${'abcdefghi'[n]}: &${'abcdefghi'[n]} [${
          n === 0
            ? 'x'
            : Array(9)
                .fill(`*${'abcdefghi'[n - 1]}`)
                .join(',')
        }]`,
    );
    const deep = `${'['.repeat(100_000)}`;
    const files = [
      { name: 'laughs.yml', text: levels.join('\n') },
      { name: 'deep.yml', text: deep },
    ];
    const answer = sigmaImportedSchema.parse((await call('POST', '/import', { files })).body);
    expect(answer).toMatchObject({ imported: 0, failed: 2 });
  });
});

test('a rule of Sigma with characters that the store does not take is taken without them', async () => {
  const { call } = await workspace();
  const id = v7();
  const text = sigmaRule(id, '"Odd \\0 \\ud83d"').replace('denied', '"deni\\0ed"');
  const long = sigmaRule(v7(), `"${'x'.repeat(199)}\u{1f600}"`);
  const files = [
    { name: 'odd.yml', text },
    { name: 'long.yml', text: long },
  ];
  const headers = { 'idempotency-key': v7() };
  for (const more of [{ dry_run: true }, {}]) {
    const answer = sigmaImportedSchema.parse((await call('POST', '/import', { files, ...more }, { headers })).body);
    expect(answer.rules.map(({ status }) => status)).toEqual(['imported', 'imported']);
    headers['idempotency-key'] = v7();
  }
});

const sigmaFolder = join(resolve(process.env.AIRDECK_SHARED_DATA ?? '../shared/data'), 'sigma');

// Rules of publishers are not part of the project; without them this says "skipped".
describe.skipIf(!existsSync(join(sigmaFolder, 'index.json')))('published rules (from AIRDECK_SHARED_DATA)', () => {
  test('all become policies, switched off, with their author', async () => {
    const { call } = await workspace();
    const index = JSON.parse(readFileSync(join(sigmaFolder, 'index.json'), 'utf8')) as {
      file: string;
      author: string;
    }[];
    const files = index.map(({ file }) => ({ name: file, text: readFileSync(join(sigmaFolder, file), 'utf8') }));
    const answers = [];
    for (let from = 0; from < files.length; from += 200) {
      const portion = { files: files.slice(from, from + 200) };
      answers.push(...sigmaImportedSchema.parse((await call('POST', '/import', portion)).body).rules);
    }
    expect(answers.filter(({ status }) => status === 'failed')).toEqual([]);
    expect(answers.filter(({ status }) => status === 'imported').length).toBeGreaterThan(150);
    const { total, facets } = policyListSchema.parse((await call('GET', '?origin=sigma&enabled=false')).body);
    expect(total).toBe(answers.filter(({ status }) => status === 'imported').length);
    expect(facets.source[0]?.count).toBeGreaterThan(50);
    const { rules } = policyListSchema.parse((await call('GET', '?page_size=100')).body);
    expect(rules.every(({ author }) => index.some((one) => one.author === author))).toBe(true);
  });
});

describe('deleting', () => {
  test('takes versions along and leaves open cases as they are', async () => {
    const { tenant, call, create } = await workspace();
    const { id } = await create(named('Short-lived'), true);
    const caseId = await putCase(tenant, id);
    expect(policySchema.parse((await call('GET', `/${id}`)).body)).toMatchObject({
      open_cases: 1,
      last_case: { id: caseId, reference: 'CASE-1' },
    });
    expect((await call('DELETE', `/${id}`)).status).toBe(204);
    expect((await call('DELETE', `/${id}`)).status).toBe(404);
    expect((await call('GET', `/${id}/versions`)).status).toBe(404);
    const { rows } = await server.stores.database.tenant(tenant, (tx) =>
      sql`select status, policy_id, name from case_record where id = ${caseId}`.execute(tx),
    );
    expect(rows).toEqual([{ status: 'open', policy_id: null, name: 'A case' }]);
  });
});

describe('publishing', () => {
  test('to tenants the caller may manage, keeping what a tenant made of its copy', async () => {
    const { tenant, call, create } = await workspace();
    const [mine, foreign, second] = [
      await server.createTenant(),
      await server.createTenant(),
      await server.createTenant(),
    ];
    const manager = await server.createActor({
      home: tenant,
      roles: { [tenant]: 'Analyst', [mine]: 'Analyst', [second]: 'ReadOnly' },
    });
    const { id } = await create(named('For all'));
    const publish = async () => {
      const order = { id, tenants: [mine, foreign, second, tenant] };
      const answer = await call('POST', '/publish', order, { as: manager });
      return policyPublishedSchema.parse(answer.body).tenants;
    };
    const first = await publish();
    expect(first.map(({ status }) => status)).toEqual(['created', 'refused', 'refused', 'refused']);
    const copy = first[0]?.policy_id ?? '';
    const there = { as: manager, in: mine };
    expect((await call('GET', `/${copy}`, undefined, there)).body).toMatchObject({
      ...{ origin: 'provider', enabled: false, published: { overridden: false }, rule: { name: 'For all' } },
    });
    expect((await publish())[0]?.status).toBe('unchanged');
    await call('PUT', `/${copy}`, { enabled: true }, there);
    await call('PUT', `/${id}`, { rule: named('For all', { severity: 'critical' }) });
    expect((await publish())[0]?.status).toBe('updated');
    expect((await call('GET', `/${copy}`, undefined, there)).body).toMatchObject({
      ...{ enabled: true, rule: { severity: 'critical' } },
    });
    await call('PUT', `/${copy}`, { rule: named('For all', { severity: 'low' }) }, there);
    await call('PUT', `/${id}`, { rule: named('For all', { severity: 'high' }) });
    expect((await publish())[0]?.status).toBe('kept');
    expect((await call('GET', `/${copy}`, undefined, there)).body.published).toEqual({ overridden: true });
  });
});

test('a copy follows the name of its policy with the next publication, numbered where the customer has that name', async () => {
  const { tenant, call, create } = await workspace();
  const mine = await server.createTenant();
  await server.stores.database.system((tx) =>
    tx.updateTable('tenant').set({ managed_by: tenant }).where('id', '=', mine).execute(),
  );
  const as = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst', [mine]: 'Analyst' } });
  const there = { as, in: mine };
  const { id } = await create(named('Old name'));
  const published = async () => {
    const { body } = await call('POST', '/publish', { id, tenants: [mine] }, { as });
    return policyPublishedSchema.parse(body).tenants[0];
  };
  const stands = async () => {
    const { body } = await call('GET', `/${id}/publications`, undefined, { as });
    return policyPublicationsSchema.parse(body).tenants[0]?.copy;
  };
  const copy = (await published())?.policy_id;
  const name = async () => (await call('GET', `/${copy}`, undefined, there)).body.rule.name;
  await call('PUT', `/${id}`, { rule: named('New name') });
  expect(await stands()).toMatchObject({ is_current: false, published_version: 1 });
  expect((await published())?.status).toBe('updated');
  expect(await name()).toBe('New name');
  expect(await stands()).toMatchObject({ is_current: true, published_version: 2 });
  await call('POST', '', { rule: named('Taken'), enabled: false }, there);
  await call('PUT', `/${id}`, { rule: named('Taken') });
  expect((await published())?.status).toBe('updated');
  expect(await name()).toBe('Taken (2)');
  expect(await stands()).toMatchObject({ is_current: true, published_version: 3 });
  expect((await published())?.status).toBe('unchanged');
  await call('PUT', `/${copy}`, { rule: named('Ours') }, there);
  await call('PUT', `/${id}`, { rule: named('Newest') });
  expect((await published())?.status).toBe('kept');
  expect(await name()).toBe('Ours');
});

test('a copy whose rule the customer imports again is theirs from then on', async () => {
  const { tenant, call } = await workspace();
  const mine = await server.createTenant();
  await server.stores.database.system((tx) =>
    tx.updateTable('tenant').set({ managed_by: tenant }).where('id', '=', mine).execute(),
  );
  const as = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst', [mine]: 'Analyst' } });
  const text = sigmaRule(v7(), 'Shared');
  const imported = async (change: string, options = {}) => {
    const files = [{ name: 'shared.yml', text: text.replace('denied', change) }];
    const { body } = await call('POST', '/import', { files, replace: true }, { as, ...options });
    return sigmaImportedSchema.parse(body).rules[0]?.policy_id;
  };
  const id = await imported('denied');
  const publish = async () => {
    const { body } = await call('POST', '/publish', { id, tenants: [mine] }, { as });
    return policyPublishedSchema.parse(body).tenants[0];
  };
  const copy = (await publish())?.policy_id;
  expect(await imported('refused', { in: mine })).toBe(copy);
  await imported('rejected');
  expect((await publish())?.status).toBe('kept');
});

describe('publications', () => {
  test('say how each customer the caller works in stands, and nothing of others', async () => {
    const { tenant, call, create } = await workspace();
    const names = ['Ahorn', 'birch', 'Cedar', 'Dogwood', 'Elsewhere'] as const;
    const [ahorn, birch, cedar, dogwood, elsewhere] = await Promise.all(
      names.map((name) => server.createTenant({ name })),
    );
    const managed = [ahorn, birch, cedar, dogwood].filter((id) => id !== undefined);
    await server.stores.database.system((tx) =>
      tx.updateTable('tenant').set({ managed_by: tenant }).where('id', 'in', managed).execute(),
    );
    const [a = '', b = '', c = '', e = ''] = [ahorn, birch, cedar, elsewhere];
    const as = await server.createActor({
      home: tenant,
      // Dogwood is managed too, but not theirs; Elsewhere is theirs, but not managed.
      roles: { [tenant]: 'Analyst', [a]: 'Analyst', [b]: 'Analyst', [c]: 'ReadOnly', [e]: 'Admin' },
    });
    const { id } = await create(named('For customers'));
    const listed = async () => {
      const { tenants, total } = policyPublicationsSchema.parse(
        (await call('GET', `/${id}/publications`, undefined, { as })).body,
      );
      expect(total).toBe(tenants.length);
      return tenants.map(({ name, can_publish, copy }) => [name, can_publish, copy]);
    };
    expect(await listed()).toEqual([
      ['Ahorn', true, null],
      ['birch', true, null],
      ['Cedar', false, null],
    ]);
    const publish = () => call('POST', '/publish', { id, tenants: [a, b], enabled: true }, { as });
    await publish();
    // Switching counts as a version of the policy, and changes no rule.
    await call('PUT', `/${id}`, { enabled: true });
    const given = { enabled: true, overridden: false, is_current: true, published_version: 2 };
    expect((await listed())[0]).toEqual(['Ahorn', true, expect.objectContaining(given)]);
    const copy = (await listed())[0]?.[2] as { policy_id: string };
    await call('PUT', `/${copy.policy_id}`, { rule: named('Ours', { severity: 'low' }) }, { as, in: a });
    await call('PUT', `/${id}`, { rule: named('For customers', { severity: 'critical' }) });
    expect((await listed()).map(([, , now]) => now)).toEqual([
      expect.objectContaining({ ...given, overridden: true, is_current: false }),
      expect.objectContaining({ ...given, is_current: false }),
      null,
    ]);
    await publish();
    expect((await listed()).map(([, , now]) => now)).toEqual([
      expect.objectContaining({ overridden: true, published_version: 2 }),
      expect.objectContaining({ ...given, published_version: 3 }),
      null,
    ]);
    const { tenant: other, call: callOther } = await workspace();
    expect((await callOther('GET', `/${id}/publications`, undefined, { in: other })).status).toBe(404);
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
    const tenant = await server.createTenant({ skuInfo: { search_length_days: 3, retention_length_days: 90 } });
    const { headers } = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
    const day = 86_400_000;
    const now = Date.now();
    const failures = (daysAgo: number) =>
      Array.from({ length: 5 }, (_, n) => eventRow({ tenant, time: now - daysAgo * day + n * 1_000 }));
    await server.stores.events.insert([...failures(1), ...failures(5)]);
    const held = (fromDaysAgo: number, toDaysAgo: number) =>
      server.inject({
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

  test('problems come with their places', async () => {
    const { call } = await workspace();
    const rule = withCriterion(named('x'), { field: 'user', operator: 'regex', value: '(' });
    expect((await call('POST', '/validate', { rule })).body).toMatchObject({
      valid: false,
      problems: [{ path: 'logic.filter_criteria.0.value' }],
    });
  });
});

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
