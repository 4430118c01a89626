import { PASSWORD_MAX, PASSWORD_MIN, passwordProblems } from '@airdeck/contracts/access/password-problems';
import { symmetricEncrypt } from 'better-auth/crypto';
import type { Pool } from 'pg';
import { AppError } from '../../http/app-error.ts';
import { sqlClient } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { DirectoryId } from '../sso/sso-port.ts';
import { newRecoveryCodes, sealRecoveryCodes } from './recovery-codes.ts';
import { secondFactorSubject } from './second-factor.ts';
import type { SignInProvider } from './sign-in-provider.ts';
import { keyOfSecret } from './totp.ts';

export type NewLocalUser = {
  /** Id of our own user, which tokens carry as `external_id`. */
  externalId: string;
  email: string;
  password: string;
  fullname: string;
  /** Base32, made by `newTotpSecret`. Without it the user must set up an authenticator before anything else. */
  totpSecret?: string;
};

/** What the provider knows of somebody, by the subject of their tokens. */
export type LocalProfile = {
  /** Lower case. */
  email: string;
  emailVerified: boolean;
  fullname: string;
  hasMfa: boolean;
  /** Has an account of another provider to sign in with. */
  hasExternal: boolean;
  hasPassword: boolean;
  /** Who they are in directories of Microsoft, by the accounts of those that are linked. */
  directories: readonly DirectoryId[];
};

