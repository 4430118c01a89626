import {
  type CaseBulk,
  type CaseBulkAnswer,
  caseBulkAnswerSchema,
  caseDetailSchema,
  caseExportSchema,
} from '@airdeck/contracts/cases/schema';
import { errorCodes } from '@airdeck/contracts/error-codes';
import { limits } from '@airdeck/contracts/limits';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ActivityFixture, createActivityFixture, type Workspace } from '../activity/activity-fixture.ts';

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

async function open(alert_name: string, more: object = {}) {
  const { status, body } = await fixture.call(workspace.analyst, 'POST', path, { alert_name, ...more });
  expect(status).toBe(201);
  return caseDetailSchema.parse(body);
}

async function bulk(body: CaseBulk, headers = {}): Promise<CaseBulkAnswer> {
  const answer = await fixture.call(workspace.analyst, 'POST', `${path}/bulk`, body, headers);
  expect(answer).toMatchObject({ status: 200 });
  return caseBulkAnswerSchema.parse(answer.body);
}

const change = (id: string, body: object) => fixture.call(workspace.analyst, 'POST', `${path}/${id}`, body);
const outcomes = ({ results }: CaseBulkAnswer) =>
  results.map(({ reference, outcome, message }) => `${reference} ${outcome}${message === null ? '' : `: ${message}`}`);

async function audited(action: string): Promise<number> {
  const records = await fixture.db.system((tx) =>
    tx
      .selectFrom('audit_record')
      .select('action')
      .where('tenant_id', '=', workspace.tenant)
      .where('action', '=', action)
      .execute(),
  );
  return records.length;
}

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

