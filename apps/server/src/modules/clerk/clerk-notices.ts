/**
 * What Clerk tells us about its users. Notices come more than once and in any order: each counts once by its id, a change
 * only when no newer one is known, and nothing counts after a deletion. All of that and its effect is one transaction.
 */
import { storableText } from '@airdeck/domain/storable-json';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { ProfileChange, TenantsService } from '../tenants/tenants-port.ts';
import { profileOf } from './clerk-profile.ts';
import type { ClerkProfiles } from './clerk-profiles.ts';
import { advanceUser, findLinkedUser, insertMessage, isAddressTaken, markDeleted } from './clerk-repository.ts';
import { clerkDeletedSchema, clerkSessionSchema, clerkUserSchema } from './clerk-schemas.ts';

export type NoticesDependencies = {
  db: Pick<Database, 'system'>;
  issuer: string;
  profiles: Pick<ClerkProfiles, 'forget'>;
  tenants: Pick<TenantsService, 'changeProfile' | 'setUserStatus'>;
  /** Told when somebody signed in; of several times the latest counts. */
  noteSignIn: (tx: Tx, userId: string, at: Date) => Promise<void>;
  now: () => Date;
  log: { warn(fields: object, message: string): void };
};

type Notice = { id: string; type: string; data: unknown; requestId: string };

/** Takes a notice whose signature was right. Kinds we do not use are noted and left alone. */
export async function takeNotice(deps: NoticesDependencies, notice: Notice): Promise<void> {
  await deps.db.system(async (tx) => {
    if (!(await insertMessage(tx, notice.id, deps.now()))) return;
    if (notice.type === 'user.created' || notice.type === 'user.updated') await changeUser(deps, tx, notice);
    if (notice.type === 'user.deleted') await endUser(deps, tx, notice);
    if (notice.type === 'session.created') await noteSession(deps, tx, notice);
  });
}

async function changeUser(deps: NoticesDependencies, tx: Tx, { data, requestId }: Notice): Promise<void> {
  const user = clerkUserSchema.parse(data);
  const profile = profileOf(user);
  deps.profiles.forget(user.id);
  if (!(await advanceUser(tx, user.id, new Date(profile.changedAt)))) return;
  const ours = await findLinkedUser(tx, deps.issuer, user.id);
  if (ours === undefined || ours.status === 'disabled') return;
  const fullname = storableText(profile.fullname);
  const isNewAddress = profile.emailVerified && profile.email !== ours.email;
  const isTaken = isNewAddress && (await isAddressTaken(tx, profile.email, ours.id));
  if (isTaken) deps.log.warn({ user: ours.id }, 'the new e-mail address at Clerk belongs to another user here');
  const change: ProfileChange = {
    ...(fullname === '' || fullname === ours.fullname ? {} : { fullname }),
    ...(isNewAddress && !isTaken ? { email: profile.email } : {}),
  };
  if (Object.keys(change).length > 0) await deps.tenants.changeProfile(tx, ours.id, change, byClerk(requestId));
}

/** Access ends with the commit, and keys and assignments with it. */
async function endUser(deps: NoticesDependencies, tx: Tx, { data, requestId }: Notice): Promise<void> {
  const { id } = clerkDeletedSchema.parse(data);
  deps.profiles.forget(id);
  await markDeleted(tx, id, deps.now());
  const ours = await findLinkedUser(tx, deps.issuer, id);
  if (ours === undefined || ours.status === 'disabled') return;
  const by = byClerk(requestId);
  await deps.tenants.setUserStatus(tx, ours.id, 'disabled', by);
}

/** Only for people to read, so a notice of another shape is no failure Clerk would have to send again. */
async function noteSession(deps: NoticesDependencies, tx: Tx, { data }: Notice): Promise<void> {
  const session = clerkSessionSchema.safeParse(data);
  if (!session.success) return;
  const ours = await findLinkedUser(tx, deps.issuer, session.data.user_id);
  // Clerk's clock may be ahead of ours, and nobody signed in in the future.
  const at = Math.min(session.data.created_at, deps.now().getTime());
  if (ours !== undefined) await deps.noteSignIn(tx, ours.id, new Date(at));
}

function byClerk(requestId: string) {
  return { actor: { kind: 'system', id: null, name: 'Clerk' } as const, requestId };
}
