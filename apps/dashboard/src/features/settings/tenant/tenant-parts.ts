import { t } from '../../../language/translate.ts';
import { type TenantPanel, tenantPanels } from './tenant-settings-search.ts';

export const tenantPartLabels: Readonly<Record<TenantPanel, string>> = {
  users: t('Users'),
  details: t('Details'),
  'sign-in': t('Sign-in'),
  retention: t('Retention'),
  'case-times': t('Case times'),
  sources: t('Event sources'),
  networks: t('Own networks'),
  brand: t('Brand'),
  automation: t('Automation'),
  customers: t('Customers'),
  audit: t('Audit log'),
  usage: t('Usage'),
  operations: t('Operations'),
};

/** Of tenants that manage others. */
const ofProviders: ReadonlySet<TenantPanel> = new Set(['customers', 'operations']);

export function tenantParts(isProvider: boolean): TenantPanel[] {
  return tenantPanels.filter((panel) => !ofProviders.has(panel) || isProvider);
}

/** The part that shows: users is where the screen opens. */
export function currentPart(parts: readonly TenantPanel[], panel: TenantPanel | undefined): TenantPanel {
  return parts.find((each) => each === panel) ?? 'users';
}
