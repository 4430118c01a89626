/**
 * Setting a new password with a mailed code, because it was forgotten or because an administrator asked for it.
 *
 * A code is requested → confirmed as often as one likes → used up by the one reset that succeeds. What is different for
 * known addresses (code, mail, audit) happens after the answer. The second factor stays as it is.
 */
import type { PasswordProblem } from '@airdeck/contracts/access/password-problems';
import { AppError } from '../../http/app-error.ts';
import { type Database, sqlClient } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { Mail } from '../mail/mail-port.ts';
import type { AccountMails } from './account-mails.ts';
import { addressSubject } from './attempt-guard.ts';
import type { RecordSecurity } from './auth-call.ts';
import { type MailCodes, takeMail } from './mail-codes.ts';
import { passwordProblem } from './password-policy.ts';
import type { PasswordState, PasswordStore } from './password-store.ts';

const MAILS_PER_ADDRESS = 3;
const REQUESTS_PER_CLIENT = 30;

/** `browser`: what the browser holds in which the code was asked for. */
type Reset = { email: string; browser: string; code: string; password: string; requestId: string };

export type ResetOutcome = 'reset' | 'invalid' | 'locked' | 'reused' | { weak: PasswordProblem };

export type PasswordRecovery = {
  /** False when that client asked too often, for whichever addresses. */
  mayRequest(clientAddress: string): Promise<boolean>;
  /** Mails a code to a known address, within the limit; nothing for an unknown one. */
  request(asked: { email: string; browser: string; requestId: string }): Promise<void>;
  /** Whether the code is the one mailed; it stays good. */
  confirm(given: { email: string; browser: string; code: string }): Promise<'accepted' | 'refused' | 'locked'>;
  reset(request: Reset): Promise<ResetOutcome>;
  /** The person has to choose a new password before anything else: mails a code, within the limit. */
  mailRequired(state: PasswordState, asked: { browser: string; requestId: string }): Promise<void>;
  /** Asks for a new password, ends every session and says so by mail. Throws NOT_FOUND, and CONFLICT without a password. */
  require(externalId: string): Promise<void>;
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
      const limit = { subject: addressSubject('recovery-client', clientAddress), max: REQUESTS_PER_CLIENT };
      return db.system((tx) => takeMail(sqlClient(tx), limit, deps.now()));
    },
    request: (asked) => requestCode(deps, asked),
    confirm: ({ code, ...asked }) => codes.judge(ownerOf(asked), code),
    reset: (request) => reset(deps, request),
    async mailRequired(state, { browser, requestId }) {
      await db.system(async (tx) => {
        await mailCode(deps, tx, { email: state.email, browser }, deps.mails.newPasswordRequired);
        const reason = 'NEW_PASSWORD_REQUIRED';
        await record(
          { externalId: state.externalId, action: 'session.sign_in', outcome: 'refused', reason, requestId },
          tx,
        );
      });
    },
    async require(externalId) {
      await db.system(async (tx) => {
        const { rows } = await sqlClient(tx).query<{ email: string }>(
          'select "email" from identity."user" where "externalId" = $1',
          [externalId],
        );
        const state = rows[0] === undefined ? undefined : await passwords.findState(rows[0].email);
        if (state === undefined) throw new AppError('NOT_FOUND');
        if (!state.hasPassword) {
          throw new AppError('CONFLICT', {
            message: 'This person signs in through another service: no password to reset.',
          });
        }
        await passwords.requireNew(tx, state.identityUserId);
        // Without a code: nobody has asked for one in a browser yet.
        await mailWithout(deps, tx, state, deps.mails.newPasswordWanted);
      });
    },
    async recordRefused(email, requestId) {
      const state = await passwords.findState(email);
      if (state === undefined) return;
      const { externalId } = state;
      await record({ externalId, action: 'password.reset', outcome: 'refused', reason: 'INVALID_CODE', requestId });
    },
  };
}

async function requestCode(
  deps: Dependencies,
  { email, browser, requestId }: Parameters<PasswordRecovery['request']>[0],
): Promise<void> {
  const state = await deps.passwords.findState(email);
  if (state === undefined) return;
  await deps.db.system(async (tx) => {
    const { externalId } = state;
    const mailed = state.hasPassword
      ? await mailCode(deps, tx, { email: state.email, browser }, deps.mails.recoveryCode)
      : await mailWithout(deps, tx, state, deps.mails.noPassword);
    await deps.record(
      mailed
        ? { externalId, action: 'password.reset_request', outcome: 'ok', requestId }
        : { externalId, action: 'password.reset_request', outcome: 'refused', reason: 'RATE_LIMITED', requestId },
      tx,
    );
  });
}

/** False when the address had its share of mails. */
async function mailCode(
  deps: Dependencies,
  tx: Tx,
  asked: { email: string; browser: string },
  write: (to: string, code: string) => Parameters<Mail['queue']>[1],
): Promise<boolean> {
  if (!(await takeMail(sqlClient(tx), limitOf(asked.email), deps.now()))) return false;
  await deps.mail.queue(tx, write(asked.email, await deps.codes.issue(tx, ownerOf(asked))));
  return true;
}

async function mailWithout(
  deps: Dependencies,
  tx: Tx,
  { email }: PasswordState,
  write: (to: string) => Parameters<Mail['queue']>[1],
): Promise<boolean> {
  if (!(await takeMail(sqlClient(tx), limitOf(email), deps.now()))) return false;
  await deps.mail.queue(tx, write(email));
  return true;
}

function limitOf(email: string) {
  return { subject: addressSubject('recovery-mail', email), max: MAILS_PER_ADDRESS };
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
