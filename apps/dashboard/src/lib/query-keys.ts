/** Resources as they stand second in every key, after the tenant, so that one prefix invalidates one resource. */
export type ResourceName =
  | 'tenant'
  | 'users'
  | 'settings'
  | 'contacts'
  | 'contract'
  | 'customers'
  | 'audit'
  | 'dashboards'
  | 'cases'
  | 'policies'
  | 'rule-responses'
  | 'graylog'
  | 'automation-rules'
  | 'playbooks'
  | 'playbook-runs'
  | 'action-runs'
  | 'prompts'
  | 'actions'
  | 'sources'
  | 'connectors'
  | 'integrations'
  | 'search-reports'
  | 'reports'
  | 'executive-reports'
  | 'search'
  | 'notifications'
  | 'onboarding';

/** Key prefix of everything of one resource of one tenant. */
export function resourceKey(tenantId: string, resource: ResourceName) {
  return [tenantId, resource] as const;
}
