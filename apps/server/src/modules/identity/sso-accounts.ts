/**
 * Accounts elsewhere that open an account here. Issuer and subject together are the identity (`providerId` `oidc:<issuer>`,
 * `accountId` the subject); an e-mail address never is, however verified.
 */
import type { Pool } from 'pg';
import type { SqlClient } from '../../storage/database.ts';
import type { ExternalProof } from '../sso/sso-port.ts';

const PROVIDER_PREFIX = 'oidc:';

export type KnownIdentity = {
  identityUserId: string;
  /** Id of our own user, who may not exist yet. */
  externalId: string;
  hasTotp: boolean;
};

export type ExternalAccount = { id: string; label: string; account: string };

/**
 * Whoever is behind issuer and subject. Holds the pair until the transaction ends, also when nobody is: of two first
 * sign-ins at once the second finds what the first made.
 */
export async function findIdentity(
  client: SqlClient,
  { issuer, subject }: Pick<ExternalProof, 'issuer' | 'subject'>,
): Promise<KnownIdentity | undefined> {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [JSON.stringify([issuer, subject])]);
  const { rows } = await client.query<KnownIdentity>(
    `select u."id" as "identityUserId", u."externalId", coalesce(u."twoFactorEnabled", false) as "hasTotp"
     from identity."account" a join identity."user" u on u."id" = a."userId"
     where a."providerId" = $1 and a."accountId" = $2`,
    [PROVIDER_PREFIX + issuer, subject],
  );
  return rows[0];
}

export type NewIdentity = {
  id: string;
  externalId: string;
  email: string;
  emailVerified: boolean;
  name: string;
  at: Date;
};

/** False when the address (or the user) has a sign-in already: that one is never joined, whoever vouches for the address. */
export async function createIdentity(client: SqlClient, identity: NewIdentity): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into identity."user" ("id", "name", "email", "emailVerified", "externalId", "createdAt", "updatedAt")
     values ($1, $2, $3, $4, $5, $6, $6) on conflict do nothing`,
    [identity.id, identity.name, identity.email, identity.emailVerified, identity.externalId, identity.at],
  );
  return rowCount === 1;
}

type Attachment = {
  id: string;
  identityUserId: string;
  proof: Pick<ExternalProof, 'issuer' | 'subject' | 'email' | 'name' | 'directory'>;
  connection: { id: string; label: string };
  at: Date;
};

/** After `findIdentity` found nobody, in the same transaction. */
export async function attachAccount(client: SqlClient, { id, identityUserId, proof, connection, at }: Attachment) {
  await client.query(
    `insert into identity."account" ("id", "accountId", "providerId", "userId", "createdAt", "updatedAt")
     values ($1, $2, $3, $4, $5, $5)`,
    [id, proof.subject, PROVIDER_PREFIX + proof.issuer, identityUserId, at],
  );
  await client.query(
    `insert into identity.external_account
       (account_id, label, shown, connection, linked_at, directory_tenant, directory_object)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      ...[id, connection.label, proof.email ?? proof.name, connection.id, at],
      ...[proof.directory?.tenant ?? null, proof.directory?.object ?? null],
    ],
  );
}

/** Ids of the person in their directory, which accounts linked before they were kept get with their next sign-in. */
export async function noteDirectory(
  client: SqlClient,
  { issuer, subject, directory }: Pick<ExternalProof, 'issuer' | 'subject' | 'directory'>,
): Promise<void> {
  if (directory === null) return;
  await client.query(
    `update identity.external_account e set directory_tenant = $3, directory_object = $4
     from identity."account" a
     where a."id" = e.account_id and a."providerId" = $1 and a."accountId" = $2
       and (e.directory_tenant, e.directory_object) is distinct from ($3::uuid, $4::uuid)`,
    [PROVIDER_PREFIX + issuer, subject, directory.tenant, directory.object],
  );
}

/** Everything linked to a sign-in, oldest first. `account` is how the other side named it when it was linked. */
export async function listExternalAccounts(pool: Pool, identityUserId: string): Promise<ExternalAccount[]> {
  const { rows } = await pool.query<ExternalAccount>(
    `select a."id", coalesce(e.label, 'External account') as "label", coalesce(e.shown, '') as "account"
     from identity."account" a left join identity.external_account e on e.account_id = a."id"
     where a."userId" = $1 and a."providerId" like '${PROVIDER_PREFIX}%'
     order by a."createdAt", a."id"`,
    [identityUserId],
  );
  return rows;
}

export type Unlinked = 'unlinked' | 'unknown' | 'only_way_in';

/**
 * Sessions that began with the account end with it, except the one that is told to stay. With a tenant whose connections
 * alone let the person in, what stays has to be an account of one that is enabled.
 */
export async function unlinkAccount(
  client: SqlClient,
  {
    id,
    identityUserId,
    sessionId,
    requiredTenant,
  }: { id: string; identityUserId: string; sessionId: string; requiredTenant: string | undefined },
): Promise<Unlinked> {
  // Two ways in that are taken away at once are each the other's reason to be allowed to.
  await client.query('select 1 from identity."user" where "id" = $1 for update', [identityUserId]);
  const { rows } = await client.query<{ connection: string | null; others: boolean }>(
    `select e.connection,
            case when $3::uuid is null then
              exists (select 1 from identity."account" o where o."userId" = $2 and o."id" <> $1)
                or exists (select 1 from identity.passkey p where p.user_id = $2)
            else
              exists (select 1 from identity."account" o join identity.external_account x on x.account_id = o."id"
                join sso_connection c on c.tenant_id = $3 and c.enabled
                  and (c.id::text = x.connection or o."providerId" = '${PROVIDER_PREFIX}' || c.issuer)
                where o."userId" = $2 and o."id" <> $1)
            end as "others"
     from identity."account" a left join identity.external_account e on e.account_id = a."id"
     where a."id" = $1 and a."userId" = $2 and a."providerId" like '${PROVIDER_PREFIX}%'`,
    [id, identityUserId, requiredTenant ?? null],
  );
  const [found] = rows;
  if (found === undefined) return 'unknown';
  if (!found.others) return 'only_way_in';
  await client.query('delete from identity."account" where "id" = $1', [id]);
  await client.query(
    `delete from identity."session" where "userId" = $1 and "method" = 'external:' || $2::text and "id" <> $3`,
    [identityUserId, found.connection, sessionId],
  );
  return 'unlinked';
}
