import { type ComponentType, lazy, Suspense } from 'react';
import { t } from '../../../language/translate.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { PanelMenu } from '../../../ui/panel-menu.tsx';
import { Loading, TableSkeleton } from '../../../ui/skeletons.tsx';
import { currentPart, tenantPartLabels, tenantParts } from './tenant-parts.ts';
import type { TenantPanel } from './tenant-settings-search.ts';
import { useTenantSettings } from './use-settings.ts';
import { useTenantSearch } from './use-tenant-search.ts';
import { UsersPanel } from './users-panel.tsx';

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

/** Everything an Admin decides for the tenant, in parts that the address names. */
export function TenantSettingsPage() {
  const settings = useTenantSettings();
  const [search, change] = useTenantSearch();
  const parts = tenantParts(settings.is_provider);
  const current = currentPart(parts, search.panel);
  const Panel = panels[current];
  return (
    <>
      <PageHeader
        title={t('Tenant settings')}
        purpose={t('Who works in {name}, how they sign in, and what the tenant keeps and does.', {
          name: settings.name,
        })}
      />
      <PanelMenu
        label={t('Part of the tenant settings')}
        panels={parts}
        labels={tenantPartLabels}
        current={current}
        onChoose={(panel) => change({ panel, filters: undefined, q: undefined }, { replace: false })}
      />
      <Suspense
        fallback={
          <Loading label={t('Loading {value}', { value: tenantPartLabels[current].toLowerCase() })}>
            <TableSkeleton rows={5} />
          </Loading>
        }
      >
        <Panel />
      </Suspense>
    </>
  );
}
