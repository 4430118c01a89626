import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { sqlClient } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';

export type PendingSignUp = { email: string; fullname: string; passwordHash: string };

/** Sign-ups whose address is not proved yet, by the hash of what the browser that began holds. */
export type SignUpStore = {
  put(tx: Tx, browser: string, signUp: PendingSignUp & { expiresAt: Date }): Promise<void>;
  /** Takes it out: whoever comes second finds nothing. */
  take(tx: Tx, browser: string): Promise<PendingSignUp | undefined>;
  /** Whether somebody has this address already, as a sign-in here or as a user who signs in elsewhere. */
  isAddressKnown(tx: Tx, email: string): Promise<boolean>;
  /**
   * Id of the user with this address whom nobody has, and whom the tenant may let begin anew: its own leaver, or one who has
   * no way in any more, as all they have are accounts of tenants' single sign-on. Disabled or not: nobody is left who could
   * enable them. Until the transaction ends they become a member of none.
   */
  findLeft(tx: Tx, of: { email: string; tenant: string }): Promise<string | undefined>;
  forgetOld(): Promise<void>;
};

/** Of a sign-in `i`. The connections of a tenant let in nobody whom it has removed; those of the installation do. */
const HAS_A_WAY_IN = `(
  exists (select 1 from identity.passkey p where p.user_id = i."id")
  or exists (
    select 1 from identity."account" a left join identity.external_account e on e.account_id = a."id"
    where a."userId" = i."id" and (a."password" is not null or a."providerId" <> 'credential'
      and not exists (select 1 from sso_connection c where c.id::text = e.connection))))`;

export function createSignUpStore({ pool, now }: { pool: Pool; now: () => Date }): SignUpStore {
  return {
    async put(tx, browser, { email, fullname, passwordHash, expiresAt }) {
      await sqlClient(tx).query(
        `insert into identity.pending_sign_up (browser_hash, email, fullname, password_hash, expires_at)
         values ($1, $2, $3, $4, $5)
         on conflict (browser_hash) do update set email = excluded.email, fullname = excluded.fullname,
           password_hash = excluded.password_hash, expires_at = excluded.expires_at`,
        [hashOf(browser), email, fullname, passwordHash, expiresAt],
      );
    },
    async take(tx, browser) {
      const { rows } = await sqlClient(tx).query<PendingSignUp>(
        `delete from identity.pending_sign_up where browser_hash = $1 and expires_at > $2
         returning email, fullname, password_hash as "passwordHash"`,
        [hashOf(browser), now()],
      );
      return rows[0];
    },
    async isAddressKnown(tx, email) {
      const { rows } = await sqlClient(tx).query<{ known: boolean }>(
        `select exists (select 1 from identity."user" where "email" = $1)
           or exists (select 1 from app_user where email = $1) as known`,
        [email],
      );
      return rows[0]?.known === true;
    },
    async findLeft(tx, { email, tenant }) {
      const { rows } = await sqlClient(tx).query<{ id: string }>(
        `select u.id from app_user u join identity."user" i on i."externalId" = u.id::text and i."email" = u.email
         where u.email = $1 and (u.home_tenant_id = $2 or not ${HAS_A_WAY_IN})
           and not exists (select 1 from membership m where m.user_id = u.id)
         for update of u`,
        [email, tenant],
      );
      return rows[0]?.id;
    },
    async forgetOld() {
      await pool.query('delete from identity.pending_sign_up where expires_at < $1', [now()]);
    },
  };
}

function hashOf(browser: string): Buffer {
  return createHash('sha256').update(browser).digest();
}
