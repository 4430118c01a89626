/**
 * Messages to Slack, to the addresses people have entered.
 *
 * What goes out is marked as being sent before the call, in a transaction of its own, and taken away after it. Slack knows
 * no key by which it would drop a second message, so what was being sent when a process died is given up once its lease is
 * over: it may have arrived, and stands in the app anyway. Nothing is sent twice after a crash. An answer that asks to come
 * again, or a call that never got there, puts it back. A process that stops lets its calls end.
 *
 * One call per person at a time, at the pace of person-pace.ts: a storm is one message.
 */
import type { Egress } from '@airdeck/connector-kit/egress';
import { EgressError } from '@airdeck/connector-kit/egress-error';
import { SecretError, type SecretVault } from '@airdeck/connector-kit/secrets';
import type { Told } from '@airdeck/contracts/filled-text';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { wordsFor } from '../mail/mail-words.ts';
import { addressOfSlack, forgetFailure, noteFailure } from './channel-failures.ts';
import {
  type DeliveryRow,
  findReader,
  findRecipient,
  isStillFor,
  type Recipient,
  savePace,
} from './delivery-repository.ts';
import { inNameOf } from './in-name-of.ts';
import { goTogether, takeTurn } from './person-pace.ts';
import { isPassing, isTaken, refusalOf } from './receiver-answer.ts';
import { findSlack, openSlack, type SlackRow } from './slack-address.ts';
import { slackMessage } from './slack-message.ts';
import { dropUnknown, endMessages, listDue, markInFlight, putBack } from './slack-repository.ts';

const CALLS_AT_ONCE = 8;
const TIMEOUT_MS = 10_000;
/** Longer than a call takes with everything around it. */
const LEASE_MS = 60_000;
const ROWS_PER_MESSAGE = 1_000;
/** Before the second and the third attempt; there is no fourth. */
const PAUSES_MS = [60_000, 300_000] as const;
const PAUSE_MAX_MS = 3_600_000;

type Dependencies = {
  db: Pick<Database, 'system'>;
  egress: Egress;
  vault: SecretVault;
  productName: string;
  /** Where the dashboard is, without a slash at the end. */
  ownAddress: () => string;
  now: () => Date;
  log: { warn(fields: object, message: string): void };
};

export type SlackDelivery = {
  /** Begins as many calls as there is room for; false when none was due. Resolves when one of them has ended. */
  round(): Promise<boolean>;
  /** Resolves when no call is under way any more. */
  settled(): Promise<void>;
};

type Sending = { userId: string; recipient: Recipient; slack: SlackRow; rows: readonly DeliveryRow[] };

export function createSlackDelivery(deps: Dependencies): SlackDelivery {
  const running = new Map<string, Promise<void>>();

  return {
    async round() {
      const wasBusy = running.size > 0;
      let found = false;
      while (running.size < CALLS_AT_ONCE) {
        const next = await deps.db.system((tx) => take(deps, tx, [...running.keys()]));
        if (next === 'nobody') break;
        found = true;
        if (next === 'nothing') continue;
        const call = send(deps, next)
          .catch((error: unknown) => deps.log.warn({ error: String(error) }, 'a Slack message is given up'))
          .finally(() => running.delete(next.userId));
        running.set(next.userId, call);
      }
      if (running.size > 0) await Promise.race(running.values());
      return found || wasBusy;
    },
    async settled() {
      await Promise.all(running.values());
    },
  };
}

