/**
 * Tells Clerk what happened here: invitations, the ids of our users, accounts that were deleted.
 *
 * A task is due → claimed for `LEASE_MS`, so that any number of processes share the work → done and gone, due again after
 * what Clerk asked for or a growing pause, or given up when Clerk refuses it for good or it is a day old. What has to be
 * told about users and withdrawn invitations is found by comparing, not by remembering, so nothing that ended between two
 * steps is lost. A process that dies between a call and its note repeats the call: all of them may be repeated, at worst
 * an invitation is mailed twice.
 */
import { limits } from '@airdeck/contracts/limits';
import type { Database } from '../../storage/database.ts';
import { createWorkerLoop, doubledPauseMs, untilDueMs } from '../../worker-loop.ts';
import { type ClerkClient, ClerkFailure } from './clerk-client.ts';
import { INVITATION_KEY } from './clerk-profile.ts';
import {
  addMissingLinks,
  addMissingRevocations,
  CLERK_CHANNEL,
  type ClerkTask,
  claimTasks,
  deleteClerkInvitation,
  findPendingInvitation,
  finishTask,
  insertClerkInvitation,
  listClerkInvitations,
  nextTaskAt,
  postponeTask,
  putLinked,
} from './clerk-repository.ts';

const AT_ONCE = 5;
const LEASE_MS = 2 * 60_000;
const PAUSES = { firstMs: 1_000, longestMs: 3_600_000 };
const GIVEN_UP_AFTER_MS = 24 * 3_600_000;
/** People wait up to half a minute for their id to arrive at Clerk. */
const LOOK_AT_LEAST_EVERY_MS = 5_000;

export type ClerkSync = {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Does what is due now; how many tasks were tried. */
  runDue(): Promise<number>;
};

export type ClerkSyncDependencies = {
  db: Pick<Database, 'system' | 'listen' | 'afterCommit'>;
  client: Omit<ClerkClient, 'findUser'>;
  issuer: string;
  /** Scheme and host under which people reach this installation. */
  ownAddress: () => string;
  now: () => Date;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
};

export function createClerkSync(deps: ClerkSyncDependencies): ClerkSync {
  const { db, log } = deps;
  const ends: (() => unknown)[] = [];

  async function runDue(): Promise<number> {
    const tasks = await claim(deps);
    await Promise.all(tasks.map((task) => runTask(deps, task)));
    return tasks.length;
  }

  const loop = createWorkerLoop({
    round: async () => (await runDue()) > 0,
    restMs: async () => untilDueMs(await db.system(nextTaskAt), { now: deps.now(), atMostMs: LOOK_AT_LEAST_EVERY_MS }),
    afterFailureMs: LOOK_AT_LEAST_EVERY_MS,
    log,
    failed: 'Clerk is told later',
  });

  return {
    runDue,
    async start() {
      ends.push(await db.listen(CLERK_CHANNEL, loop.wake, loop.wake));
      ends.push(db.afterCommit(['app_user'], loop.wake));
      loop.start();
    },
    async stop() {
      // Calls end within their own limit; a task cut off is repeated when its lease is over.
      const rested = loop.stop();
      for (const end of ends.splice(0)) await end();
      await rested;
    },
  };
}

async function claim({ db, issuer, now }: ClerkSyncDependencies): Promise<ClerkTask[]> {
  const at = now();
  return await db.system(async (tx) => {
    await addMissingLinks(tx, issuer, at);
    await addMissingRevocations(tx, at);
    return await claimTasks(tx, { at, leaseUntil: new Date(at.getTime() + LEASE_MS), limit: AT_ONCE });
  });
}

async function runTask(deps: ClerkSyncDependencies, task: ClerkTask): Promise<void> {
  try {
    await doers[task.kind](deps, task);
    await deps.db.system((tx) => finishTask(tx, task));
  } catch (error) {
    if (!(error instanceof ClerkFailure)) throw error;
    const at = deps.now();
    const isOver = error.retryAfterS === undefined || at.getTime() - task.created_at.getTime() >= GIVEN_UP_AFTER_MS;
    const fields = { kind: task.kind, object: task.object, status: error.status, code: error.code };
    if (isOver) deps.log.error(fields, 'Clerk refused what it was told');
    else deps.log.warn(fields, 'Clerk is told again later');
    const pauseMs = Math.max((error.retryAfterS ?? 0) * 1000, doubledPauseMs(task.attempts, PAUSES));
    const dueAt = isOver ? null : new Date(at.getTime() + pauseMs);
    await deps.db.system((tx) => postponeTask(tx, task, { dueAt, failure: `${error.status} ${error.code}`.trim() }));
  }
}

type Doer = (deps: ClerkSyncDependencies, task: ClerkTask) => Promise<void>;

const doers: Readonly<Record<ClerkTask['kind'], Doer>> = {
  async link({ client, db, now }, { object: subject, detail: user }) {
    if (!(await client.setExternalId(subject, user))) throw new ClerkFailure(404, 'resource_not_found', undefined);
    await db.system((tx) => putLinked(tx, subject, user, now()));
  },
  delete_user: ({ client }, { object: subject }) => client.deleteUser(subject),
  invite: (deps, task) => invite(deps, task),
  async revoke_invitation({ client, db }, { object: id }) {
    await client.revokeInvitation(id);
    await db.system((tx) => deleteClerkInvitation(tx, id));
  },
};

async function invite(deps: ClerkSyncDependencies, { object: id, detail: ends }: ClerkTask): Promise<void> {
  const { db, client, now } = deps;
  const { invitation, earlier } = await db.system(async (tx) => ({
    invitation: await findPendingInvitation(tx, id),
    earlier: await listClerkInvitations(tx, id),
  }));
  // Withdrawn, accepted or sent anew meanwhile: nothing to do, or the task of the newer one does it.
  if (invitation === undefined || invitation.expires_at.toISOString() !== ends || invitation.expires_at <= now())
    return;
  for (const clerkId of earlier) {
    await client.revokeInvitation(clerkId);
    await db.system((tx) => deleteClerkInvitation(tx, clerkId));
  }
  const clerkId = await client.invite({
    email: invitation.email,
    metadata: { [INVITATION_KEY]: id, tenant: invitation.tenant_id, role: invitation.role },
    redirectUrl: `${deps.ownAddress().replace(/\/+$/, '')}/signup/invite`,
    expiresInDays: limits.invitationLifetimeDays,
  });
  await db.system((tx) => insertClerkInvitation(tx, { clerk_id: clerkId, invitation_id: id, created_at: now() }));
}
