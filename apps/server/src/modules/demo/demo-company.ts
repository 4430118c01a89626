import type { Role } from '@airdeck/contracts/access/roles';
import type { SkuInfo } from '@airdeck/contracts/me/schema';

/** The invented organisations of the demo workspace: a provider and two customers it manages. Names are made up. */

export type DemoTenantKey = 'provider' | 'foods' | 'clinics';

export type DemoTenant = { key: DemoTenantKey; name: string; managedBy: DemoTenantKey | null; plan: SkuInfo };

export const demoTenants: readonly DemoTenant[] = [
  {
    key: 'provider',
    name: 'Lumen Ridge Security',
    managedBy: null,
    plan: {
      sku_name: 'Provider',
      is_mdr_enabled: true,
      is_search_enabled: true,
      retention_length_days: 90,
      search_length_days: 90,
    },
  },
  {
    key: 'foods',
    name: 'Meridian Foods',
    managedBy: 'provider',
    plan: {
      sku_name: 'Complete',
      is_mdr_enabled: true,
      is_search_enabled: true,
      retention_length_days: 90,
      search_length_days: 30,
    },
  },
  {
    key: 'clinics',
    name: 'Harbor Clinics',
    managedBy: 'provider',
    plan: {
      sku_name: 'Essential',
      is_mdr_enabled: false,
      is_search_enabled: false,
      retention_length_days: 30,
      search_length_days: 7,
    },
  },
];

export type DemoUser = {
  fullname: string;
  email: string;
  /** The user's own tenant: the first session opens here. */
  home: DemoTenantKey;
  roles: Partial<Record<DemoTenantKey, Role>>;
};

/** One user for each role in one tenant, and one with several tenants and different roles in them. */
export const demoUsers: readonly DemoUser[] = [
  { fullname: 'Ana Souza', email: 'ana.souza@meridian-foods.example', home: 'foods', roles: { foods: 'Analyst' } },
  { fullname: 'Marcus Bell', email: 'marcus.bell@meridian-foods.example', home: 'foods', roles: { foods: 'Admin' } },
  {
    fullname: 'Priya Nair',
    email: 'priya.nair@meridian-foods.example',
    home: 'foods',
    roles: { foods: 'SystemManager' },
  },
  { fullname: 'Tom Okafor', email: 'tom.okafor@meridian-foods.example', home: 'foods', roles: { foods: 'ReadOnly' } },
  {
    fullname: 'Elena Fischer',
    email: 'elena.fischer@lumen-ridge.example',
    home: 'provider',
    roles: { provider: 'Admin', foods: 'Analyst', clinics: 'ReadOnly' },
  },
  { fullname: 'Grace Lin', email: 'grace.lin@harbor-clinics.example', home: 'clinics', roles: { clinics: 'Admin' } },
];
