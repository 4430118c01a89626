/**
 * Mails to people. What is due is taken and handed to the mail queue in one transaction: after a crash it was done or it
 * was not, never twice.
 *
 * Whoever collects gets one mail for everything that is due, whoever does not one for each at the pace of person-pace.ts.
 * What concerns the account never waits.
 */
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { Mail } from '../mail/mail-port.ts';
import { queueMailable } from '../mail/queue-mailable.ts';
import { defaultPreferences } from './default-preferences.ts';
import {
  type DeliveryRow,
  findReader,
  findRecipient,
  isStillFor,
  type Recipient,
  savePace,
  takeMails,
} from './delivery-repository.ts';
import { collectedMail, singleMail } from './mail-texts.ts';
import type { AnswerLinks } from './notifications-port.ts';
import { goTogether, takeTurn } from './person-pace.ts';

type Signer = Awaited<ReturnType<AnswerLinks['signer']>>;

const MAILS_PER_ROUND = 1_000;

type Dependencies = {
  db: Pick<Database, 'system'>;
  mail: Mail;
  now: () => Date;
  productName: string;
  /** Where the dashboard is, without a slash at the end. */
  ownAddress: () => string;
  answerLinks: AnswerLinks;
  log: { warn(fields: object, message: string): void };
};

/** Writes to one person; false when nobody is waiting. */
export async function sendDueMail(deps: Dependencies): Promise<boolean> {
  // Keys may come from far away: not inside the transaction.
  const sign = await deps.answerLinks.signer();
  return await deps.db.system(async (tx) => {
    const at = deps.now();
    const userId = await findReader(tx, { channel: 'mail', at });
    if (userId === undefined) return false;
    const lane = { userId, channel: 'mail' } as const;
    const recipient = await findRecipient(tx, userId);
    const collects = (recipient?.preferences ?? defaultPreferences).digest !== 'off';
    const { pace, urgentOnly } = await takeTurn(tx, lane, { recipient, at, collects });
    const rows = await takeMails(tx, { userId, at, limit: MAILS_PER_ROUND, urgentOnly });
    // The right to read may have ended since it happened.
    const readable = recipient === undefined ? [] : rows.filter((row) => isStillFor(recipient, row));
    if (recipient !== undefined) {
      await queue(deps, tx, { userId, recipient, rows: readable, collects, sent: pace.sent, sign });
    }
    await savePace(tx, lane, { ...pace, sent: pace.sent + readable.length });
    return true;
  });
}

type Letters = {
  userId: string;
  recipient: Recipient;
  rows: readonly DeliveryRow[];
  collects: boolean;
  sent: number;
  sign: Signer;
};

async function queue(
  deps: Dependencies,
  tx: Tx,
  { userId, recipient, rows, collects, sent, sign }: Letters,
): Promise<void> {
  const context = { productName: deps.productName, ownAddress: deps.ownAddress(), tenants: recipient.tenants, sign };
  const urgent = rows.filter((row) => row.kind === 'account_security');
  const others = rows.filter((row) => row.kind !== 'account_security');
  const together = goTogether(others, { sent, collects });
  for (const row of together ? urgent : rows) {
    const key = `notification ${row.event_id} ${userId}`;
    await queueMailable(deps, tx, { to: recipient.email, key, write: ({ say }) => singleMail(row, context, say) });
  }
  if (!together) return;
  const key = `notifications ${others[0]?.event_id} ${userId}`;
  await queueMailable(deps, tx, { to: recipient.email, key, write: ({ say }) => collectedMail(others, context, say) });
}
