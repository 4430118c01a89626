/** Attack case E9: automation whose own effect starts it again, through something outside the product. */
import { notificationListSchema } from '@airdeck/contracts/notifications/schema';
import { outcomeTexts } from '@airdeck/contracts/outcome-texts';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createRunsFixture, node, type RunsFixture, type RunsWorkspace } from '../activity/runs-fixture.ts';

const MOST = 5;
const WAIT = { timeout: 30_000, interval: 50 };

let fixture: RunsFixture;
let workspace: RunsWorkspace;

beforeAll(async () => {
  fixture = await createRunsFixture({ env: { AUTOMATION_ANSWERS_MAX: String(MOST) } });
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  fixture.vendor.reset();
  workspace = await fixture.workspace();
});

const outcomes = async (name?: string) => (await workspace.history(name)).map(({ outcome }) => outcome).toSorted();
const times = (count: number, outcome: string) => Array.from({ length: count }, () => outcome);

/** As people find them, among the notices of the cases. */
async function notices() {
  const { body } = await fixture.call(workspace.analyst, 'GET', `${workspace.path}/notifications?limit=100`);
  return notificationListSchema.parse(body).notifications.filter(({ kind }) => kind === 'automation_stopped');
}

const stops = async () => (await workspace.audit()).filter(({ action }) => action === 'automation.stop');

/** What was answered until now happened so much earlier. */
const pass = (minutes: number) =>
  fixture.db.tenant(workspace.tenant, (tx) =>
    sql`update rule_response_outcome set at = at - make_interval(mins => ${minutes})`.execute(tx),
  );

/** Calls the vendor, naming the address it was started for. */
const reporting = () =>
  workspace.add([node.send('report', '/report/{{ inputs.ip }}')], {
    inputs: { type: 'object', required: ['ip'], properties: { ip: { type: 'string' } } },
  });
const ofGroup = { inputs: { ip: '{{ group.src_ip }}' } };

test('the sentence tells how long the window is', () => {
  expect(outcomeTexts.AUTOMATION_LOOP).toContain(`within ${serverLimits.automationWindowS / 60} minutes`);
});

test('a playbook whose call leads to the next case is stopped; people are told once, and it may start again later', async () => {
  const { policyId, guess } = await workspace.answerGuesses(await reporting(), ofGroup);
  // Whatever it reports, the vendor answers with guesses from the next address: a case that starts the playbook again.
  let cases = 1;
  fixture.vendor.onCall(() => void guess(`198.51.100.${++cases}`));
  await guess('198.51.100.1');
  await vi.waitFor(async () => expect(await outcomes()).toContain('stopped'), WAIT);

  expect(await outcomes()).toEqual([...times(MOST, 'started'), 'stopped']);
  expect(fixture.vendor.calls).toEqual(Array.from({ length: MOST }, (_, n) => `POST /report/198.51.100.${n + 1}`));
  const [stopped] = await workspace.history();
  expect(stopped).toMatchObject({ outcome: 'stopped', run_id: null, problem: expect.stringContaining('loop stopped') });
  const found = await fixture.call(workspace.analyst, 'GET', `${workspace.path}/case/${stopped?.case_id}`);
  const story = (found.body.activity as { text: string }[]).map(({ text }) => text);
  expect(story).toContainEqual(expect.stringContaining('Answer could not start: automation loop stopped'));

  const [told] = await vi.waitFor(async () => {
    const some = await notices();
    expect(some).toHaveLength(1);
    return some;
  }, WAIT);
  expect(told).toMatchObject({
    title: 'SSH password guessing: automation loop stopped',
    link: `/air/automation-settings/${policyId}/Answer`,
  });
  const [record, ...others] = await stops();
  expect(others).toEqual([]);
  expect(record).toMatchObject({
    actor_name: 'Automation',
    target_kind: 'policy',
    target_id: policyId,
    data: { response_name: 'Answer', answers: MOST },
  });

  fixture.vendor.reset();
  await Promise.all(Array.from({ length: 8 }, (_, n) => guess(`192.0.2.${n + 1}`)));
  expect(await outcomes()).toEqual([...times(MOST, 'started'), ...times(9, 'stopped')]);

  // The stop of before is over, and the next one within the hour is the same affair.
  await pass(11);
  for (let n = 1; n <= MOST + 1; n++) await guess(`203.0.113.${n}`);
  expect(await outcomes()).toEqual([...times(MOST * 2, 'started'), ...times(10, 'stopped')]);
  expect(await stops()).toHaveLength(1);

  // Much later it is news again, and told once, however many come at the same moment.
  await pass(61);
  for (let n = 1; n <= MOST; n++) await guess(`203.0.113.${100 + n}`);
  await Promise.all(Array.from({ length: 8 }, (_, n) => guess(`203.0.113.${200 + n}`)));
  expect(await outcomes()).toEqual([...times(MOST * 3, 'started'), ...times(18, 'stopped')]);
  expect(await stops()).toHaveLength(2);
  await vi.waitFor(async () => expect(await notices()).toHaveLength(2), WAIT);
}, 120_000);

test('several automations of a policy are one answer to a case, and one stop', async () => {
  const names = ['Answer', 'Second', 'Third'];
  const { guess } = await workspace.answerGuesses(await reporting(), { ...ofGroup, names });
  for (let n = 1; n <= MOST + 2; n++) await guess(`198.51.100.${n}`);
  for (const name of names) {
    expect(await outcomes(name)).toEqual([...times(MOST, 'started'), ...times(2, 'stopped')]);
  }
  expect(await stops()).toHaveLength(1);
}, 60_000);

test('what only comes often is not stopped: over a longer time, of another policy, in another tenant', async () => {
  const playbook = await reporting();
  const first = await workspace.answerGuesses(playbook, ofGroup);
  for (let n = 1; n <= MOST; n++) await first.guess(`198.51.100.${n}`);
  await pass(11);
  for (let n = 1; n <= MOST; n++) await first.guess(`198.51.100.${100 + n}`);
  const answered = async (of: string) => (await workspace.history('Answer', of)).map(({ outcome }) => outcome);
  expect(await answered(first.policyId)).toEqual(times(MOST * 2, 'started'));

  // One more would be too many for the first policy, and only for it.
  const second = await workspace.answerGuesses(playbook, ofGroup);
  await second.guess('192.0.2.1');
  expect(await answered(second.policyId)).toEqual(['started']);
  expect(await stops()).toEqual(await stopsOf(first.policyId));

  workspace = await fixture.workspace();
  const elsewhere = await workspace.answerGuesses(await reporting(), ofGroup);
  await elsewhere.guess('198.51.100.1');
  expect(await answered(elsewhere.policyId)).toEqual(['started']);
}, 60_000);

const stopsOf = async (policyId: string) => (await stops()).filter(({ target_id: id }) => id === policyId);

test('an automation that is asked and not started for a reason of its own is not counted', async () => {
  // Its inputs never fit, so nothing can come of it.
  const { guess } = await workspace.answerGuesses(await reporting());
  for (let n = 1; n <= MOST + 2; n++) await guess(`198.51.100.${n}`);
  expect(await outcomes()).toEqual(times(MOST + 2, 'failed'));
  expect(await stops()).toEqual([]);
}, 60_000);