/** Marks what goes to one person now. `nothing`: it was put off or is no longer theirs to read. */
async function take(deps: Dependencies, tx: Tx, busy: readonly string[]): Promise<Sending | 'nothing' | 'nobody'> {
  const at = deps.now();
  const userId = await findReader(tx, { channel: 'slack', at, busy });
  if (userId === undefined) return 'nobody';
  const lane = { userId, channel: 'slack' } as const;
  const recipient = await findRecipient(tx, userId);
  const { pace, urgentOnly } = await takeTurn(tx, lane, { recipient, at, collects: false });
  const unknown = await dropUnknown(tx, { userId, at });
  if (unknown > 0)
    deps.log.warn({ user: userId, count: unknown }, 'Slack messages of a process that died are given up');
  const due = await listDue(tx, { userId, at, limit: ROWS_PER_MESSAGE, urgentOnly });
  const slack = await findSlack(tx, userId);
  const readable =
    recipient === undefined || slack === undefined ? [] : due.filter((row) => isStillFor(recipient, row));
  // The right to read, the wish for it, or the address may have gone since it happened.
  await endMessages(
    tx,
    due.filter((row) => !readable.includes(row)),
  );
  const rows = goTogether(readable, { sent: pace.sent, collects: false }) ? readable : readable.slice(0, 1);
  if (rows.length > 0) await markInFlight(tx, rows, new Date(at.getTime() + LEASE_MS));
  await savePace(tx, lane, { ...pace, sent: pace.sent + rows.length });
  if (recipient === undefined || slack === undefined || rows.length === 0) return 'nothing';
  const attempted = rows.map((row) => ({ ...row, attempts: row.attempts + 1 }));
  return { userId, recipient, slack, rows: attempted };
}

async function send(deps: Dependencies, sending: Sending): Promise<void> {
  const { rows, slack, userId } = sending;
  const outcome = await call(deps, sending);
  const left = outcome.again ? rows.filter(({ attempts }) => attempts <= PAUSES_MS.length) : [];
  const ended = rows.filter((row) => !left.includes(row));
  await deps.db.system(async (tx) => {
    // First, and it locks the rows: an account that is erased meanwhile takes away what is noted here, or has nothing to end.
    if ((await endMessages(tx, ended)) > 0) {
      const of = { userId, channel: 'slack', address: addressOfSlack(slack) } as const;
      if (outcome.code === undefined) await forgetFailure(tx, of);
      else await noteFailure(tx, { ...of, at: deps.now(), told: outcome.told });
    }
    if (outcome.again) await putBack(tx, left, new Date(deps.now().getTime() + outcome.afterMs));
  });
  if (outcome.code !== undefined && ended.length > 0) {
    deps.log.warn({ user: userId, count: ended.length, code: outcome.code }, 'Slack messages given up');
  }
}

type Outcome =
  | { again: false; code?: never }
  | ({ code: string; told: Told } & ({ again: false } | { again: true; afterMs: number }));

async function call(deps: Dependencies, { userId, recipient, slack, rows }: Sending): Promise<Outcome> {
  const { productName } = deps;
  const [first] = rows;
  if (first === undefined) return { again: false };
  const pauseMs = PAUSES_MS[first.attempts - 1] ?? PAUSE_MAX_MS;
  try {
    const answer = await postToSlack(deps, {
      userId,
      url: await openSlack(deps.vault, slack),
      body: slackMessage(rows, {
        ...{ productName, ownAddress: deps.ownAddress(), tenants: recipient.tenants },
        say: wordsFor(recipient).say,
      }),
    });
    if (isTaken(answer)) return { again: false };
    const code = `HTTP_${answer.status}`;
    const askedMs = (answer.retryAfterS ?? 0) * 1000;
    const afterMs = Math.min(Math.max(pauseMs, askedMs), PAUSE_MAX_MS);
    const failed = { code, told: refusalOf(answer) };
    return isPassing(answer) ? { ...failed, again: true, afterMs } : { ...failed, again: false };
  } catch (error) {
    if (error instanceof SecretError)
      return { again: false, code: error.code, told: { message: 'The address could not be opened. Set it again.' } };
    if (!(error instanceof EgressError)) throw error;
    // Where the answer did not come, nobody knows whether Slack has it.
    const isUnsent = error.retryable && !error.outcomeUnknown;
    const failed = { code: error.code, told: error.told };
    return isUnsent ? { ...failed, again: true, afterMs: pauseMs } : { ...failed, again: false };
  }
}

export function postToSlack(
  { egress }: Pick<Dependencies, 'egress'>,
  { userId, url, body }: { userId: string; url: string; body: string },
) {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  const tenant = inNameOf(userId);
  return egress.request({ tenant, method: 'POST', url, headers, body, timeoutMs: TIMEOUT_MS });
}
