import type { SubscriptionState } from '@airdeck/contracts/tenants/schema';
import type { Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
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
  /** The state of the marketplace subscription that opened a tenant. Needs a system transaction. */
  subscriptionOf: (tx: Tx, tenant: string) => Promise<SubscriptionState | undefined>;
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
        const around = await deps.db.system(async (tx) => ({
          managed_by_name: await nameOf(tx, manager),
          subscription: (await deps.subscriptionOf(tx, scope.tenantId)) ?? null,
        }));
        return { ...tenant, is_fenced: deps.fence.isUp(), ...around };
      },
    },
  };
}

/** The provider's own row is not among those a tenant it manages may see; its name alone is read past that. */
async function nameOf(tx: Tx, provider: string | null): Promise<string | null> {
  if (provider === null) return null;
  return (await findTenant(tx, trustedTenantScope(provider)))?.name ?? null;
}
