import type { TenantSettings } from '@airdeck/contracts/settings/schema';

/** As a tenant has them that changed nothing. */
export const tenantSettings: TenantSettings = {
  name: 'Northwind Traders',
  brand: { display_name: '', colour: null, logo: null },
  mfa: { required_for_social: false },
  sign_in: { sso_required: false, break_glass: [] },
  retention: { days: 90, plan_days: 90, search_days: 30 },
  automation: { enabled: true, changed_by: null, changed_at: null },
  approvals: { two_people: false },
  is_provider: false,
  updated_at: '2026-11-01T00:00:00.000Z',
};
