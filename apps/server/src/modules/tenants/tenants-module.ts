import type { Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { TenantSettingsPort } from '../settings/settings-port.ts';
import type { TenantsService } from './tenants-port.ts';
import { createTenantsService } from './tenants-service.ts';

type Dependencies = {
  db: Pick<Database, 'tenant'>;
  ids: () => string;
  audit: AuditLog;
  settings: Pick<TenantSettingsPort, 'automationEnabled'>;
};

export type TenantsModule = { service: TenantsService; handlers: Handlers<'tenants.get'> };

export function createTenantsModule(deps: Dependencies): TenantsModule {
  const service = createTenantsService(deps);
  return {
    service,
    handlers: {
      'tenants.get': (_request, { scope }) =>
        deps.db.tenant(scope.tenantId, async (tx) => ({
          ...(await service.get(tx, scope)),
          automation_enabled: await deps.settings.automationEnabled(tx, scope.tenantId),
        })),
    },
  };
}
