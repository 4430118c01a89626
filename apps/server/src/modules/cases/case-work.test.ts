import { caseBulkAnswerSchema, caseDetailSchema, caseExportSchema } from '@airdeck/contracts/cases/schema';
import { errorCodes } from '@airdeck/contracts/error-codes';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ActivityFixture, createActivityFixture, type Workspace } from '../activity/activity-fixture.ts';
import { caseCalls, outcomes } from './case-work-fixture.ts';

const NO_SUCH = '01957000-0000-7000-8000-000000000001';

let fixture: ActivityFixture;
let workspace: Workspace;
let path: string;

beforeAll(async () => {
  fixture = await createActivityFixture();
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  workspace = await fixture.createWorkspace();
  path = `/api/tenants/${workspace.tenant}/case`;
});

const { open, bulk, change, audited } = caseCalls(() => ({ fixture, workspace }));

describe('somebody whose name is no mail address', () => {
  const odd = ['a&b@example.com', 'müller@example.com', 'john_mail.example#ext#@t.example'];

  test.each(odd)('%s is given a case, as everybody else', async (assignee) => {
    const { id: user } = await workspace.person('Analyst');
    await fixture.db.system((tx) =>
      tx.updateTable('app_user').set({ uname: assignee, email: assignee }).where('id', '=', user).execute(),
    );
    const { id } = await open('Phone call');
    expect(await change(id, { assignee })).toMatchObject({ status: 200, body: { assignee } });
    expect((await open('Another call', { assignee })).assignee).toBe(assignee);
    const { results } = await bulk({ cases: [id], change: { assignee: null } });
    expect(results).toMatchObject([{ outcome: 'changed' }]);
    expect((await bulk({ cases: [id], change: { assignee } })).results).toMatchObject([{ outcome: 'changed' }]);
  });

  test('is refused as not able to work here where nobody is called so', async () => {
    const { id } = await open('Phone call');
    expect(await change(id, { assignee: 'nobody#EXT#@t.example' })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', reason: 'CASE_ASSIGNEE_MAY_NOT', details: [{ path: 'body.assignee' }] },
    });
  });
});

test('a case can be closed before anybody knows why, and told the reason later', async () => {
  const { id } = await open('Phone call');
  expect(await change(id, { alert_status: 'closed' })).toMatchObject({
    status: 200,
    body: { alert_status: 'closed', close_reason: null, closed_by_username: workspace.analyst.email },
  });
  expect((await change(id, { close_reason: 'benign' })).body).toMatchObject({ close_reason: 'benign' });
});

describe('a case opened by hand', () => {
  test('starts open, with its number, its clock, its values and its story', async () => {
    const meta = { src_ip: '203.0.113.7', user: 'root' };
    const opened = await open('  Phone call  ', {
      alert_severity: 'high',
      meta_data_fields: meta,
      tags: ['vip', 'vip'],
    });
    expect(opened).toMatchObject({
      ...{ reference: 'CASE-1', alert_name: 'Phone call', alert_type: 'manual', alert_status: 'open', tags: ['vip'] },
      ...{ policy_id: null, event_count: 0, meta_data_fields: meta },
    });
    expect(opened.entities.map(({ kind, value }) => `${kind} ${value}`)).toEqual(['user root', 'address 203.0.113.7']);
    expect(opened.activity).toMatchObject([{ kind: 'opened', username: workspace.analyst.email }]);
    expect(opened.severity_history).toEqual([
      { severity: 'high', at: opened.time_opened, username: workspace.analyst.email },
    ]);
    expect(Date.parse(opened.sla.respond_by ?? '') - Date.parse(opened.time_opened)).toBe(60 * 60_000);
    expect(await audited('case.create')).toBe(1);
  });

  test('gets a number of its own, whoever opens one at the same moment', async () => {
    const opened = await Promise.all(Array.from({ length: 20 }, (_, index) => open(`Case ${index}`)));
    expect(new Set(opened.map(({ reference }) => reference)).size).toBe(20);
  });

  test.each<[string, object]>([
    ['without a name', { alert_name: '  ' }],
    ['with a name that never ends', { alert_name: 'x'.repeat(201) }],
    ['with an unknown severity', { alert_name: 'x', alert_severity: 'huge' }],
    ['with a value of no field', { alert_name: 'x', meta_data_fields: { 'a b': 'x' } }],
    ['with values that are no texts', { alert_name: 'x', meta_data_fields: { a: { b: 1 } } }],
    [
      'with thousands of values',
      { alert_name: 'x', meta_data_fields: Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`f${i}`, 'x'])) },
    ],
    ['with the fields of a policy', { alert_name: 'x', policy_id: NO_SUCH }],
  ])('%s is refused', async (_name, body) => {
    expect(await fixture.call(workspace.analyst, 'POST', path, body)).toMatchObject({ status: 400 });
  });
});

