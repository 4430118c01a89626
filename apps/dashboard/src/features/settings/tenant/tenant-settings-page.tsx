import { Link } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense } from 'react';
import { t } from '../../../language/translate.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { PanelTabs } from '../../../ui/panel-tabs.tsx';
import { Loading, TableSkeleton } from '../../../ui/skeletons.tsx';
import { type TenantPanel, tenantPanels } from './tenant-settings-search.ts';
import { useTenantSettings } from './use-settings.ts';
import { useTenantSearch } from './use-tenant-search.ts';
import { UsersPanel } from './users-panel.tsx';

const labels: Readonly<Record<TenantPanel, string>> = {
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

// One is looked at at a time; users is where the screen opens.
const panels: Readonly<Record<TenantPanel, ComponentType>> = {
  users: UsersPanel,
  details: lazy(() => import('./details-panel.tsx').then(({ DetailsPanel }) => ({ default: DetailsPanel }))),
  'sign-in': lazy(() => import('./sign-in-panel.tsx').then(({ SignInPanel }) => ({ default: SignInPanel }))),
  retention: lazy(() => import('./retention-panel.tsx').then(({ RetentionPanel }) => ({ default: RetentionPanel }))),
  'case-times': lazy(() =>
    import('./case-times-panel.tsx').then(({ CaseTimesPanel }) => ({ default: CaseTimesPanel })),
  ),
  sources: lazy(() => import('./sources-panel.tsx').then(({ SourcesPanel }) => ({ default: SourcesPanel }))),
  networks: lazy(() => import('./networks-panel.tsx').then(({ NetworksPanel }) => ({ default: NetworksPanel }))),
  brand: lazy(() => import('./brand-panel.tsx').then(({ BrandPanel }) => ({ default: BrandPanel }))),
  automation: lazy(() =>
    import('./automation-panel.tsx').then(({ AutomationPanel }) => ({ default: AutomationPanel })),
  ),
  customers: lazy(() =>
    import('../customers/customers-panel.tsx').then(({ CustomersPanel }) => ({ default: CustomersPanel })),
  ),
  audit: lazy(() => import('../audit/audit-panel.tsx').then(({ AuditPanel }) => ({ default: AuditPanel }))),
  usage: lazy(() => import('../usage/usage-panel.tsx').then(({ UsagePanel }) => ({ default: UsagePanel }))),
  operations: lazy(() =>
    import('../operations/operations-panel.tsx').then(({ OperationsPanel }) => ({ default: OperationsPanel })),
  ),
};

/** Of tenants that manage others. */
const ofProviders: ReadonlySet<TenantPanel> = new Set(['customers', 'operations']);

/** Everything an Admin decides for the tenant, in parts that the address names. */
export function TenantSettingsPage() {
  const settings = useTenantSettings();
  const [search, change] = useTenantSearch();
  const shown = tenantPanels.filter((panel) => !ofProviders.has(panel) || settings.is_provider);
  const current = shown.find((panel) => panel === search.panel) ?? 'users';
  const Panel = panels[current];
  return (
    <>
      <PageHeader
        title={t('Tenant settings')}
        purpose={t('Who works in {name}, how they sign in, and what the tenant keeps and does.', {
          name: settings.name,
        })}
      />
      <PanelTabs
        label={t('Tenant settings')}
        menuLabel={t('Part of the tenant settings')}
        panels={shown}
        labels={labels}
        current={current}
        link={(panel, props) => <Link to="/settings/tenant-settings" search={{ panel }} {...props} />}
        onChoose={(panel) => change({ panel, filters: undefined, q: undefined }, { replace: false })}
      />
      <Suspense
        fallback={
          <Loading label={t('Loading {value}', { value: labels[current].toLowerCase() })}>
            <TableSkeleton rows={5} />
          </Loading>
        }
      >
        <Panel />
      </Suspense>
    </>
  );
}
