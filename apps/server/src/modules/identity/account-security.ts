import type { Pool } from 'pg';
import type { BrowserSession } from './browser-sessions.ts';
import { listPasskeys } from './passkey-store.ts';
import { countRecoveryCodes } from './recovery-codes.ts';
import type { SignInProvider } from './sign-in-provider.ts';
import { listExternalAccounts } from './sso-accounts.ts';

type Row = { hasPassword: boolean; hasTotp: boolean; sealedCodes: string | null };

/** The ways into an account, as its owner sees them. */
export async function readAccountSecurity(
  { pool, provider }: { pool: Pool; provider: SignInProvider },
  { identityUserId, email }: Pick<BrowserSession, 'identityUserId' | 'email'>,
) {
  const { rows } = await pool.query<Row>(
    `select exists (select 1 from identity."account" a
                    where a."userId" = u."id" and a."providerId" = 'credential' and a."password" is not null) as "hasPassword",
            coalesce(u."twoFactorEnabled", false) as "hasTotp",
            (select t."backupCodes" from identity."twoFactor" t where t."userId" = u."id" and t."verified") as "sealedCodes"
     from identity."user" u where u."id" = $1`,
    [identityUserId],
  );
  const [row] = rows;
  const { secretConfig } = await provider.$context;
  const sealed = row?.sealedCodes ?? undefined;
  const passkeys = await listPasskeys(pool, identityUserId);
  return {
    email,
    has_password: row?.hasPassword === true,
    has_totp: row?.hasTotp === true,
    recovery_codes_left: sealed === undefined ? 0 : await countRecoveryCodes(secretConfig, sealed),
    passkeys: passkeys.map(({ id, name, created_at, last_used_at }) => ({ id, name, created_at, last_used_at })),
    external: await listExternalAccounts(pool, identityUserId),
  };
}
