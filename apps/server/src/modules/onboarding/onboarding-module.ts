import type { GuardedEgress } from '@airdeck/connector-kit/egress';
import type { Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import { auditActor } from '../audit/audit-actor.ts';
import { createOnboardingService } from './onboarding-service.ts';
import type { OutgoingAddresses } from './outgoing-addresses.ts';
import { checkReachability } from './reachability.ts';

type Dependencies = Parameters<typeof createOnboardingService>[0] & {
  db: Pick<Database, 'tenant'>;
  egress: Pick<GuardedEgress, 'probe'>;
  /** Asked each time: a machine may get another address while we run. */
  addresses: () => OutgoingAddresses;
};

type RouteIds =
  | 'onboarding.air-ip'
  | 'onboarding.list'
  | 'onboarding.save'
  | 'onboarding.delete'
  | 'onboarding.reachability';

export type OnboardingModule = { handlers: Handlers<RouteIds> };

export function createOnboardingModule(deps: Dependencies): OnboardingModule {
  const { db } = deps;
  const service = createOnboardingService(deps);
  return {
    handlers: {
      'onboarding.air-ip': async () => {
        const { addresses, note } = deps.addresses();
        return { air_ip: addresses[0] ?? '', air_ips: [...addresses], note };
      },
      'onboarding.list': (_request, { scope }) => db.tenant(scope.tenantId, (tx) => service.list(tx, scope)),
      'onboarding.save': ({ params, body }, { scope, caller, requestId }) => {
        const by = { actor: auditActor(caller), requestId };
        return db.tenant(scope.tenantId, (tx) => service.save(tx, scope, { id: params.id, input: body }, by));
      },
      'onboarding.delete': async ({ params }, { scope, caller, requestId }) => {
        const by = { actor: auditActor(caller), requestId };
        await db.tenant(scope.tenantId, (tx) => service.delete(tx, scope, params.id, by));
        return undefined;
      },
      'onboarding.reachability': ({ body }, { scope, caller, requestId, signal }) =>
        checkReachability(deps, scope, { url: body.url, by: { actor: auditActor(caller), requestId }, signal }),
    },
  };
}
