import type { Role } from '@airdeck/contracts/access/roles';
import type { SkuInfo } from '@airdeck/contracts/me/schema';
import type { StoredPreferences } from '@airdeck/contracts/notifications/schema';
import type { Brand } from '@airdeck/contracts/tenants/schema';
import type { ColumnType, Generated } from 'kysely';

type Json<T> = ColumnType<T, string, string>;

export type TenantTable = {
  id: string;
  name: string;
  /** The provider's tenant that manages this one. */
  managed_by: string | null;
  sku_info: Json<SkuInfo>;
  /** May manage other tenants. */
  is_provider: ColumnType<boolean, boolean | undefined, boolean>;
  brand: ColumnType<Brand, string | undefined, string>;
  created_at: Generated<Date>;
};

export type MembershipTable = {
  tenant_id: string;
  user_id: string;
  role: Role;
  /** `provider`: follows the person's role at the provider that manages the tenant, and is changed there. */
  source: ColumnType<'direct' | 'provider', 'direct' | 'provider' | undefined, 'direct' | 'provider'>;
  created_at: Generated<Date>;
};

export type AppUserTable = {
  id: string;
  uname: string;
  fullname: string;
  email: string;
  home_tenant_id: string;
  locale: string;
  phone: Generated<string>;
  job_title: Generated<string>;
  timezone: Generated<string>;
  /** Null until the user first changes them: `default-preferences` then counts, as for a kind that is not named. */
  notification_preferences: ColumnType<StoredPreferences | null, string | null | undefined, string | null>;
  /** Who vouches for the user, and under which name; together they are the identity, the e-mail address never is. */
  identity_issuer: string;
  identity_subject: string;
  status: 'active' | 'invited' | 'disabled';
  created_at: Generated<Date>;
};

export type TenantsTables = { tenant: TenantTable; membership: MembershipTable; app_user: AppUserTable };
