import type { Egress } from '@airdeck/connector-kit/egress';
import { createSecretVault, type KeyProvider } from '@airdeck/connector-kit/secrets';
import type { Notification } from '@airdeck/contracts/notifications/schema';
import { AppError } from '../../http/app-error.ts';
import type { Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { createWorkerLoop } from '../../worker-loop.ts';
import { auditActor } from '../audit/audit-actor.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { KeyedAnswers } from '../keyed-answers/keyed-answers.ts';
import type { Mail } from '../mail/mail-port.ts';
import type { Changes } from '../stream/changes.ts';
import { createAccountNotices } from './account-notices.ts';
import { type ChannelRoutes, channelHandlers } from './channel-handlers.ts';
import { purgeOld, putWebhookKey } from './delivery-repository.ts';
import { createFanOut, type FanOut, NOTIFICATIONS_KEPT } from './fan-out.ts';
import { sendDueMail } from './mail-delivery.ts';
import { type NoticeIn, noticeOf, toldOf } from './notice-texts.ts';
import { NOTICES_CHANNEL } from './notifications-migrations.ts';
import type { AccountNotices, AnswerLinks, QuestionNotices } from './notifications-port.ts';
import {
  countUnread,
  insertEvent,
  listNotifications,
  markRead,
  type NotificationRow,
} from './notifications-repository.ts';
import { insertEnd, settleQuestion } from './question-ends.ts';
import { type AnswerLink, answerLinksOf } from './question-links.ts';
import { rewrapSlack } from './slack-address.ts';
import { createSlackDelivery } from './slack-delivery.ts';
import { createWebhookDelivery } from './webhook-delivery.ts';
import { createWebhookSecrets } from './webhook-signature.ts';

/** Backs up the announcement of new events, and finds what has become due. */
const POLL_MS = 5_000;
/** Of many that end at once the others follow with the next round: mails have their turn all the same. */
const ENDS_BEFORE_MAIL = 100;
const ROUNDS_BEFORE_MAIL = 40;
const DAY_MS = 24 * 3_600_000;
const DELIVERIES_LIVE_MS = 7 * DAY_MS;
const DEVICES_LIVE_MS = 180 * DAY_MS;
const VERSION_BYTES = 12;

type Dependencies = {
  db: Database;
  mail: Mail;
  egress: Egress;
  changes: Changes;
  audit: Pick<AuditLog, 'record'>;
  answerLinks: AnswerLinks;
  keyedAnswers: Pick<KeyedAnswers, 'once'>;
  /** Keys that open what is sealed: the addresses of Slack. */
  keys: KeyProvider;
  /** The installation's secret; webhooks are signed with keys derived from it. */
  secret: string;
  productName: string;
  ownAddress: () => string;
  ids: () => string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
  log: { warn(fields: object, message: string): void };
};

type OwnRoutes = 'notifications.list' | 'notifications.read' | 'notifications.webhook-secret';

export type NotificationsModule = {
  notices: QuestionNotices;
  accountNotices: AccountNotices;
  handlers: Handlers<OwnRoutes | ChannelRoutes>;
  /** Into the app, by a process in which nothing was started as well: for what cannot wait for those that do this. */
  handOut(): Promise<void>;
  /** One portion of each kind of background work; false when nothing was left. For tests of it. */
  round(): Promise<boolean>;
  purge(signal?: AbortSignal): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
};

export function createNotificationsModule(deps: Dependencies): NotificationsModule {
  const { db, ids, now } = deps;
  const queue = async (tx: Tx, noticeIn: NoticeIn) => {
    const told = toldOf(noticeIn);
    if (told === undefined) return;
    // A question is one event, however often it is told: nobody has it twice.
    const id = told.notice.asks?.promptId ?? ids();
    await insertEvent(tx, told.notice, { ...told, id, at: now() });
  };
  const fanOut = createFanOut(deps);
  const secrets = createWebhookSecrets(deps.secret);
  const webhooks = createWebhookDelivery({ ...deps, secrets });
  const vault = createSecretVault(deps);
  const slack = createSlackDelivery({ ...deps, vault });
  const telling = async () => {
    const told = await tellAll(fanOut);
    if (told) for (const each of [callings, messages]) each.wake();
    // Before mails: nobody is written to about a question that is over.
    let ends = 0;
    while (ends < ENDS_BEFORE_MAIL && (await settleQuestion(deps))) ends++;
    return (await sendDueMail(deps)) || told || ends > 0;
  };
  const polled = { restMs: () => POLL_MS, afterFailureMs: POLL_MS, log: deps.log };
  const tellings = createWorkerLoop({ ...polled, round: telling, failed: 'notifications wait for the next look' });
  const callings = createWorkerLoop({ ...polled, round: webhooks.round, failed: 'webhooks wait for the next look' });
  const messages = createWorkerLoop({
    ...polled,
    round: slack.round,
    failed: 'Slack messages wait for the next look',
  });
  let unlisten: (() => Promise<void>) | undefined;

  return {
    notices: {
      tell: (tx, happening) => queue(tx, (words) => noticeOf(happening, words)),
      settle: (tx, question) => insertEnd(tx, { id: ids(), ...question }),
    },
    accountNotices: createAccountNotices({ now, queue }),
    handlers: { ...handlersOf(deps, secrets), ...channelHandlers({ ...deps, secrets, vault }) },
    async handOut() {
      await tellAll(fanOut);
    },
    async round() {
      const told = await telling();
      const called = await webhooks.round(AbortSignal.timeout(60_000));
      return (await slack.round()) || called || told;
    },
    async purge(signal) {
      const before = (livedMs: number) => new Date(now().getTime() - livedMs);
      await db.system((tx) =>
        purgeOld(tx, { deliveries: before(DELIVERIES_LIVE_MS), devices: before(DEVICES_LIVE_MS) }),
      );
      await fanOut.prune(signal);
      await db.system((tx) => rewrapSlack(tx, { vault, keys: deps.keys }));
    },
    async start() {
      unlisten = await db.listen(NOTICES_CHANNEL, tellings.wake, tellings.wake);
      tellings.start();
      callings.start();
      messages.start();
    },
    async stop() {
      await unlisten?.();
      await Promise.all([tellings.stop(), callings.stop(), messages.stop()]);
      await Promise.all([webhooks.settled(), slack.settled()]);
    },
  };
}

/** A storm is told whole before anybody is written to, so that it is one mail; other work has its turn all the same. */
async function tellAll(fanOut: FanOut): Promise<boolean> {
  let rounds = 0;
  while (rounds < ROUNDS_BEFORE_MAIL && (await fanOut.round())) rounds++;
  return rounds > 0;
}

function handlersOf(deps: Dependencies, secrets: ReturnType<typeof createWebhookSecrets>): Handlers<OwnRoutes> {
  const { db, now } = deps;
  return {
    'notifications.list': async ({ query }, { scope, caller: { userId } }) => {
      const sign = await deps.answerLinks.signer();
      return await db.tenant(scope.tenantId, async (tx) => {
        const found = await listNotifications(tx, scope, { userId, after: query.cursor, limit: query.limit + 1 });
        const unread = await countUnread(tx, scope, { userId, among: NOTIFICATIONS_KEPT });
        const rows = found.slice(0, query.limit);
        const cursor = found.length > rows.length ? (rows.at(-1)?.event_id ?? null) : null;
        return { notifications: rows.map((row) => onWire(row, answerLinksOf(row, sign))), unread, cursor };
      });
    },
    'notifications.read': async ({ body }, { scope, caller, requestId }) => {
      const { userId } = caller;
      await db.tenant(scope.tenantId, async (tx) => {
        const read = await markRead(tx, scope, { userId, ids: body.ids, upTo: body.up_to, at: now() });
        const [first] = read;
        if (first === undefined) return;
        // Other windows of the same person count again.
        await deps.changes.announce(tx, { tenant: scope.tenantId, kind: 'notification', id: first });
        await deps.audit.record(tx, {
          tenant: scope.tenantId,
          actor: auditActor(caller),
          action: 'notification.read',
          target: { kind: 'user', id: userId },
          outcome: 'ok',
          data: { count: read.length },
          request_id: requestId,
        });
      });
      return undefined;
    },
    'notifications.webhook-secret': async (_request, context) => {
      const { caller, requestId } = context;
      const { userId, homeTenant: tenant } = caller;
      if (caller.apiKey !== undefined) throw new AppError('ROLE_TOO_LOW');
      const renew = async (tx: Tx) => {
        const version = deps.randomBytes(VERSION_BYTES).toString('base64url');
        await putWebhookKey(tx, { userId, version, at: now() });
        await deps.audit.record(tx, {
          tenant,
          actor: auditActor(caller),
          action: 'webhook_secret.create',
          target: { kind: 'user', id: userId },
          outcome: 'ok',
          request_id: requestId,
        });
        return { version };
      };
      const request = { route: 'notifications.webhook-secret', tenant, context, asked: null } as const;
      // The secret is made of the version anew, and kept nowhere.
      const { version } = await db.system((tx) => deps.keyedAnswers.once(tx, request, () => renew(tx)));
      return { secret: secrets.secretOf(userId, version) };
    },
  };
}

function onWire(row: NotificationRow, answers: AnswerLink[]): Notification {
  const { event_id: id, kind, title, text, link, created_at: created, read_at: read } = row;
  const times = row.times.map((time) => time.toISOString());
  const when = { created_at: created.toISOString(), read_at: read?.toISOString() ?? null };
  return {
    ...{ id, kind, title, text },
    ...(times.length === 0 ? {} : { times }),
    link,
    ...(answers.length === 0 ? {} : { answers }),
    ...when,
  };
}
