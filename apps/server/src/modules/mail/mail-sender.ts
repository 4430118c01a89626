/**
 * Sends what is queued.
 *
 * A mail is due → claimed for `LEASE_MS` by moving its due time, so that any number of processes share the work → sent,
 * due again after a growing pause, or given up when it is a day old or its recipient is refused for good. A process that
 * dies between handing a mail over and noting it repeats that one mail when the lease has run out; its Message-ID stays
 * the same. What was sent or given up loses its text: codes and tickets do not outlive their purpose here.
 */
import { type Database, sqlClient } from '../../storage/database.ts';
import { createWorkerLoop, doubledPauseMs, untilDueMs } from '../../worker-loop.ts';
import type { MailTransport, SendOutcome } from './mail-transport.ts';

/** Payload: nothing. */
export const MAIL_CHANNEL = 'airdeck_mail';

const AT_ONCE = 5;
const SEND_WITHIN_MS = 2 * 60_000;
/** Longer than a mail may take, or two processes would send it. */
export const LEASE_MS = 5 * 60_000;
const PAUSES = { firstMs: 30_000, longestMs: 3_600_000 };
export const GIVEN_UP_AFTER_MS = 24 * 3_600_000;
const LOOK_AT_LEAST_EVERY_MS = 60_000;
const AFTER_FAILURE_MS = 5_000;
const STOP_WITHIN_MS = 3_000;

export type MailSender = {
  start(): Promise<void>;
  /** Waits for mails on their way, but not for long: one cut off is repeated later. */
  stop(): Promise<void>;
  /** Sends what is due now; how many were tried. */
  sendDue(): Promise<number>;
};

type Dependencies = {
  db: Pick<Database, 'system' | 'listen'>;
  transport: MailTransport;
  now: () => Date;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
};

type Claimed = {
  id: string;
  recipient: string;
  subject: string;
  body: string;
  created_at: Date;
  attempts: number;
};

export function createMailSender(deps: Dependencies): MailSender {
  const { db, now, log } = deps;
  let unlisten: (() => Promise<void>) | undefined;

  async function sendDue(): Promise<number> {
    const mails = await claim(deps);
    await Promise.all(mails.map((mail) => sendOne(deps, mail)));
    return mails.length;
  }

  const loop = createWorkerLoop({
    round: async () => (await sendDue()) > 0,
    restMs: async () => untilDueMs(await nextDue(db), { now: now(), atMostMs: LOOK_AT_LEAST_EVERY_MS }),
    afterFailureMs: AFTER_FAILURE_MS,
    log,
    failed: 'mails wait',
  });

  return {
    sendDue,
    async start() {
      unlisten = await db.listen(MAIL_CHANNEL, loop.wake, loop.wake);
      loop.start();
    },
    async stop() {
      const rested = loop.stop(STOP_WITHIN_MS);
      await unlisten?.();
      await rested;
    },
  };
}

/** Those without a key first: a code is of use for ten minutes, and would wait behind every notice of a bad hour. */
async function claim({ db, now }: Dependencies): Promise<Claimed[]> {
  const at = now();
  return await db.system(async (tx) => {
    const { rows } = await sqlClient(tx).query<Claimed>(
      `update mail set attempts = attempts + 1, due_at = $2
       where id in (select id from mail where due_at <= $1 order by (dedupe_key is not null), due_at limit $3
         for update skip locked)
       returning id, recipient, subject, body, created_at, attempts`,
      [at, new Date(at.getTime() + LEASE_MS), AT_ONCE],
    );
    return rows;
  });
}

async function sendOne(deps: Dependencies, mail: Claimed): Promise<void> {
  const { id, recipient, subject, body, attempts, created_at } = mail;
  const outcome = await within(deps.transport.send({ id, to: recipient, subject, text: body }));
  const at = deps.now();
  const isOver = outcome.sent || outcome.permanent || at.getTime() - created_at.getTime() >= GIVEN_UP_AFTER_MS;
  if (!outcome.sent) {
    const write = isOver ? deps.log.error : deps.log.warn;
    write.call(
      deps.log,
      { mail: id, attempts, reason: outcome.reason },
      isOver ? 'mail given up' : 'mail not sent yet',
    );
  }
  await deps.db.system((tx) =>
    sqlClient(tx).query(
      // Another process took the mail over when our lease ran out: then it writes the outcome.
      `update mail set due_at = $3, sent_at = $4, failure = $5, body = case when $3::timestamptz is null then '' else body end
       where id = $1 and attempts = $2 and due_at is not null`,
      [
        id,
        attempts,
        isOver ? null : new Date(at.getTime() + pauseAfter(attempts)),
        outcome.sent ? at : null,
        outcome.sent ? null : outcome.reason,
      ],
    ),
  );
}

export function pauseAfter(attempts: number): number {
  return doubledPauseMs(attempts, PAUSES);
}

async function nextDue(db: Dependencies['db']): Promise<Date | null | undefined> {
  const next = await db.system((tx) =>
    tx
      .selectFrom('mail')
      .select(({ fn }) => fn.min('due_at').as('due_at'))
      .executeTakeFirst(),
  );
  return next?.due_at;
}

/** A server that keeps a connection alive without getting anywhere must not hold the sender. */
async function within(sending: Promise<SendOutcome>): Promise<SendOutcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<SendOutcome>((resolve) => {
    timer = setTimeout(() => resolve({ sent: false, permanent: false, reason: 'TOO_SLOW' }), SEND_WITHIN_MS);
  });
  try {
    return await Promise.race([sending, late]);
  } finally {
    clearTimeout(timer);
  }
}
