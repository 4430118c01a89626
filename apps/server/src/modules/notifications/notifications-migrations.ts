import type { Migration } from '../../storage/migrations.ts';
import { SYSTEM_ROLE } from '../../storage/roles.ts';
import { systemTable, tenantTable } from '../../storage/tenant-table.ts';

/** Said when there is something new to tell; the payload means nothing. */
export const NOTICES_CHANNEL = 'airdeck_notices';

/** Of one person; a list of its own, because what a migration does never changes. */
const personalTables = [
  'notification',
  'notification_delivery',
  'notification_pace',
  'notification_slack',
  'notification_webhook_key',
  'known_device',
] as const;

export const notificationsMigrations: readonly Migration[] = [
  {
    id: '0051-notifications',
    up(sql) {
      const told = `
  kind text not null,
  title text not null,
  text text not null,
  link text,
  created_at timestamptz not null`;
      sql(`
create table notification_event (
  id uuid primary key,
  tenant_id uuid not null references tenant (id),
  audience jsonb not null,${told}
);
create table notification (
  event_id uuid not null,
  tenant_id uuid not null references tenant (id),
  user_id uuid not null references app_user (id) on delete cascade,
  read_at timestamptz,${told},
  primary key (user_id, event_id)
);
create index notification_newest on notification (tenant_id, user_id, created_at desc, event_id desc);
create table notification_delivery (
  event_id uuid not null,
  tenant_id uuid not null references tenant (id),
  user_id uuid not null references app_user (id) on delete cascade,
  channel text not null check (channel in ('mail', 'webhook')),
  due_at timestamptz not null,
  attempts integer not null default 0,${told},
  primary key (user_id, event_id, channel)
);
create index notification_delivery_due on notification_delivery (channel, due_at);
create table notification_pace (
  user_id uuid primary key references app_user (id) on delete cascade,
  window_start timestamptz not null,
  sent integer not null
);
create table notification_webhook_key (
  user_id uuid primary key references app_user (id) on delete cascade,
  version text not null,
  created_at timestamptz not null
);
create table known_device (
  user_id uuid not null references app_user (id) on delete cascade,
  fingerprint text not null,
  last_seen_at timestamptz not null,
  primary key (user_id, fingerprint)
);
create index known_device_last_seen on known_device (last_seen_at);
`);
      sql(tenantTable('notification_event', { appMay: ['insert'] }));
      sql(tenantTable('notification', { appMay: ['select', 'update'] }));
      sql(tenantTable('notification_delivery', { appMay: [] }));
      for (const table of ['notification_pace', 'notification_webhook_key', 'known_device']) sql(systemTable(table));
    },
  },
  {
    id: '0074-device-before-user',
    up(sql) {
      // The device somebody signs up on is known before there is a user; users are never deleted, so nothing is lost.
      sql('alter table known_device drop constraint known_device_user_id_fkey');
    },
  },
  {
    id: '0111-questions',
    up(sql) {
      for (const table of ['notification_event', 'notification', 'notification_delivery']) {
        // Of an open question only, so that the indexes stay as small as what is open.
        sql(`alter table ${table} add column prompt_id uuid, add column question jsonb`);
        sql(`create index ${table}_question on ${table} (tenant_id, prompt_id) where prompt_id is not null`);
      }
      sql(`
create table notification_end (
  id uuid primary key,
  tenant_id uuid not null references tenant (id),
  prompt_id uuid not null
);
`);
      sql(tenantTable('notification_end', { appMay: ['insert'] }));
    },
  },
  {
    id: '0175-slack',
    up(sql) {
      sql(`
alter table notification_delivery drop constraint notification_delivery_channel_check;
alter table notification_delivery add constraint notification_delivery_channel_check
  check (channel in ('mail', 'webhook', 'slack'));
alter table notification_delivery
  add column held boolean not null default false,
  add column in_flight boolean not null default false;
alter table notification_pace add column channel text not null default 'mail' check (channel in ('mail', 'slack'));
alter table notification_pace alter column channel drop default;
alter table notification_pace drop constraint notification_pace_pkey;
alter table notification_pace add primary key (user_id, channel);
create table notification_slack (
  user_id uuid primary key references app_user (id) on delete cascade,
  host text not null,
  wrapped_key jsonb not null,
  sealed_url jsonb not null,
  set_at timestamptz not null
);
`);
      sql(systemTable('notification_slack'));
    },
  },
  {
    id: '0188-notice-languages',
    up(sql) {
      sql(`alter table notification_event add column said jsonb not null default '{}'`);
    },
  },
  {
    id: '0191-notice-times',
    up(sql) {
      sql(`alter table notification_event add column times timestamptz[] not null default '{}'`);
    },
  },
  {
    id: '0203-left-behind',
    up(sql) {
      // Before, an account that was deleted left these rows, and who lost a tenant in some ways kept keys of it that would
      // open it again with the next membership.
      sql(`set local role ${SYSTEM_ROLE}`);
      for (const table of personalTables) {
        sql(`
delete from ${table} where user_id in (select id from app_user where identity_issuer = 'urn:airdeck:deleted')`);
      }
      sql(`
delete from user_sign_in where user_id in (select id from app_user where identity_issuer = 'urn:airdeck:deleted');
update api_key k set revoked_at = now() where k.revoked_at is null
  and not exists (select 1 from membership m where m.user_id = k.user_id and m.tenant_id = k.tenant_id);
set local role none;
`);
    },
  },
  {
    id: '0206-notification-times',
    up(sql) {
      sql(`alter table notification add column times timestamptz[] not null default '{}'`);
    },
  },
  {
    id: '0207-channel-failures',
    up(sql) {
      sql(`
create table notification_failure (
  user_id uuid not null references app_user (id) on delete cascade,
  channel text not null check (channel in ('webhook', 'slack')),
  address text not null,
  at timestamptz not null,
  told jsonb not null,
  primary key (user_id, channel)
);
`);
      sql(systemTable('notification_failure'));
    },
  },
];