describe('the same to many cases', () => {
  test('changes each for itself, says what was so already and what was refused', async () => {
    const [one, two, closed] = [await open('One'), await open('Two'), await open('Three')];
    await change(two.id, { alert_status: 'acknowledged' });
    await change(closed.id, { alert_status: 'closed', close_reason: 'benign' });
    const cases = [one.id, two.id, closed.id, NO_SUCH];
    const answer = await bulk({ cases, change: { alert_status: 'acknowledged' } });
    expect(outcomes(answer)).toEqual([
      'CASE-1 changed',
      'CASE-2 unchanged',
      'CASE-3 refused: A closed case can only be reopened.',
      'null refused: This case does not exist.',
    ]);
    expect(answer.results[0]?.before).toEqual({ alert_status: 'open', assignee: null, tags: [] });
    expect((await workspace.getCase(one.id)).alert_status).toBe('acknowledged');
  });

  test('keeps the reason of a case that is closed already, and says nothing about it there', async () => {
    const [one, two] = [await open('One'), await open('Two')];
    await change(two.id, { alert_status: 'closed', close_reason: 'true_positive' });
    const closing = { alert_status: 'closed', close_reason: 'duplicate', comment: 'All the same.' } as const;
    expect(outcomes(await bulk({ cases: [one.id, two.id], change: closing }))).toEqual([
      'CASE-1 changed',
      'CASE-2 unchanged',
    ]);
    const kept = await workspace.getCase(two.id);
    expect(kept.close_reason).toBe('true_positive');
    expect(kept.activity.some(({ kind }) => kind === 'commented')).toBe(false);
  });

  test('adds and takes away tags, and leaves the others', async () => {
    const one = await open('One', { tags: ['a', 'b'] });
    await bulk({ cases: [one.id, one.id], change: { add_tags: ['c', 'a'], remove_tags: ['b'] } });
    expect((await workspace.getCase(one.id)).tags).toEqual(['a', 'c']);
  });

  test('loses no tag of two who add theirs at once', async () => {
    const cases = await Promise.all(['One', 'Two', 'Three', 'Four'].map((name) => open(name)));
    const ids = cases.map(({ id }) => id);
    await Promise.all(['vip', 'phishing'].map((tag) => bulk({ cases: ids, change: { add_tags: [tag] } })));
    for (const id of ids) expect((await workspace.getCase(id)).tags.toSorted()).toEqual(['phishing', 'vip']);
  });

  test('refuses more tags than a case has', async () => {
    const tags = Array.from({ length: limits.caseTagsMax }, (_, number) => `tag ${number}`);
    const one = await open('One', { tags });
    const answer = await bulk({ cases: [one.id], change: { add_tags: ['one more'] } });
    expect(answer.results).toMatchObject([{ outcome: 'refused', message: expect.stringContaining('30 tags at most') }]);
    await bulk({ cases: [one.id], change: { add_tags: ['one more'], remove_tags: ['tag 0'] } });
    expect((await workspace.getCase(one.id)).tags).toHaveLength(limits.caseTagsMax);
  });

  test('chooses what the list shows, up to its bound', async () => {
    for (const name of ['vpn one', 'vpn two', 'mail']) await open(name);
    const assignee = workspace.analyst.email;
    const answer = await bulk({ matching: { q: 'vpn', status: 'open' }, change: { assignee } });
    expect(answer.matched).toBe(2);
    expect(outcomes(answer)).toEqual(['CASE-2 changed', 'CASE-1 changed']);
  });

  test('refuses those alone that are not as they were seen, and says which', async () => {
    const [one, two] = [await open('One'), await open('Two')];
    const colleague = await workspace.person('Analyst');
    await change(two.id, { assignee: colleague.email });
    const seen = [one, two].map(({ id }) => ({ id, alert_status: 'open' as const, assignee: null }));
    const cases = [one.id, two.id];
    const answer = await bulk({ cases, seen, change: { assignee: workspace.analyst.email } });
    expect(answer.results.map(({ outcome, conflict }) => [outcome, conflict])).toEqual([
      ['changed', false],
      ['refused', true],
    ]);
    expect(answer.results[1]?.message).toMatch(/changed in the meantime: assignment/);
    expect(answer.results[1]).toMatchObject({
      reason: 'CASE_CHANGED',
      values: { parts: [{ reason: 'CASE_PART_ASSIGNMENT' }] },
    });
    expect((await workspace.getCase(two.id)).assignee).toBe(colleague.email);
    // Somebody else's assignment is no reason to refuse an acknowledgement.
    const acknowledged = await bulk({ cases, seen, change: { alert_status: 'acknowledged' } });
    expect(acknowledged.results.map(({ outcome }) => outcome)).toEqual(['changed', 'changed']);
  });

  test('is taken back only where nobody has done anything since', async () => {
    const [one, two] = [await open('One'), await open('Two')];
    const done = await bulk({ cases: [one.id, two.id], change: { alert_status: 'acknowledged' } });
    expect(done.results[0]?.after).toEqual({ alert_status: 'acknowledged', assignee: null, tags: [] });
    await change(two.id, { alert_status: 'closed', close_reason: 'benign' });
    const seen = done.results.map(({ id, after }) => ({ id, alert_status: after?.alert_status }));
    const undone = await bulk({ cases: [one.id, two.id], seen, change: { alert_status: 'open' } });
    expect(undone.results.map(({ outcome, conflict }) => [outcome, conflict])).toEqual([
      ['changed', false],
      ['refused', true],
    ]);
    expect((await workspace.getCase(two.id)).alert_status).toBe('closed');
  });

  test('has one record per case that changed, and none for the others', async () => {
    const one = await open('One');
    await bulk({ cases: [one.id], change: { alert_status: 'acknowledged' } });
    await bulk({ cases: [one.id], change: { alert_status: 'acknowledged' } });
    expect(await audited('case.update')).toBe(1);
  });

  test('does not find the cases of another tenant', async () => {
    const elsewhere = await fixture.createWorkspace({ connectors: false });
    const { body } = await fixture.call(elsewhere.analyst, 'POST', `/api/tenants/${elsewhere.tenant}/case`, {
      alert_name: 'x',
    });
    const theirs = caseDetailSchema.parse(body);
    const answer = await bulk({ cases: [theirs.id], change: { alert_status: 'acknowledged' } });
    expect(outcomes(answer)).toEqual(['null refused: This case does not exist.']);
    expect((await elsewhere.getCase(theirs.id)).alert_status).toBe('open');
  });

  test('is done at most twice at once for a tenant', async () => {
    const cases = [(await open('One')).id];
    const tries = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        fixture.call(workspace.analyst, 'POST', `${path}/bulk`, { cases, change: { comment: `n ${index}` } }),
      ),
    );
    const statuses = tries.map(({ status }) => status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    // What was let in ended, so the next one is let in again.
    expect((await bulk({ cases, change: { comment: 'last' } })).results).toHaveLength(1);
  });

  test.each<[string, object]>([
    ['nothing', {}],
    ['no case', { cases: [], change: { alert_status: 'open' } }],
    ['too many', { cases: Array.from({ length: 201 }, () => NO_SUCH), change: { alert_status: 'open' } }],
    ['both ways of choosing', { cases: [NO_SUCH], matching: {}, change: { alert_status: 'open' } }],
    [
      'a time that is turned round',
      {
        matching: { start_time: '2026-03-02T00:00:00Z', end_time: '2026-03-01T00:00:00Z' },
        change: { alert_status: 'open' },
      },
    ],
    ['closing without a reason', { cases: [NO_SUCH], change: { alert_status: 'closed' } }],
    ['a change of nothing', { cases: [NO_SUCH], change: {} }],
    ['what was seen of cases nobody named', { matching: {}, seen: [{ id: NO_SUCH }], change: { assignee: null } }],
    ['a change and a playbook', { cases: [NO_SUCH], change: { assignee: null }, playbook: { playbook_id: NO_SUCH } }],
  ])('%s is refused', async (_name, body) => {
    expect(await fixture.call(workspace.analyst, 'POST', `${path}/bulk`, body)).toMatchObject({ status: 400 });
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

async function send(method: 'PATCH' | 'DELETE', url: string, payload?: object): Promise<number> {
  const { headers } = await workspace.person('Admin');
  const answer = await fixture.server.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
  return answer.statusCode;
}

describe('a playbook for many cases', () => {
  const inputs = { ip: '{{ group.src_ip }}', case_reference: '{{ case.reference }}' };
  const meta = { src_ip: '203.0.113.50' };

  async function opened(...names: string[]): Promise<string[]> {
    const cases: string[] = [];
    for (const name of names) cases.push((await open(name, { meta_data_fields: meta })).id);
    return cases;
  }

  /** By the analyst, just now. */
  async function startedBefore(used: number): Promise<void> {
    // However long it takes here, it is all of one minute.
    const ends_at = new Date(Date.now() + 3_600_000);
    const pace = { tenant_id: workspace.tenant, user_id: workspace.analyst.id, used, ends_at };
    await fixture.db.system((tx) =>
      tx
        .insertInto('start_pace')
        .values(pace)
        .onConflict((row) => row.columns(['tenant_id', 'user_id']).doUpdateSet({ used, ends_at }))
        .execute(),
    );
  }

  const switchAutomation = async (enabled: boolean) =>
    expect(await send('PATCH', `/api/tenants/${workspace.tenant}/settings`, { automation: { enabled } })).toBe(200);

  test("runs once per case with that case's values, as one of its responses", async () => {
    const playbook_id = await workspace.addPlaybook();
    const [one, two] = [await open('One', { meta_data_fields: meta }), await open('Two')];
    const answer = await bulk({ cases: [one.id, two.id], playbook: { playbook_id, inputs } });
    const [first, second] = answer.results;
    expect(first).toMatchObject({ outcome: 'changed' });
    expect(second).toMatchObject({ outcome: 'refused', run_id: null });
    const run = await workspace.getRun(first?.run_id ?? '');
    expect(run.playbook.inputs).toEqual({ ip: '203.0.113.50', case_reference: 'CASE-1' });
    expect(run.summary.trigger_info).toMatchObject({
      trigger_type: 'manual',
      ...{ case_id: one.id, case_reference: 'CASE-1' },
      username: workspace.analyst.email,
    });
    const list = await fixture.call(
      workspace.analyst,
      'GET',
      `/api/tenants/${workspace.tenant}/soar/playbook_activity`,
    );
    expect(list.body).toMatchObject([{ summary: { trigger_info: { case_reference: 'CASE-1' } } }]);
    const story = await workspace.caseReaches(one.id, 'waiting');
    expect(story.alert_responses).toMatchObject([{ workflow_instance_id: first?.run_id }]);
    expect((await workspace.getCase(two.id)).alert_responses).toEqual([]);
  });

  test('asked for twice with one key runs once', async () => {
    const playbook_id = await workspace.addPlaybook();
    const one = await open('One', { meta_data_fields: meta });
    const ask = () => bulk({ cases: [one.id], playbook: { playbook_id, inputs } }, { 'idempotency-key': 'k1' });
    const [first, again] = [await ask(), await ask()];
    expect(again.results[0]?.run_id).toBe(first.results[0]?.run_id);
  });

  test('starts no more than one person may in a minute, and counts nothing again that its key has started', async () => {
    const playbook = { playbook_id: await workspace.addPlaybook(), inputs };
    const cases = await opened('One', 'Two');
    const one = cases.slice(0, 1);
    const key = { 'idempotency-key': 'k1' };
    const ask = () => fixture.call(workspace.analyst, 'POST', `${path}/bulk`, { cases, playbook }, key);
    const tooMany = { status: 429, body: { code: 'RATE_LIMITED' } };

    await startedBefore(serverLimits.runStartsPerMinute - 1);
    expect(await ask()).toMatchObject(tooMany);
    for (const id of cases) expect((await workspace.getCase(id)).alert_responses).toEqual([]);

    await startedBefore(serverLimits.runStartsPerMinute - 1);
    const [first] = (await bulk({ cases: one, playbook }, key)).results;
    expect(first).toMatchObject({ outcome: 'changed', run_id: expect.any(String) });
    expect((await bulk({ cases: one, playbook }, key)).results[0]?.run_id).toBe(first?.run_id);
    expect(await ask()).toMatchObject(tooMany);

    await startedBefore(serverLimits.runStartsPerMinute - 1);
    const { results } = await bulk({ cases, playbook }, key);
    expect(results).toMatchObject([{ run_id: first?.run_id }, { outcome: 'changed', run_id: expect.any(String) }]);
  });

  test('that its key has started is told of, whatever would be refused by now; the other cases say why they are', async () => {
    const playbook_id = await workspace.addPlaybook();
    const playbook = { playbook_id, inputs };
    const cases = await opened('One', 'Two');
    const key = { 'idempotency-key': 'k1' };
    const [first] = (await bulk({ cases: cases.slice(0, 1), playbook }, key)).results;
    const refused = (message: string) => ({ outcome: 'refused', run_id: null, conflict: false, message });

    await switchAutomation(false);
    expect((await bulk({ cases, playbook }, key)).results).toMatchObject([
      { outcome: 'changed', run_id: first?.run_id },
      refused('Automation is switched off for this tenant, so playbooks do not run.'),
    ]);
    const anew = await fixture.call(workspace.analyst, 'POST', `${path}/bulk`, { cases, playbook });
    expect(anew).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });

    await switchAutomation(true);
    expect(await send('DELETE', `${workspace.soar}/playbooks/${playbook_id}`)).toBe(204);
    const [again, gone] = (await bulk({ cases, playbook }, key)).results;
    expect(again).toMatchObject({ outcome: 'changed', run_id: first?.run_id });
    expect(gone).toMatchObject({ outcome: 'refused', run_id: null });
  });

  test('that does not exist is refused as a whole', async () => {
    const one = await open('One');
    const body = { cases: [one.id], playbook: { playbook_id: NO_SUCH, inputs: {} } };
    expect(await fixture.call(workspace.analyst, 'POST', `${path}/bulk`, body)).toMatchObject({ status: 404 });
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
