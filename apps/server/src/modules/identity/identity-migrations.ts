import type { Migration } from '../../storage/migrations.ts';
import { SYSTEM_ROLE } from '../../storage/roles.ts';
import { authCallMigrations } from './auth-call-migrations.ts';
import { passkeyMigrations } from './passkey-migrations.ts';
import { passwordCostMigrations } from './password-cost-migrations.ts';
import { recoveryMigrations } from './recovery-migrations.ts';
import { rotationMigrations } from './rotation-migrations.ts';
import { signUpMigrations } from './sign-up-migrations.ts';
import { ssoMigrations } from './sso-migrations.ts';

/** Payload: the id of a session that ended before its time. */
export const SESSION_ENDED_CHANNEL = 'airdeck_session_ended';

/**
 * The first part is what the provider's own `compileMigrations` prints for the options of sign-in-provider.ts; a test
 * asks the provider whether anything is missing. Tenants have no rights here at all.
 */
export const identityMigrations: readonly Migration[] = [
  {
    id: '0020-identity',
    up(sql) {
      sql('create schema identity');
      sql('set local search_path = identity');
      sql(`
create table "user" ("id" text not null primary key, "name" text not null, "email" text not null unique, "emailVerified" boolean not null, "image" text, "createdAt" timestamptz default CURRENT_TIMESTAMP not null, "updatedAt" timestamptz default CURRENT_TIMESTAMP not null, "twoFactorEnabled" boolean, "externalId" text not null);
create table "session" ("id" text not null primary key, "expiresAt" timestamptz not null, "token" text not null unique, "createdAt" timestamptz default CURRENT_TIMESTAMP not null, "updatedAt" timestamptz not null, "ipAddress" text, "userAgent" text, "userId" text not null references "user" ("id") on delete cascade);
create table "account" ("id" text not null primary key, "accountId" text not null, "providerId" text not null, "userId" text not null references "user" ("id") on delete cascade, "accessToken" text, "refreshToken" text, "idToken" text, "accessTokenExpiresAt" timestamptz, "refreshTokenExpiresAt" timestamptz, "scope" text, "password" text, "createdAt" timestamptz default CURRENT_TIMESTAMP not null, "updatedAt" timestamptz not null);
create table "verification" ("id" text not null primary key, "identifier" text not null, "value" text not null, "expiresAt" timestamptz not null, "createdAt" timestamptz default CURRENT_TIMESTAMP not null, "updatedAt" timestamptz default CURRENT_TIMESTAMP not null);
create table "twoFactor" ("id" text not null primary key, "secret" text not null, "backupCodes" text not null, "userId" text not null references "user" ("id") on delete cascade, "verified" boolean, "failedVerificationCount" integer, "lockedUntil" timestamptz);
create table "jwks" ("id" text not null primary key, "publicKey" text not null, "privateKey" text not null, "createdAt" timestamptz not null, "expiresAt" timestamptz, "alg" text, "crv" text);
create index "session_userId_idx" on "session" ("userId");
create index "account_userId_idx" on "account" ("userId");
create index "verification_identifier_idx" on "verification" ("identifier");
create index "twoFactor_secret_idx" on "twoFactor" ("secret");
create index "twoFactor_userId_idx" on "twoFactor" ("userId");
`);
      sql(`
create unique index user_external_id on "user" ("externalId");
create table attempt_guard (
  subject text primary key,
  failures integer not null default 0,
  locked_until timestamptz,
  last_step bigint not null default 0,
  touched_at timestamptz not null
);
create index attempt_guard_touched on attempt_guard (touched_at);
create function announce_session_end() returns trigger language plpgsql as $$
begin
  perform pg_notify('${SESSION_ENDED_CHANNEL}', old.id);
  return null;
end $$;
create trigger session_end_announced after delete on "session"
  for each row execute function announce_session_end();
`);
      sql(`
revoke all on schema identity from public;
grant usage on schema identity to ${SYSTEM_ROLE};
grant select, insert, update, delete on all tables in schema identity to ${SYSTEM_ROLE};
`);
      sql('set local search_path = public');
    },
  },
  {
    id: '0021-session-proof',
    up(sql) {
      sql(`
alter table identity."session" add column "method" text;
alter table identity."session" add column "strong" boolean;
alter table identity."session" add column "provenAt" timestamptz;
`);
    },
  },
  ...recoveryMigrations,
  ...rotationMigrations,
  ...passkeyMigrations,
  ...ssoMigrations,
  ...signUpMigrations,
  ...authCallMigrations,
  ...passwordCostMigrations,
];