describe('whom a case is given to', () => {
  test('must be an active member of this tenant who may work on it', async () => {
    const colleague = await workspace.person('Analyst');
    const reader = await workspace.person('ReadOnly');
    const former = await workspace.person('Analyst');
    await fixture.db.system((tx) =>
      tx.updateTable('app_user').set({ status: 'disabled' }).where('id', '=', former.id).execute(),
    );
    const elsewhere = await fixture.createWorkspace({ connectors: false });
    const one = await open('One', { assignee: colleague.email });
    for (const assignee of [reader.email, former.email, elsewhere.analyst.email, 'nobody@example.com']) {
      const refused = (at: string) => ({ status: 400, body: { details: [{ path: at }] } });
      expect(await change(one.id, { assignee })).toMatchObject(refused('body.assignee'));
      const opening = await fixture.call(workspace.analyst, 'POST', path, { alert_name: 'Two', assignee });
      expect(opening).toMatchObject(refused('body.assignee'));
      const bulkWork = { cases: [one.id], change: { assignee } };
      const many = await fixture.call(workspace.analyst, 'POST', `${path}/bulk`, bulkWork);
      expect(many).toMatchObject(refused('body.change.assignee'));
    }
    expect((await workspace.getCase(one.id)).assignee).toBe(colleague.email);
    expect(await change(one.id, { assignee: null })).toMatchObject({ status: 200 });
  });
});

