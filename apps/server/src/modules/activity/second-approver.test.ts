import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Actor } from '../../http/test-server.ts';
import { createRunsFixture, node, type RunsFixture, type RunsWorkspace, stepOf } from './runs-fixture.ts';

let fixture: RunsFixture;
let workspace: RunsWorkspace;
let ana: Actor;
let bo: Actor;

beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  fixture.vendor.reset();
  workspace = await fixture.workspace();
  [ana, bo] = [workspace.analyst, await workspace.person('Analyst')];
});

/** A run that waits for its answer; with one of `delete` it destroys. */
async function asks(more: object = {}): Promise<string> {
  const id = await workspace.add([
    node.ask('ask', more),
    node.destroy('wipe', '/wipe', { depends_on: ['ask'], when: "actions.ask.output.option == 'delete'" }),
  ]);
  const runId = await workspace.start(id);
  await workspace.reaches(runId, 'waiting');
  return runId;
}

const answersOf = async () =>
  (await workspace.audit())
    .filter(({ action }) => action.startsWith('prompt.'))
    .map((one) => [one.action, one.outcome, one.actor_name]);

describe('where two people approve what destroys', () => {
  beforeEach(() => workspace.setTwoPeople(true));

  test('the first answer has no effect until another person gives the same', async () => {
    const runId = await asks();
    const first = await workspace.answer(runId, ana, 'delete', { comment: 'It is old.' });
    expect(first).toMatchObject({ status: 200, body: { answered: null, can_answer: true } });
    expect(first.body.second_approval).toMatchObject({
      required: true,
      first: { option: 'delete', username: ana.email },
    });
    // Saying it again is saying it once.
    expect(await workspace.answer(runId, ana, 'delete')).toMatchObject({ status: 200, body: { answered: null } });
    expect((await workspace.get(runId)).summary.status).toBe('waiting');
    expect(fixture.vendor.calls).toEqual([]);

    const second = await workspace.answer(runId, bo, 'delete');
    expect(second).toMatchObject({ status: 200, body: { answered: { option: 'delete', username: bo.email } } });
    await workspace.reaches(runId, 'success');
    expect(fixture.vendor.calls).toEqual(['DELETE /wipe']);
    expect((await workspace.prompt(runId)).second_approval).toMatchObject({ first: { username: ana.email } });
    expect(await answersOf()).toEqual([
      ['prompt.approve', 'ok', ana.email],
      ['prompt.answer', 'ok', bo.email],
    ]);
  });

  test("a key of the first person is not a second one, and neither is the first person's other session", async () => {
    const runId = await asks();
    await workspace.answer(runId, ana, 'delete');
    const key = await fixture.server.createApiKey(ana, { tenant: workspace.tenant, role: 'Analyst' });
    const again = await workspace.answer(runId, { ...ana, headers: { authorization: `Bearer ${key}` } }, 'delete');
    expect(again).toMatchObject({ status: 200, body: { answered: null } });
    expect(fixture.vendor.calls).toEqual([]);
  });

  test('another option is refused with what the first chose; the first may choose anew', async () => {
    const runId = await asks();
    await workspace.answer(runId, ana, 'delete');
    const other = await workspace.answer(runId, bo, 'archive');
    expect(other).toMatchObject({ status: 409, body: { code: 'PROMPT_OTHER_OPTION' } });
    expect(other.body.message).toBe(`${ana.email} has chosen "Delete". A second person can only confirm that.`);
    expect(await workspace.answer(runId, ana, 'archive')).toMatchObject({ status: 200, body: { answered: null } });
    expect(await workspace.answer(runId, bo, 'archive')).toMatchObject({
      status: 200,
      body: { answered: { option: 'archive' } },
    });
    await workspace.reaches(runId, 'success');
    expect(fixture.vendor.calls).toEqual([]);
  });

  test('the option that is taken anyway needs one person, also against the first', async () => {
    const runId = await asks({ default_option: 'keep' });
    await workspace.answer(runId, ana, 'delete');
    expect(await workspace.answer(runId, bo, 'keep')).toMatchObject({
      status: 200,
      body: { answered: { option: 'keep', username: bo.email } },
    });
    await workspace.reaches(runId, 'success');
    expect(fixture.vendor.calls).toEqual([]);
  });

  test('of fifty answers at once by two people exactly one has an effect', async () => {
    const runId = await asks();
    const everybody = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? ana : bo));
    const answers = await Promise.all(everybody.map((who) => workspace.answer(runId, who, 'delete')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    await workspace.reaches(runId, 'success');
    expect(fixture.vendor.calls).toEqual(['DELETE /wipe']);
    expect((await answersOf()).map(([action]) => action)).toEqual(['prompt.approve', 'prompt.answer']);
    const [first, second] = await answersOf();
    expect(first?.[2]).not.toBe(second?.[2]);
  }, 60_000);

  test('of fifty answers at once by one person none has an effect', async () => {
    const runId = await asks();
    const answers = await Promise.all(Array.from({ length: 50 }, () => workspace.answer(runId, ana, 'delete')));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect((await workspace.get(runId)).summary.status).toBe('waiting');
    expect((await answersOf()).map(([action]) => action)).toEqual(['prompt.approve']);
  }, 60_000);

  test('what the first chose counts for nothing once they lost the right to', async () => {
    const runId = await asks();
    const leaving = await workspace.person('Analyst');
    await workspace.answer(runId, leaving, 'delete');
    await fixture.db.system((tx) =>
      tx.updateTable('app_user').set({ status: 'disabled' }).where('id', '=', leaving.id).execute(),
    );
    expect(await workspace.answer(runId, bo, 'archive')).toMatchObject({
      status: 200,
      body: { answered: null, second_approval: { first: { option: 'archive', username: bo.email } } },
    });
  });

  test('somebody named who only reads by now is no approver any more', async () => {
    const leaving = await workspace.person('Analyst');
    const runId = await asks({ approvers: { usernames: [leaving.email, bo.email] } });
    await workspace.answer(runId, leaving, 'delete');
    await fixture.db.system((tx) =>
      tx.updateTable('membership').set({ role: 'ReadOnly' }).where('user_id', '=', leaving.id).execute(),
    );
    expect(await workspace.answer(runId, bo, 'delete')).toMatchObject({
      status: 200,
      body: { answered: null, second_approval: { first: { option: 'delete', username: bo.email } } },
    });
  });

  test('nobody who is no approver is the first or the second', async () => {
    const runId = await asks({ approvers: { usernames: [ana.email] } });
    expect(await workspace.answer(runId, bo, 'delete')).toMatchObject({ status: 403 });
    await workspace.answer(runId, ana, 'delete');
    expect(await workspace.answer(runId, bo, 'delete')).toMatchObject({
      status: 403,
      body: { code: 'PROMPT_NOT_APPROVER' },
    });
    expect(await answersOf()).toEqual([
      ['prompt.answer', 'refused', bo.email],
      ['prompt.approve', 'ok', ana.email],
      ['prompt.answer', 'refused', bo.email],
    ]);
  });

  test('an option that is none, and a question that is over, are refused to the first as well', async () => {
    const runId = await asks();
    expect(await workspace.answer(runId, ana, 'explode')).toMatchObject({
      status: 400,
      body: { code: 'PROMPT_OPTION_UNKNOWN' },
    });
    await fixture.call(ana, 'POST', `${workspace.runs}/${runId}/cancel`);
    await workspace.reaches(runId, 'cancelled');
    expect(await workspace.answer(runId, ana, 'delete')).toMatchObject({
      status: 409,
      body: { code: 'PROMPT_CLOSED' },
    });
  });

  test('the time ends during the first approval: the default is taken, and nothing is destroyed', async () => {
    const runId = await asks({ default_option: 'keep', expires_in_s: 6 });
    await workspace.answer(runId, ana, 'delete');
    await workspace.reaches(runId, 'success');
    expect(await workspace.answer(runId, bo, 'delete')).toMatchObject({ status: 409 });
    expect((await workspace.prompt(runId)).answered).toMatchObject({ option: 'keep', username: 'system' });
    expect(fixture.vendor.calls).toEqual([]);
  });

  test('a question that leads to nothing that destroys takes one person', async () => {
    const id = await workspace.add([
      node.ask('ask'),
      node.send('tell', '/tell', { depends_on: ['ask'] }),
      node.destroy('apart', '/apart', { when: 'false' }),
    ]);
    const runId = await workspace.start(id);
    await workspace.reaches(runId, 'waiting');
    expect(await workspace.answer(runId, ana, 'delete')).toMatchObject({
      status: 200,
      body: { answered: { option: 'delete' } },
    });
  });

  test('what destroys counts wherever it comes: in a playbook that is started, and in the one that waits', async () => {
    const wipes = await workspace.add([node.destroy('wipe', '/wipe')]);
    const harmless = await workspace.add([node.send('tell', '/tell')]);
    const starts = async (child: string) => {
      const runId = await workspace.start(
        await workspace.add([node.ask('ask'), node.play('next', child, { depends_on: ['ask'] })]),
      );
      await workspace.reaches(runId, 'waiting');
      return (await workspace.prompt(runId)).second_approval.required;
    };
    expect(await starts(wipes)).toBe(true);
    expect(await starts(harmless)).toBe(false);
    const asking = await workspace.add([node.ask('ask')]);
    const above = await workspace.start(
      await workspace.add([node.play('first', asking), node.destroy('wipe', '/wipe', { depends_on: ['first'] })]),
    );
    const child = await vi.waitFor(
      async () => {
        const id = stepOf(await workspace.get(above), 'first').child_run_id;
        if (id === null) throw new Error('Not started yet.');
        return id;
      },
      { timeout: 30_000 },
    );
    await workspace.reaches(child, 'waiting');
    expect((await workspace.prompt(child)).second_approval.required).toBe(true);
  });

  test('switched off it takes one person again, also for what waits', async () => {
    const runId = await asks();
    expect((await workspace.prompt(runId)).second_approval.required).toBe(true);
    await workspace.setTwoPeople(false);
    expect(await workspace.answer(runId, ana, 'delete')).toMatchObject({
      status: 200,
      body: { answered: { option: 'delete' }, second_approval: { required: false, first: null } },
    });
  });
});

test('is off by default, and changed by Admins only', async () => {
  const runId = await asks();
  expect((await workspace.prompt(runId)).second_approval).toEqual({ required: false, first: null });
  const refused = await fixture.call(ana, 'PATCH', `${workspace.path}/settings`, { approvals: { two_people: true } });
  expect(refused).toMatchObject({ status: 403, body: { code: 'ROLE_TOO_LOW' } });
});

test("a kept choice of one tenant is nobody else's", async () => {
  await workspace.setTwoPeople(true);
  await workspace.answer(await asks(), ana, 'delete');
  const other = await fixture.workspace();
  const seen = await fixture.db.tenant(other.tenant, (tx) => tx.selectFrom('prompt_approval').selectAll().execute());
  expect(seen).toEqual([]);
});