export type LocalUsers = {
  /**
   * Creates the sign-in of a user; `subject` goes into the user's row. The same user again (external id and e-mail
   * address) is returned as it is, so that an interrupted set-up can be repeated. Throws CONFLICT for an address that
   * belongs to somebody else.
   */
  create(user: NewLocalUser): Promise<{ subject: string; recoveryCodes: readonly string[] }>;
  /**
   * Creates a sign-in with a password in the caller's system transaction, its address counted as verified. Undefined
   * when the address has one already, also when two try at once.
   */
  register(
    tx: Tx,
    user: { externalId: string; email: string; fullname: string; passwordHash: string },
  ): Promise<{ subject: string } | undefined>;
  /** Deletes the sign-in with everything that belongs to it, sessions too, in the caller's system transaction. */
  remove(tx: Tx, externalId: string): Promise<void>;
  findProfile(subject: string): Promise<LocalProfile | undefined>;
  /**
   * Ends every session of the user, lets the next sign-in through only with a new password, and says so by mail, in the
   * caller's system transaction. Throws NOT_FOUND, CONFLICT for somebody who has no password here, and RATE_LIMITED.
   */
  requirePasswordReset(tx: Tx, externalId: string): Promise<void>;
  /** External id behind an e-mail address, for the audit of failed attempts. */
  findExternalId(email: string): Promise<string | undefined>;
  /** The steps of the last authenticator codes that were used, by the addresses they are asked for. */
  lastCodeSteps(emails: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Opens a session and returns an access token for it, without any proof: for tests and tools inside this process. */
  openSession(externalId: string): Promise<{ token: string; sessionId: string }>;
  /** Ends every session of the user. */
  endSessions(externalId: string): Promise<void>;
};

type Dependencies = {
  pool: Pool;
  provider: SignInProvider;
  ids: () => string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
  /** Slow on purpose; shares the bound of sign-ins. */
  hashPassword: (password: string) => Promise<string>;
  tokenFor: (session: { user: Record<string, unknown>; session: Record<string, unknown> }) => Promise<string>;
  requirePasswordReset: LocalUsers['requirePasswordReset'];
};

export function createLocalUsers(deps: Dependencies): LocalUsers {
  const { pool, provider } = deps;
  return {
    create: (user) => createUser(deps, user),
    register: (tx, user) => register(deps, tx, user),
    async remove(tx, externalId) {
      await sqlClient(tx).query('delete from identity."user" where "externalId" = $1', [externalId]);
    },
    async findProfile(subject) {
      const { rows } = await pool.query<LocalProfile>(
        `select u."email", u."emailVerified", u."name" as "fullname", coalesce(u."twoFactorEnabled", false) as "hasMfa",
           exists (select 1 from identity."account" a where a."userId" = u."id" and a."providerId" <> 'credential') as "hasExternal",
           exists (select 1 from identity."account" a where a."userId" = u."id" and a."providerId" = 'credential') as "hasPassword",
           (select coalesce(json_agg(json_build_object('tenant', e.directory_tenant, 'object', e.directory_object)), '[]')
              from identity."account" a join identity.external_account e on e.account_id = a."id"
              where a."userId" = u."id" and e.directory_tenant is not null) as "directories"
         from identity."user" u where u."id" = $1`,
        [subject],
      );
      return rows[0];
    },
    async findExternalId(email) {
      const { rows } = await pool.query<{ externalId: string }>(
        'select "externalId" from identity."user" where "email" = $1',
        [email.toLowerCase()],
      );
      return rows[0]?.externalId;
    },
    async lastCodeSteps(emails) {
      const { rows } = await pool.query<{ email: string; step: number }>(
        `select u."email", g.last_step as step from identity."user" u
           join identity.attempt_guard g on g.subject = $2 || u."id" where u."email" = any($1::text[])`,
        [emails, secondFactorSubject('')],
      );
      return new Map(rows.map(({ email, step }) => [email, step]));
    },
    async openSession(externalId) {
      const { internalAdapter } = await provider.$context;
      const { rows } = await pool.query<{ id: string }>('select "id" from identity."user" where "externalId" = $1', [
        externalId,
      ]);
      const user = rows[0] === undefined ? null : await internalAdapter.findUserById(rows[0].id);
      if (user === null) throw new AppError('NOT_FOUND');
      const session = await internalAdapter.createSession(user.id);
      return { token: await deps.tokenFor({ user, session }), sessionId: session.id };
    },
    requirePasswordReset: deps.requirePasswordReset,
    async endSessions(externalId) {
      await pool.query(
        'delete from identity."session" where "userId" = (select "id" from identity."user" where "externalId" = $1)',
        [externalId],
      );
    },
  };
}

async function register(
  { ids, now }: Dependencies,
  tx: Tx,
  user: { externalId: string; email: string; fullname: string; passwordHash: string },
): Promise<{ subject: string } | undefined> {
  const client = sqlClient(tx);
  const subject = ids();
  const { rows } = await client.query(
    `insert into identity."user" ("id", "name", "email", "emailVerified", "externalId", "createdAt", "updatedAt")
     values ($1, $2, $3, true, $4, $5, $5) on conflict do nothing returning "id"`,
    [subject, user.fullname, user.email.toLowerCase(), user.externalId, now()],
  );
  if (rows.length === 0) return undefined;
  await client.query(
    `insert into identity."account" ("id", "accountId", "providerId", "userId", "password", "createdAt", "updatedAt")
     values ($1, $2, 'credential', $2, $3, $4, $4)`,
    [ids(), subject, user.passwordHash, now()],
  );
  return { subject };
}

async function createUser(deps: Dependencies, user: NewLocalUser) {
  const { pool, provider } = deps;
  const email = user.email.toLowerCase();
  if (user.password.length < PASSWORD_MIN || user.password.length > PASSWORD_MAX) {
    throw new AppError('VALIDATION_FAILED', { message: passwordProblems.length });
  }
  const existing = await pool.query<{ id: string; externalId: string; complete: boolean }>(
    `select u."id", u."externalId",
            exists (select 1 from identity."account" a where a."userId" = u."id")
              and (coalesce(u."twoFactorEnabled", false) or not $2::boolean) as complete
     from identity."user" u where u."email" = $1`,
    [email, user.totpSecret !== undefined],
  );
  const [found] = existing.rows;
  if (found !== undefined) {
    if (found.externalId !== user.externalId) {
      throw new AppError('CONFLICT', { message: 'This e-mail address belongs to another user.' });
    }
    if (found.complete) return { subject: found.id, recoveryCodes: [] };
    // A start that died half-way left a user nobody can sign in with: it is made again from the beginning.
    await pool.query('delete from identity."user" where "id" = $1', [found.id]);
  }
  const { internalAdapter } = await provider.$context;
  const hash = await deps.hashPassword(user.password);
  const created = await internalAdapter.createUser(
    { email, name: user.fullname, emailVerified: true, externalId: user.externalId },
    { method: 'admin' },
  );
  await internalAdapter.linkAccount({
    userId: created.id,
    providerId: 'credential',
    accountId: created.id,
    password: hash,
  });
  if (user.totpSecret === undefined) return { subject: created.id, recoveryCodes: [] };
  return { subject: created.id, recoveryCodes: await enrol(deps, created.id, user.totpSecret) };
}

async function enrol(deps: Dependencies, userId: string, totpSecret: string): Promise<string[]> {
  const { adapter, internalAdapter, secretConfig: key } = await deps.provider.$context;
  const recoveryCodes = newRecoveryCodes(deps.randomBytes);
  await adapter.create({
    model: 'twoFactor',
    data: {
      userId,
      secret: await symmetricEncrypt({ key, data: keyOfSecret(totpSecret) }),
      backupCodes: await sealRecoveryCodes(key, recoveryCodes),
      verified: true,
    },
  });
  await internalAdapter.updateUser(userId, { twoFactorEnabled: true });
  return recoveryCodes;
}
