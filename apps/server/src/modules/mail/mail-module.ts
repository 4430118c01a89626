import { z } from 'zod';
import { AppError } from '../../http/app-error.ts';
import type { Handlers } from '../../http/handlers.ts';
import { type OwnOrigin, requireOwnHost } from '../../http/own-origin.ts';
import { type Database, sqlClient } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { findAdminHabits } from '../tenants/admin-habits.ts';
import type { Mail, NewMail } from './mail-port.ts';
import { createMailSender, MAIL_CHANNEL, type MailSender } from './mail-sender.ts';
import { createMailTransport, type MailServer } from './mail-transport.ts';
import { type MailReader, unknownReader, wordsFor } from './mail-words.ts';

const KEPT_MS = 30 * 24 * 3_600_000;
const TRIM_EVERY_MS = 3_600_000;
const OUTBOX_SHOWS = 50;
const SUBJECT_MAX = 200;

const addressSchema = z.email().max(254);

type Dependencies = {
  db: Database;
  /** Undefined leaves every mail in the outbox. */
  server: MailServer | undefined;
  /** Whether this process sends; the others only queue. */
  sends: boolean;
  /** Shows the outbox to whoever asks: for demo data on one's own machine only. */
  showsOutbox: boolean;
  /** Nobody will ever see the outbox here. */
  warnsWithoutServer: boolean;
  own: OwnOrigin;
  ids: () => string;
  now: () => Date;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
};

export type MailModule = {
  mail: Mail;
  handlers: Handlers<'system.outbox'>;
  start(): Promise<void>;
  stop(): Promise<void>;
};

export function createMailModule(deps: Dependencies): MailModule {
  const { db, server, now, log } = deps;
  const sender: MailSender | undefined =
    server !== undefined && deps.sends
      ? createMailSender({ db, transport: createMailTransport(server), now, log })
      : undefined;
  let trimming: NodeJS.Timeout | undefined;

  function trimLater(): void {
    trim(db, now()).catch((error: unknown) => log.warn({ err: error }, 'old mails kept'));
  }

  return {
    mail: { queue: (tx, mail) => queue(deps, tx, mail) },
    handlers: {
      'system.outbox': async (_request, { raw }) => {
        if (!deps.showsOutbox || server !== undefined) throw new AppError('ROUTE_NOT_FOUND');
        requireOwnHost(raw.request, deps.own);
        return await newestMails(db);
      },
    },
    async start() {
      if (server === undefined && deps.warnsWithoutServer) {
        log.warn({}, 'no mail server (SMTP_URL): invitations and codes reach nobody');
      }
      trimming = setInterval(trimLater, TRIM_EVERY_MS).unref();
      trimLater();
      await sender?.start();
    },
    async stop() {
      clearInterval(trimming);
      await sender?.stop();
    },
  };
}

async function queue({ ids, now, server }: Dependencies, tx: Tx, mail: NewMail): Promise<void> {
  const { to, write, key } = mail;
  // Line breaks, lists, names and quoted parts all end here: what passes cannot become a header or a second recipient.
  if (!addressSchema.safeParse(to).success) {
    throw new AppError('VALIDATION_FAILED', { message: 'A mail goes to one e-mail address.' });
  }
  const { subject, text } = write(wordsFor(await readerOf(tx, mail)));
  await tx
    .insertInto('mail')
    .values({
      id: ids(),
      recipient: to,
      subject: oneLine(subject),
      body: text.replaceAll('\0', ''),
      dedupe_key: key ?? null,
      created_at: now(),
      due_at: server === undefined ? null : now(),
      sent_at: null,
      failure: null,
    })
    .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
    .execute();
  if (server !== undefined) await sqlClient(tx).query(`select pg_notify('${MAIL_CHANNEL}', '')`);
}

async function readerOf(tx: Tx, { to, reader, sender, tenant }: NewMail): Promise<MailReader> {
  const own = await findAccount(tx, ['email', to.toLowerCase()]);
  if (own !== undefined) return own;
  if (reader !== undefined) return reader;
  const like = sender === undefined ? undefined : await findAccount(tx, ['uname', sender]);
  if (like !== undefined) return like;
  const admin = tenant === undefined ? undefined : await findAdminHabits(tx, trustedTenantScope(tenant));
  return admin ?? unknownReader;
}

async function findAccount(
  tx: Tx,
  [column, value]: readonly ['email' | 'uname', string],
): Promise<MailReader | undefined> {
  return await tx
    .selectFrom('app_user')
    .select(['locale', 'timezone as timeZone'])
    .where(column, '=', value)
    .executeTakeFirst();
}

/** Control characters and the line separators of Unicode become blanks. */
function oneLine(subject: string): string {
  return subject
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, SUBJECT_MAX);
}

async function newestMails(db: Database) {
  const mails = await db.system((tx) =>
    tx
      .selectFrom('mail')
      .select(['id', 'recipient', 'subject', 'body', 'created_at'])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(OUTBOX_SHOWS)
      .execute(),
  );
  return mails.map(({ id, recipient, subject, body, created_at }) => ({
    id,
    to: recipient,
    subject,
    text: body,
    created_at: created_at.toISOString(),
  }));
}

async function trim(db: Database, now: Date): Promise<void> {
  await db.system((tx) =>
    tx
      .deleteFrom('mail')
      .where('due_at', 'is', null)
      .where('created_at', '<', new Date(now.getTime() - KEPT_MS))
      .execute(),
  );
}
