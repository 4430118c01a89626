import { idSchema } from '@airdeck/contracts/fields';
import type { Handlers } from '../../http/handlers.ts';
import type { RefusalLog } from '../../http/refusal-log.ts';
import type { Database } from '../../storage/database.ts';
import { createReadCache } from '../../storage/read-cache.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { auditActor } from '../audit/audit-actor.ts';
import type { OwnNetworksOf } from './own-networks-port.ts';
import { createOwnNetworksService, NetworkRefused, type OwnNetworksDependencies } from './own-networks-service.ts';

/** How long a process may go on with a list that another one has changed. */
const KEPT_FOR_MS = 1000;
const KEPT_MAX = 10_000;

type Dependencies = OwnNetworksDependencies & {
  db: Pick<Database, 'tenant' | 'read' | 'afterCommit'>;
  refusals: Pick<RefusalLog, 'note'>;
};

export type OwnNetworksModule = {
  networksOf: OwnNetworksOf;
  handlers: Handlers<'own-networks.get' | 'own-networks.put'>;
};

export function createOwnNetworksModule(deps: Dependencies): OwnNetworksModule {
  const { db, now, permitted } = deps;
  const service = createOwnNetworksService(deps);
  const kept = createReadCache<readonly string[]>({ keptForMs: KEPT_FOR_MS, max: KEPT_MAX, now });
  kept.setOn(true);
  db.afterCommit(['tenant_own_networks'], kept.clear);

  return {
    async networksOf(tenantId) {
      // Calls of the installation itself are in no tenant's name.
      if (permitted.length === 0 || !idSchema.safeParse(tenantId).success) return [];
      return await kept.get(tenantId, () =>
        db.read(tenantId, (tx) => service.inForce(tx, trustedTenantScope(tenantId))),
      );
    },
    handlers: {
      'own-networks.get': (_request, { scope }) => db.read(scope.tenantId, (tx) => service.get(tx, scope)),
      'own-networks.put': async ({ body }, { scope, caller, requestId }) => {
        const by = { actor: auditActor(caller), requestId };
        try {
          return await db.tenant(scope.tenantId, (tx) => service.put(tx, scope, body, by));
        } catch (error) {
          // The transaction it was tried in is gone by now.
          if (error instanceof NetworkRefused) {
            const { tenantId: tenant } = scope;
            await deps.refusals.note({ tenant, caller, routeId: 'own-networks.put', code: error.code, requestId });
          }
          throw error;
        }
      },
    },
  };
}
