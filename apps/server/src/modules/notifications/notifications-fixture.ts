/** The notifications of one database, worked by hand instead of by timers. What tests of them share. */
import { randomBytes } from 'node:crypto';
import { createEgress, type EgressOptions } from '@airdeck/connector-kit/egress';
import type { Role } from '@airdeck/contracts/access/roles';
import type { NotificationChannel, NotificationPreferences } from '@airdeck/contracts/notifications/schema';
import { v7 } from 'uuid';
import { fullPlan } from '../../http/test-server.ts';
import { createTestDatabase, quietLog } from '../../storage/test-database.ts';
import { createAnswerLinks } from '../activity/answer-links.ts';
import { createAuditModule } from '../audit/audit-module.ts';
import { createKeyedAnswers } from '../keyed-answers/keyed-answers.ts';
import { createMailModule } from '../mail/mail-module.ts';
import { createStreamModule } from '../stream/stream-module.ts';
import { defaultPreferences } from './default-preferences.ts';
import { createNotificationsModule } from './notifications-module.ts';
import type { Happening } from './notifications-port.ts';

export type NotificationsFixture = Awaited<ReturnType<typeof createNotificationsFixture>>;

export async function createNotificationsFixture(
  options: { receiver?: { host: string; port: number } } & Pick<EgressOptions, 'resolve' | 'ownNetworks'> = {},
) {
  const stores = await createTestDatabase();
  const db = stores.database;
  const clock = { now: new Date('2026-11-21T12:00:30.000Z') };
  const now = () => clock.now;
  const common = { db, ids: v7, now, randomBytes, log: quietLog };
  const egress = createEgress({
    allowLoopback: options.receiver ? [options.receiver] : [],
    ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
    ...(options.ownNetworks === undefined ? {} : { ownNetworks: options.ownNetworks }),
  });
  const changes = createStreamModule(common).changes;
  const { audit } = createAuditModule(common);
  const own = { publicUrl: 'https://air.example', listensOnLoopback: false };
  const { mail } = createMailModule({
    ...common,
    ...{ own, server: undefined, sends: false, showsOutbox: false, warnsWithoutServer: false },
  });
  const secret = randomBytes(32).toString('hex');
  const key = { id: 'k1', key: randomBytes(32) };
  const keys = { current: async () => key, get: async () => key };
  const answerLinks = createAnswerLinks({ keys, now });
  const keyedAnswers = createKeyedAnswers({ db, secret, now });
  const start = () =>
    createNotificationsModule({
      ...common,
      ...{ mail, egress, changes, audit, answerLinks, keyedAnswers, keys, secret },
      productName: 'AIRdeck',
      ownAddress: () => own.publicUrl,
    });
  const module = start();
  let people = 0;

  return {
    db,
    clock,
    module,
    /** Another process on the same database. */
    start,
    audit,
    answerLinks,
    changes,
    egress,
    later(ms: number) {
      clock.now = new Date(clock.now.getTime() + ms);
    },
    async tenant(name = 'Example Ltd'): Promise<string> {
      const id = v7();
      const sku_info = JSON.stringify(fullPlan);
      await db.system((tx) => tx.insertInto('tenant').values({ id, name, managed_by: null, sku_info }).execute());
      return id;
    },
    async person(
      tenant: string,
      role: Role | undefined,
      change: Partial<NotificationPreferences> = {},
      status = 'active' as const,
    ) {
      const id = v7();
      const email = `reader${++people}@example.com`;
      await db.system(async (tx) => {
        const preferences = { ...defaultPreferences, ...change };
        await tx
          .insertInto('app_user')
          .values({
            ...{ id, uname: email, fullname: email, email, home_tenant_id: tenant, locale: 'en-US', status },
            ...{ identity_issuer: 'test', identity_subject: id },
            notification_preferences: JSON.stringify(preferences),
          })
          .execute();
        if (role) await tx.insertInto('membership').values({ tenant_id: tenant, user_id: id, role }).execute();
      });
      return { id, email };
    },
    prefers: (user: { id: string }, change: Partial<NotificationPreferences>) =>
      db.system((tx) =>
        tx
          .updateTable('app_user')
          .set({ notification_preferences: JSON.stringify({ ...defaultPreferences, ...change }) })
          .where('id', '=', user.id)
          .execute(),
      ),
    reads: (user: { id: string }, locale: string, timezone = '') =>
      db.system((tx) => tx.updateTable('app_user').set({ locale, timezone }).where('id', '=', user.id).execute()),
    tell: (happening: Happening) => db.tenant(happening.tenant, (tx) => module.notices.tell(tx, happening)),
    /** Everything that is due now. */
    async work() {
      while (await module.round());
    },
    inbox: (userId: string) =>
      db.system((tx) =>
        tx.selectFrom('notification').selectAll().where('user_id', '=', userId).orderBy('event_id').execute(),
      ),
    mails: (email: string) =>
      db.system((tx) => tx.selectFrom('mail').selectAll().where('recipient', '=', email).orderBy('id').execute()),
    deliveries: () => db.system((tx) => tx.selectFrom('notification_delivery').selectAll().execute()),
    async close() {
      await egress.close();
      await stores.close();
    },
  };
}

export const caseOpened = (tenant: string, number = 1): Happening => ({
  ...{ kind: 'case_opened', tenant, caseId: v7(), reference: `CASE-${number}` },
  ...{ name: 'SSH password guessing', severity: 'high' },
});

export const asked = (
  tenant: string,
  change: Partial<Extract<Happening, { kind: 'prompt_waiting' }>> = {},
): Extract<Happening, { kind: 'prompt_waiting' }> => ({
  ...{ kind: 'prompt_waiting', tenant, runId: v7(), runName: 'Block it', message: 'Block it?', approvers: {} },
  ...{ promptId: v7(), expiresAt: null },
  options: [
    { value: 'block', label: 'Block' },
    { value: 'ignore', label: 'Leave it' },
  ],
  ...change,
});

/** Preferences that want one kind on these channels only. */
export function wants(
  kind: keyof NotificationPreferences['kinds'],
  ...channels: NotificationChannel[]
): Pick<NotificationPreferences, 'kinds'> {
  const none = { in_app: false, mail: false, webhook: false, slack: false };
  const all = Object.fromEntries(Object.keys(defaultPreferences.kinds).map((name) => [name, none]));
  const chosen = Object.fromEntries(channels.map((channel) => [channel, true]));
  return { kinds: { ...all, [kind]: { ...none, ...chosen } } as NotificationPreferences['kinds'] };
}
