import { routeTable } from '@airdeck/contracts/route-table';
import type { FastifyRequest } from 'fastify';
import type { TenantScope } from '../tenant-scope.ts';
import { AppError } from './app-error.ts';
import type { Authorization } from './authorization.ts';

/**
 * Judges a request that also reaches another tenant, exactly as one that had gone there: the same token, role, plan and
 * key, the same answer for a foreign tenant as for none, and the same record of a refusal.
 */
export function authorizedElsewhere(authorization: () => Pick<Authorization, 'decide'>) {
  return async (
    request: FastifyRequest,
    tenantId: string,
    as: 'playbooks.create' | 'policies.publish' = 'playbooks.create',
  ): Promise<TenantScope> => {
    const route = { id: as, access: routeTable[as].access };
    const there: FastifyRequest = Object.create(request, { params: { value: { tenant: tenantId } } });
    const { scope } = await authorization().decide(route, there);
    if (scope === undefined) throw new AppError('TENANT_FORBIDDEN');
    return scope;
  };
}
