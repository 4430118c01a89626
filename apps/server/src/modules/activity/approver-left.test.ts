import { notificationListSchema } from '@airdeck/contracts/notifications/schema';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Actor } from '../../http/test-server.ts';
import type { Happening } from '../notifications/notifications-port.ts';
import { callConfirmed, usersOf } from '../users/users-fixture.ts';
import { createApproverLeft } from './approver-left.ts';
import { createRunsFixture, node, type RunsFixture, type RunsWorkspace } from './runs-fixture.ts';

const WAIT = { timeout: 30_000 };

let fixture: RunsFixture;
let workspace: RunsWorkspace;
let bo: Actor;

beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  fixture.vendor.reset();
  workspace = await fixture.workspace();
  bo = await workspace.person('Analyst');
});

async function asks(approvers: object, started: object = {}, where = workspace): Promise<string> {
  const id = await where.add([node.ask('ask', { approvers })]);
  const runId = await where.start(id, started);
  await where.reaches(runId, 'waiting');
  return runId;
}

const linkOf = async (runId: string) => `/activity/playbooks/${runId}?prompt=${(await workspace.prompt(runId)).id}`;

async function told(who: Actor): Promise<unknown[]> {
  const { body } = await fixture.call(who, 'GET', `${workspace.path}/notifications`);
  const { notifications } = notificationListSchema.parse(body);
  return notifications.filter(({ kind }) => kind === 'prompt_waiting').map(({ title, link }) => [title, link]);
}

test.each<[string, (admin: Actor, leaver: Actor) => Promise<{ status: number }>]>([
  [
    'is disabled',
    (admin, { email }) =>
      callConfirmed(fixture.server, admin, usersOf(workspace.tenant).update({ username: email, status: 'disabled' })),
  ],
  ['is removed', (admin, { email }) => callConfirmed(fixture.server, admin, usersOf(workspace.tenant).remove(email))],
  [
    'may only read',
    (admin, { email }) => callConfirmed(fixture.server, admin, usersOf(workspace.tenant).setRole(email, 'ReadOnly')),
  ],
  [
    'deletes their account',
    (_admin, leaver) =>
      callConfirmed(fixture.server, leaver, {
        ...{ method: 'DELETE', url: '/me', headers: { 'x-air-confirm-passphrase': leaver.email } },
      }),
  ],
])('Admins hear of a question that waits when the only person asked %s', async (_name, leave) => {
  const runId = await asks({ usernames: [bo.email] });
  await vi.waitFor(async () => expect(await told(bo)).toHaveLength(1), WAIT);
  const link = await linkOf(runId);
  expect((await leave(workspace.admin, bo)).status).toBeLessThan(300);
  await vi.waitFor(
    async () => expect(await told(workspace.admin)).toEqual([['Tidy up waits for an answer', link]]),
    WAIT,
  );
});

test('only open questions are told again that ask the person by name and no role, in the tenants they left', async () => {
  const other = await fixture.workspace();
  const named = await asks({ usernames: [bo.email, workspace.analyst.email] });
  await asks({ usernames: [workspace.analyst.email] });
  await asks({ usernames: [bo.email], role: 'Analyst' });
  await asks({ role: 'Analyst' });
  await asks({ usernames: [bo.email] }, { dry_run: true });
  await asks({ usernames: [bo.email] }, {}, other);
  const over = await asks({ usernames: [bo.email] });
  await workspace.answer(over, bo, 'keep');
  await workspace.reaches(over, 'success');

  const happenings: Happening[] = [];
  const approverLeft = createApproverLeft({
    notices: { tell: async (_tx, happening) => void happenings.push(happening) },
  });
  await fixture.db.system((tx) => approverLeft(tx, bo.email, [workspace.tenant]));
  const { id: promptId } = await workspace.prompt(named);
  expect(happenings).toEqual([
    {
      ...{ kind: 'prompt_waiting', tenant: workspace.tenant, runId: named, runName: 'Tidy up', promptId },
      ...{
        message: 'Delete it?',
        options: expect.arrayContaining([{ value: 'keep', label: 'Keep' }]),
        expiresAt: null,
        isAskedBefore: true,
      },
      approvers: { usernames: [bo.email, workspace.analyst.email] },
    },
  ]);
});
