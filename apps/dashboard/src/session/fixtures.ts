import type { Role } from '@airdeck/contracts/access/roles';
import type { CurrentUser } from '@airdeck/contracts/me/schema';
import type { BrowserStorage } from '../lib/browser-storage.ts';

export const ownTenant = '01920000-0000-7000-8000-000000000001';
export const otherTenant = '01920000-0000-7000-8000-000000000002';
export const foreignTenant = '01920000-0000-7000-8000-000000000009';

const silent = { in_app: false, mail: false, webhook: false, slack: false };

/** A user of two tenants: own one with search, the other a smaller plan. */
export function userWith(roles: { own?: Role; other?: Role } = { own: 'Analyst', other: 'ReadOnly' }): CurrentUser {
  const plan = (is_search_enabled: boolean) => ({
    managed_by: null,
    is_provider: false,
    brand: { display_name: '', colour: null },
    sku_info: {
      sku_name: 'AIR',
      is_mdr_enabled: false,
      is_search_enabled,
      retention_length_days: 90,
      search_length_days: 30,
    },
  });
  const tenants = [
    { id: ownTenant, fullname: 'Northwind Traders', role: roles.own, plan: plan(true) },
    { id: otherTenant, fullname: 'Contoso Health', role: roles.other, plan: plan(false) },
  ].flatMap(({ role, ...tenant }) => (role === undefined ? [] : [{ ...tenant, role }]));
  return {
    user: {
      id: '01920000-0000-7000-8000-0000000000aa',
      uname: 'ana.souza@northwind.example',
      fullname: 'Ana Souza',
      email: 'ana.souza@northwind.example',
      tenant: ownTenant,
      locale: 'en-US',
      phone: '',
      job_title: '',
      timezone: '',
      notification_preferences: {
        kinds: {
          case_opened: silent,
          case_assigned: silent,
          case_mentioned: silent,
          sla_warning: silent,
          sla_breach: silent,
          prompt_waiting: silent,
          run_failed: silent,
          automation_stopped: silent,
          connector_down: silent,
          source_silent: silent,
          domain_unproved: silent,
          objective_missed: silent,
          work_stalled: silent,
          report_ready: silent,
          account_security: silent,
        },
        quiet_hours: { enabled: false, from: '22:00', to: '07:00' },
        digest: 'off',
        webhook_url: null,
      },
      external_id: 'ext-1',
      mfa_enabled: true,
      social: false,
    },
    allowed_tenants: tenants.map(({ id, fullname }) => ({ id, fullname })),
    tenant_roles: Object.fromEntries(tenants.map(({ id, role }) => [id, role])),
    tenants: Object.fromEntries(tenants.map(({ id, plan: of }) => [id, of])),
  };
}

export function memoryStorage(): BrowserStorage & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}
