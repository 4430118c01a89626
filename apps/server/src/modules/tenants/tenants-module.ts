import type { Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import type { RestoreFence } from '../restore-fence/restore-fence.ts';
import type { TenantSettingsPort } from '../settings/settings-port.ts';
import type { TenantsService } from './tenants-port.ts';
import { findTenant } from './tenants-repository.ts';
import { createTenantsService, type TenantsServiceDependencies } from './tenants-service.ts';

type Dependencies = TenantsServiceDependencies & {
  db: Pick<Database, 'tenant' | 'system'>;
  settings: Pick<TenantSettingsPort, 'automationEnabled'>;
  fence: Pick<RestoreFence, 'isUp'>;
};

export type TenantsModule = { service: TenantsService; handlers: Handlers<'tenants.get'> };

export function createTenantsModule(deps: Dependencies): TenantsModule {
  const service = createTenantsService(deps);
  return {
    service,
    handlers: {
      'tenants.get': async (_request, { scope, role }) => {
        const tenant = await deps.db.tenant(scope.tenantId, async (tx) => ({
          ...(await service.get(tx, scope)),
          automation_enabled: await deps.settings.automationEnabled(tx, scope.tenantId),
        }));
        const manager = role === 'Admin' ? tenant.managed_by : null;
        return { ...tenant, is_fenced: deps.fence.isUp(), managed_by_name: await nameOf(deps.db, manager) };
      },
    },
  };
}

/** The provider's own row is not among those a tenant it manages may see; its name alone is read past that. */
async function nameOf(db: Pick<Database, 'system'>, provider: string | null): Promise<string | null> {
  if (provider === null) return null;
  return (await db.system((tx) => findTenant(tx, trustedTenantScope(provider))))?.name ?? null;
}
