import type { Migration } from '../../storage/migrations.ts';
import { ACCESS_CHANNEL } from './tenants-migrations.ts';

/** Everything an answer of access-cache.ts is made of is announced when it changes, new memberships included. */
export const accessMigrations: readonly Migration[] = [
  {
    id: '0044-access-announcements',
    up(sql) {
      sql(`
create function announce_tenant_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('${ACCESS_CHANNEL}', new.id::text);
  return null;
end $$;
create function announce_key_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('${ACCESS_CHANNEL}', old.user_id::text);
  return null;
end $$;
create trigger membership_added_announced after insert on membership
  for each row execute function announce_membership_change();
create trigger app_user_details_announced
  after update of uname, fullname, home_tenant_id, identity_issuer, identity_subject on app_user
  for each row execute function announce_user_change();
create trigger tenant_announced after update of name, managed_by, sku_info, is_provider on tenant
  for each row execute function announce_tenant_change();
create trigger api_key_announced after update of revoked_at, expires_at, role or delete on api_key
  for each row execute function announce_key_change();
`);
    },
  },
];
