import { caseDetailSchema } from '@airdeck/contracts/cases/schema';
import { limits } from '@airdeck/contracts/limits';
import { serverLimits } from '@airdeck/contracts/server-limits';
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

async function send(method: 'PATCH' | 'DELETE', url: string, payload?: object): Promise<number> {
  const { headers } = await workspace.person('Admin');
  const answer = await fixture.server.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
  return answer.statusCode;
}

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
    expect(answer.results[0]?.before).toEqual({
      ...{ alert_status: 'open', assignee: null, tags: [] },
      ...{ time_acknowledged: null, waiting_since: null },
    });
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
    expect(done.results[0]?.after).toEqual({
      ...{ alert_status: 'acknowledged', assignee: null, tags: [] },
      ...{ time_acknowledged: expect.any(String), waiting_since: null },
    });
    await change(two.id, { alert_status: 'closed', close_reason: 'benign' });
    const seen = done.results.map(({ id, after }) => ({ id, alert_status: after?.alert_status }));
    const undone = await bulk({ cases: [one.id, two.id], seen, change: { alert_status: 'open' } });
    expect(undone.results.map(({ outcome, conflict }) => [outcome, conflict])).toEqual([
      ['changed', false],
      ['refused', true],
    ]);
    expect((await workspace.getCase(two.id)).alert_status).toBe('closed');
  });

  test('is taken back with the response it was, and with the wait it ended', async () => {
    const [one, two] = [await open('One'), await open('Two')];
    await change(two.id, { waiting_on_customer: true });
    const cases = [one.id, two.id];
    const done = await bulk({ cases, change: { alert_status: 'closed', close_reason: 'benign' } });
    expect(done.results.map(({ before, after }) => [before?.waiting_since, after?.waiting_since])).toEqual([
      [null, null],
      [expect.any(String), null],
    ]);
    const seen = done.results.map(({ id, after }) => ({
      ...{ id, alert_status: after?.alert_status },
      time_acknowledged: after?.time_acknowledged ?? undefined,
    }));
    const back = { alert_status: 'open', unacknowledge: true } as const;
    const undo = async (more: object, of: string) =>
      outcomes(await bulk({ cases: [of], seen: seen.filter(({ id }) => id === of), change: { ...back, ...more } }));
    expect(await undo({}, one.id)).toEqual(['CASE-1 changed']);
    expect(await undo({ waiting_on_customer: true }, two.id)).toEqual(['CASE-2 changed']);
    // Once more, it is so already.
    expect(await undo({ waiting_on_customer: true }, two.id)).toEqual(['CASE-2 unchanged']);
    const [first, second] = [await workspace.getCase(one.id), await workspace.getCase(two.id)];
    for (const now of [first, second]) {
      expect(now).toMatchObject({ alert_status: 'open', time_acknowledged: null, acknowledged_by_username: null });
    }
    expect([first.sla.waiting_since, second.sla.waiting_since]).toEqual([null, expect.any(String)]);
  });

  test('leaves a response that is not the one that is taken back', async () => {
    const one = await open('One');
    await change(one.id, { alert_status: 'acknowledged' });
    const seen = [{ id: one.id, alert_status: 'acknowledged' as const, time_acknowledged: '2026-01-01T00:00:00.000Z' }];
    const answer = await bulk({ cases: [one.id], seen, change: { alert_status: 'open', unacknowledge: true } });
    expect(answer.results).toMatchObject([{ outcome: 'refused', conflict: true, reason: 'CASE_CHANGED' }]);
    expect((await workspace.getCase(one.id)).acknowledged_by_username).toBe(workspace.analyst.email);
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
    [
      'taking back a response of what is not opened',
      { cases: [NO_SUCH], change: { alert_status: 'acknowledged', unacknowledge: true } },
    ],
    ['a change of nothing', { cases: [NO_SUCH], change: {} }],
    ['what was seen of cases nobody named', { matching: {}, seen: [{ id: NO_SUCH }], change: { assignee: null } }],
    ['a change and a playbook', { cases: [NO_SUCH], change: { assignee: null }, playbook: { playbook_id: NO_SUCH } }],
  ])('%s is refused', async (_name, body) => {
    expect(await fixture.call(workspace.analyst, 'POST', `${path}/bulk`, body)).toMatchObject({ status: 400 });
  });
});

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

  test('is refused at once where its inputs are more expressions than one call may have compiled', async () => {
    const playbook_id = await workspace.addPlaybook();
    const [one] = await opened('One');
    const sums = Array.from({ length: 100 }, (_, n) => `{{ ${n} == ${'1 + '.repeat(200)}1 }}`);
    const body = { cases: [one], playbook: { playbook_id, inputs: { ...inputs, sums } } };
    expect(await fixture.call(workspace.analyst, 'POST', `${path}/bulk`, body)).toMatchObject({
      status: 400,
      body: { reason: 'CASE_INPUTS_NOT_FILLED' },
    });
  });

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
