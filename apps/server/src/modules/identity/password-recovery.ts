/**
 * Setting a new password with a mailed code, because it was forgotten or because an administrator asked for it.
 *
 * A code is requested → confirmed as often as one likes → used up by the one reset that succeeds. What is different for
 * known addresses (code, mail, audit) happens after the answer. The second factor stays as it is.
 *
 * Mails are counted by address and network, and then by address: a stranger uses up their own share, not the owner's.
 */
import type { PasswordProblem } from '@airdeck/contracts/access/password-problems';
import { AppError } from '../../http/app-error.ts';
import { addressName } from '../../http/call-quotas.ts';
import { type Database, sqlClient } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { Mail } from '../mail/mail-port.ts';
import type { AccountMails } from './account-mails.ts';
import { addressSubject, GUESSES_MAX } from './attempt-guard.ts';
import type { RecordSecurity } from './auth-call.ts';
import { MAILS_COUNT_FOR_S, type MailCodes, takeMail } from './mail-codes.ts';
import { passwordProblem } from './password-policy.ts';
import type { PasswordState, PasswordStore } from './password-store.ts';

export const MAILS_PER_NETWORK = 3;
/** From all networks together; every code has five guesses, so this bounds those too. */
export const MAILS_PER_ADDRESS = 10;
const REQUESTS_PER_CLIENT = 30;

/** `browser`: what the browser holds in which the code was asked for. */
type Reset = { email: string; browser: string; code: string; password: string; requestId: string };

type Asked = { browser: string; clientAddress: string; requestId: string };

export type ResetOutcome = 'reset' | 'invalid' | 'locked' | 'reused' | { weak: PasswordProblem };

export type PasswordRecovery = {
  /** False when that client asked too often, for whichever addresses. */
  mayRequest(clientAddress: string): Promise<boolean>;
  /** Mails a code to a known address, within the limit; nothing for an unknown one. */
  request(asked: Asked & { email: string }): Promise<void>;
  /** Whether the code is the one mailed; it stays good. */
  confirm(given: { email: string; browser: string; code: string }): Promise<'accepted' | 'refused' | 'locked'>;
  reset(request: Reset): Promise<ResetOutcome>;
  /** The person has to choose a new password before anything else: mails a code, within the limit. */
  mailRequired(state: PasswordState, asked: Asked): Promise<void>;
  /**
   * Asks for a new password, ends every session and says so by mail, in the caller's system transaction. Throws NOT_FOUND,
   * CONFLICT without a password, and RATE_LIMITED where the mail would be one too many.
   */
  require(tx: Tx, externalId: string): Promise<void>;
  recordRefused(email: string, requestId: string): Promise<void>;
};

type Dependencies = {
  db: Pick<Database, 'system'>;
  mail: Mail;
  mails: AccountMails;
  codes: MailCodes;
  passwords: PasswordStore;
  record: RecordSecurity;
  now: () => Date;
};

const ownerOf = ({ email, browser }: { email: string; browser: string }) =>
  ({ purpose: 'recovery', email, browser }) as const;

export function createPasswordRecovery(deps: Dependencies): PasswordRecovery {
  const { db, codes, passwords, record } = deps;
  return {
    mayRequest: (clientAddress) => {
      const subject = addressSubject('recovery-client', addressName(clientAddress));
      const limit = { subject, max: REQUESTS_PER_CLIENT };
      return db.system((tx) => takeMail(sqlClient(tx), limit, deps.now()));
    },
    request: (asked) => requestCode(deps, asked),
    confirm: ({ code, ...asked }) => codes.judge(ownerOf(asked), code),
    reset: (request) => reset(deps, request),
    async mailRequired(state, asked) {
      const { requestId } = asked;
      await db.system(async (tx) => {
        await mailCode(deps, tx, { ...asked, email: state.email }, deps.mails.newPasswordRequired);
        const reason = 'NEW_PASSWORD_REQUIRED';
        await record(
          { externalId: state.externalId, action: 'session.sign_in', outcome: 'refused', reason, requestId },
          tx,
        );
      });
    },
    require: (tx, externalId) => requireNew(deps, tx, externalId),
    async recordRefused(email, requestId) {
      const state = await passwords.findState(email);
      if (state === undefined) return;
      const { externalId } = state;
      await db.system(async (tx) => {
        // Any number of browsers may guess without a code; they are not to fill the audit log.
        if (!(await takeMail(sqlClient(tx), refusalsOf(email), deps.now()))) return;
        await record(
          { externalId, action: 'password.reset', outcome: 'refused', reason: 'INVALID_CODE', requestId },
          tx,
        );
      });
    },
  };
}

