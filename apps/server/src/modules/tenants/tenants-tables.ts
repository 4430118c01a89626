import type { Role } from '@airdeck/contracts/access/roles';
import type { SkuInfo } from '@airdeck/contracts/me/schema';
import type { ColumnType, Generated } from 'kysely';

type Json<T> = ColumnType<T, string, string>;

export type TenantTable = {
  id: string;
  name: string;
  /** The provider's tenant that manages this one. */
  managed_by: string | null;
  sku_info: Json<SkuInfo>;
  created_at: Generated<Date>;
};

export type MembershipTable = { tenant_id: string; user_id: string; role: Role; created_at: Generated<Date> };

export type AppUserTable = {
  id: string;
  uname: string;
  fullname: string;
  email: string;
  home_tenant_id: string;
  locale: string;
  /** Who vouches for the user, and under which name; together they are the identity, the e-mail address never is. */
  identity_issuer: string;
  identity_subject: string;
  status: 'active' | 'invited' | 'disabled';
  created_at: Generated<Date>;
};

export type TenantsTables = { tenant: TenantTable; membership: MembershipTable; app_user: AppUserTable };
