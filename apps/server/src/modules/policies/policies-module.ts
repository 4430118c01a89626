import type { Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import { auditActor } from '../audit/audit-actor.ts';
import { createPoliciesService, type PoliciesService } from './policies-service.ts';

export type PoliciesModule = {
  service: PoliciesService;
  handlers: Handlers<'policies.list' | 'policies.get' | 'policies.update'>;
};

export function createPoliciesModule(
  deps: { db: Pick<Database, 'tenant'> } & Parameters<typeof createPoliciesService>[0],
): PoliciesModule {
  const { db } = deps;
  const service = createPoliciesService(deps);
  return {
    service,
    handlers: {
      'policies.list': ({ query }, { scope }) =>
        db.tenant(scope.tenantId, (tx) =>
          service.list(tx, scope, { number: query.page_number, size: query.page_size }),
        ),
      'policies.get': ({ params }, { scope }) => db.tenant(scope.tenantId, (tx) => service.get(tx, scope, params.id)),
      'policies.update': ({ params, body }, { scope, caller, requestId }) =>
        db.tenant(scope.tenantId, (tx) =>
          service.update(
            tx,
            scope,
            { id: params.id, enabled: body.enabled, rule: body.rule },
            { actor: auditActor(caller), requestId },
          ),
        ),
    },
  };
}