async function requireNew({ mail, mails, passwords, now }: Dependencies, tx: Tx, externalId: string): Promise<void> {
  const state = await passwords.findStateOf(externalId);
  if (state === undefined) throw new AppError('NOT_FOUND');
  if (!state.hasPassword) {
    throw new AppError('CONFLICT', {
      message: 'This person signs in through another service: no password to reset.',
    });
  }
  const { email, identityUserId } = state;
  // Counted for itself: strangers who ask for codes do not keep an administrator from signing somebody out.
  const limit = { subject: addressSubject('recovery-wanted', email), max: MAILS_PER_ADDRESS };
  if (!(await takeMail(sqlClient(tx), limit, now()))) {
    throw new AppError('RATE_LIMITED', { retryAfterS: MAILS_COUNT_FOR_S });
  }
  await passwords.requireNew(tx, identityUserId);
  // Without a code: nobody has asked for one in a browser yet.
  await mail.queue(tx, mails.newPasswordWanted(email));
}

async function requestCode(deps: Dependencies, asked: Parameters<PasswordRecovery['request']>[0]): Promise<void> {
  const { requestId } = asked;
  const state = await deps.passwords.findState(asked.email);
  if (state === undefined) return;
  await deps.db.system(async (tx) => {
    const { externalId } = state;
    const mailed = state.hasPassword
      ? await mailCode(deps, tx, { ...asked, email: state.email }, deps.mails.recoveryCode)
      : await mailWithout(deps, tx, { ...asked, email: state.email }, deps.mails.noPassword);
    await deps.record(
      mailed
        ? { externalId, action: 'password.reset_request', outcome: 'ok', requestId }
        : { externalId, action: 'password.reset_request', outcome: 'refused', reason: 'RATE_LIMITED', requestId },
      tx,
    );
  });
}

/** False when the network or the address had its share of mails. */
async function mailCode(
  deps: Dependencies,
  tx: Tx,
  asked: { email: string; browser: string; clientAddress: string },
  write: (to: string, code: string) => Parameters<Mail['queue']>[1],
): Promise<boolean> {
  if (!(await takeShare(deps, tx, asked))) return false;
  await deps.mail.queue(tx, write(asked.email, await deps.codes.issue(tx, ownerOf(asked))));
  return true;
}

async function mailWithout(
  deps: Dependencies,
  tx: Tx,
  asked: { email: string; clientAddress: string },
  write: (to: string) => Parameters<Mail['queue']>[1],
): Promise<boolean> {
  if (!(await takeShare(deps, tx, asked))) return false;
  await deps.mail.queue(tx, write(asked.email));
  return true;
}

/** The network's share first: what it is refused takes nothing from the address. */
async function takeShare(
  { now }: Dependencies,
  tx: Tx,
  { email, clientAddress }: { email: string; clientAddress: string },
): Promise<boolean> {
  const client = sqlClient(tx);
  const network = addressSubject('recovery-mail-network', `${email}\n${addressName(clientAddress)}`);
  if (!(await takeMail(client, { subject: network, max: MAILS_PER_NETWORK }, now()))) return false;
  return await takeMail(client, { subject: addressSubject('recovery-mail', email), max: MAILS_PER_ADDRESS }, now());
}

/** As many as there can be guesses at codes that were mailed. */
function refusalsOf(email: string) {
  return { subject: addressSubject('recovery-refused', email), max: MAILS_PER_ADDRESS * GUESSES_MAX };
}

async function reset(deps: Dependencies, { email, browser, code, password, requestId }: Reset): Promise<ResetOutcome> {
  const { codes, passwords } = deps;
  const owner = ownerOf({ email, browser });
  const verdict = await codes.judge(owner, code);
  if (verdict !== 'accepted') return verdict === 'locked' ? 'locked' : 'invalid';
  const state = await passwords.findState(email);
  if (state === undefined) return 'invalid';
  const weak = passwordProblem(password, email);
  if (weak !== undefined) return { weak };
  const { identityUserId, externalId } = state;
  const hash = await passwords.prepare(identityUserId, password);
  if (hash === undefined) return 'reused';
  return await deps.db.system(async (tx) => {
    // Two resets with one code: the row is gone for the second.
    if (!(await codes.consume(tx, owner, code))) return 'invalid';
    await passwords.replace(tx, { identityUserId, email: state.email, hash });
    await deps.mail.queue(tx, deps.mails.passwordChanged(state.email));
    await deps.record({ externalId, action: 'password.reset', outcome: 'ok', requestId }, tx);
    return 'reset';
  });
}