describe('a request asked again with its key', () => {
  const key = { 'idempotency-key': 'k1' };
  const ask = (id: string, body: object) => fixture.call(workspace.analyst, 'POST', `${path}/${id}`, body, key);
  const story = async (id: string) => {
    const { body } = await fixture.call(workspace.analyst, 'GET', `${path}/${id}`);
    return caseDetailSchema.parse(body).activity.map(({ kind, text }) => `${kind} ${text}`);
  };

  test('tells the story once, in its order, also after somebody else went on', async () => {
    const one = await open('One');
    const body = { alert_status: 'acknowledged', tags: ['vip'], comment: 'Looking' };
    expect(await ask(one.id, body)).toMatchObject({ status: 200 });
    await change(one.id, { alert_status: 'open' });
    expect(await ask(one.id, body)).toMatchObject({ status: 200, body: { alert_status: 'open' } });
    expect(await story(one.id)).toEqual([
      ...['opened Opened by hand', 'status_changed Acknowledged', 'tagged Tags added: vip', 'commented Looking'],
      'status_changed Set back to open',
    ]);
    expect(await audited('case.update')).toBe(2);
  });

  test('is refused for another case or with other words', async () => {
    const [one, two] = [await open('One'), await open('Two')];
    await ask(one.id, { comment: 'Looking' });
    const refused = { status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } };
    expect(await ask(one.id, { comment: 'Still looking' })).toMatchObject(refused);
    expect(await ask(two.id, { comment: 'Looking' })).toMatchObject(refused);
    expect(await story(two.id)).toEqual(['opened Opened by hand']);
  });

  test('acts on one of two cases when both are asked for at the same moment', async () => {
    const cases = [await open('One'), await open('Two')];
    const answers = await Promise.all(cases.map(({ id }) => ask(id, { comment: 'Looking' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  test('comments on each of many cases once, and is refused by each with other words', async () => {
    const cases = [(await open('One')).id, (await open('Two')).id];
    const many = (comment: string) => bulk({ cases, change: { comment } }, key);
    expect(outcomes(await many('Known'))).toEqual(['CASE-1 changed', 'CASE-2 changed']);
    expect(outcomes(await many('Known'))).toEqual(['CASE-1 unchanged', 'CASE-2 unchanged']);
    const other = await many('Unknown');
    expect(other.results.map(({ outcome, message }) => `${outcome} ${message}`)).toEqual(
      Array.from({ length: 2 }, () => `refused ${errorCodes.IDEMPOTENCY_KEY_REUSED.message}`),
    );
    for (const id of cases) expect(await story(id)).toEqual(['opened Opened by hand', 'commented Known']);
  });

  const matchingOpen = { matching: { status: 'open' }, change: { alert_status: 'acknowledged' } } as const;

  test('goes on with the cases that matched the first time, or whoever had no answer would change those that came after', async () => {
    await open('One');
    await open('Two');
    expect(outcomes(await bulk(matchingOpen, key))).toEqual(['CASE-2 changed', 'CASE-1 changed']);
    const later = await open('Three');
    const again = await bulk(matchingOpen, key);
    expect(outcomes(again)).toEqual(['CASE-2 unchanged', 'CASE-1 unchanged']);
    expect(again.matched).toBe(2);
    expect((await workspace.getCase(later.id)).alert_status).toBe('open');
    expect(outcomes(await bulk(matchingOpen, { 'idempotency-key': 'k2' }))).toEqual(['CASE-3 changed']);
  });

  test('chooses once of what matches when it comes twice at the same moment', async () => {
    for (const name of ['One', 'Two', 'Three']) await open(name);
    const answers = await Promise.all([bulk(matchingOpen, key), bulk(matchingOpen, key)]);
    const cases = answers.map(({ matched, results }) => [matched, ...results.map(({ reference }) => reference)]);
    expect(cases).toEqual([
      [3, 'CASE-3', 'CASE-2', 'CASE-1'],
      [3, 'CASE-3', 'CASE-2', 'CASE-1'],
    ]);
    expect(await audited('case.update')).toBe(3);
  });

  test('is refused as a whole where something else is to match, and keeps nothing of what was refused before', async () => {
    const one = await open('One');
    const reader = await workspace.person('ReadOnly');
    const ask = (body: object) => fixture.call(workspace.analyst, 'POST', `${path}/bulk`, body, key);
    const giving = { ...matchingOpen, change: { assignee: reader.email } };
    expect(await ask(giving)).toMatchObject({ status: 400 });
    expect(outcomes(await bulk(matchingOpen, key))).toEqual(['CASE-1 changed']);
    const other = { ...matchingOpen, matching: { status: 'acknowledged' } };
    expect(await ask(other)).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect(await story(one.id)).toEqual(['opened Opened by hand', 'status_changed Acknowledged']);
  });

  test("is somebody else's own under the same key", async () => {
    await open('One');
    await bulk(matchingOpen, key);
    await open('Two');
    const colleague = await workspace.person('Analyst');
    const theirs = await fixture.call(colleague, 'POST', `${path}/bulk`, matchingOpen, key);
    expect(outcomes(caseBulkAnswerSchema.parse(theirs.body))).toEqual(['CASE-2 changed']);
  });
});

describe('a mention', () => {
  test('tells members of the tenant, nobody else, and not whoever wrote it', async () => {
    const colleague = await workspace.person('ReadOnly');
    const elsewhere = await fixture.createWorkspace({ connectors: false });
    const one = await open('One');
    const comment = `@${colleague.email} @${elsewhere.analyst.email} @${workspace.analyst.email} please look`;
    await change(one.id, { comment });
    // Either still on its way or delivered already: asked for together, as it moves from the one to the other in between.
    const { rows } = await fixture.db.system((tx) =>
      sql<{ told: string }>`
        select jsonb_array_elements_text(audience -> 'usernames') as told from notification_event
        where tenant_id = ${workspace.tenant} and kind = 'case_mentioned'
        union all
        select user_id::text from notification where tenant_id = ${workspace.tenant} and kind = 'case_mentioned'`.execute(
        tx,
      ),
    );
    const told = rows.map((row) => row.told);
    expect(told).toHaveLength(1);
    expect([colleague.email, colleague.id]).toContain(told[0]);
  });
});

describe('the export', () => {
  test('holds everything of the case, and is for members alone', async () => {
    const one = await open('One', { meta_data_fields: { user: 'root' } });
    await change(one.id, { comment: 'Seen.' });
    const { status, body } = await fixture.call(workspace.analyst, 'GET', `${path}/${one.id}/export`);
    expect(status).toBe(200);
    const document = caseExportSchema.parse(body);
    expect(document.case.reference).toBe('CASE-1');
    expect(document.activity.map(({ kind }) => kind)).toEqual(['opened', 'commented']);
    expect(document).toMatchObject({ activity_left_out: 0, events: [], events_left_out: 0 });
    const elsewhere = await fixture.createWorkspace({ connectors: false });
    const theirs = `/api/tenants/${elsewhere.tenant}/case/${one.id}/export`;
    expect(await fixture.call(elsewhere.analyst, 'GET', theirs)).toMatchObject({ status: 404 });
  });

  test('of a very long story holds more of it than the page, and says how much is missing', async () => {
    const one = await open('One');
    await fixture.db.tenant(workspace.tenant, (tx) =>
      sql`insert into case_activity (id, tenant_id, case_id, at, username, kind, text, data)
        select gen_random_uuid(), ${workspace.tenant}, ${one.id}, now() + n * interval '1 second', 'ana', 'commented', n::text, '{}'
        from generate_series(1, 10004) n`.execute(tx),
    );
    const read = async (what: string) =>
      (await fixture.call(workspace.analyst, 'GET', `${path}/${one.id}${what}`)).body as Record<string, unknown>;
    const document = caseExportSchema.parse(await read('/export'));
    expect(document.activity).toHaveLength(10_000);
    expect([document.activity[0]?.text, document.activity.at(-1)?.text]).toEqual(['5', '10004']);
    // Those and how it was opened.
    expect(document.activity_left_out).toBe(5);
    expect((await read('')).activity).toHaveLength(1_000);
  });

  test('of large events holds as many of the first as fit into a document, and says how many are missing', async () => {
    const one = await open('One');
    const count = 60;
    const event = (n: number) => ({
      ...{
        integration: 'linux',
        event_type: 'auth',
        severity: 'low',
        message: `line ${n}`,
        host: '',
        user: '',
        src_ip: '',
      },
      ...{ raw: 'x'.repeat(250_000), fields: {} },
    });
    await fixture.db.system(async (tx) => {
      for (let n = 0; n < count; n++) {
        await sql`insert into case_event (tenant_id, case_id, event_id, event_time, event)
          values (${workspace.tenant}, ${one.id}, gen_random_uuid(), now() + ${n} * interval '1 second', ${JSON.stringify(event(n))}::jsonb)`.execute(
          tx,
        );
      }
      await sql`update case_record set event_count = ${count} where id = ${one.id}`.execute(tx);
    });
    const { body } = await fixture.call(workspace.analyst, 'GET', `${path}/${one.id}/export`);
    const { events, events_left_out } = caseExportSchema.parse(body);
    expect(events.map(({ message }) => message)).toEqual(events.map((_, n) => `line ${n}`));
    expect(JSON.stringify(events).length).toBeLessThan(serverLimits.caseExportCharactersMax);
    expect(events.length).toBeGreaterThan(20);
    expect(events_left_out).toBe(count - events.length);
  });

  test('as a PDF is a file of the name people know it by, and is for members alone', async () => {
    const one = await open('Phone call');
    const pdf = (who: Workspace, query = '', of = who.tenant) =>
      fixture.server.inject({
        ...{ method: 'GET', url: `/api/tenants/${of}/case/${one.id}/pdf${query}`, headers: who.analyst.headers },
      });
    const answer = await pdf(workspace, '?locale=pt-BR&time_zone=America/Sao_Paulo');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringContaining('CASE-1.pdf'),
      'cache-control': 'private, no-store',
    });
    expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await pdf(workspace, '?time_zone=Nowhere/At_All')).statusCode).toBe(400);
    const elsewhere = await fixture.createWorkspace({ connectors: false });
    expect((await pdf(elsewhere)).statusCode).toBe(404);
    expect((await pdf(elsewhere, '', workspace.tenant)).statusCode).toBe(403);
  });
});
