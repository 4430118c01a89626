import { requirements } from '../access/requirements.ts';
import { tenantIdParamsSchema, tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import { policyListQuerySchema, policyListSchema, policySchema, policyUpdateSchema } from './schema.ts';

export const policyRoutes = defineRoutes({
  'policies.list': {
    method: 'GET',
    path: '/api/tenants/{tenant}/soar/rules',
    summary: 'Policies of the incident-response area, by name',
    access: { kind: 'tenant', ...requirements.signedIn },
    params: tenantParamsSchema,
    query: policyListQuerySchema,
    response: policyListSchema,
  },
  'policies.get': {
    method: 'GET',
    path: '/api/tenants/{tenant}/soar/rules/{id}',
    summary: 'One policy',
    access: { kind: 'tenant', ...requirements.signedIn },
    params: tenantIdParamsSchema,
    response: policySchema,
    errors: ['NOT_FOUND'],
  },
  'policies.update': {
    method: 'PUT',
    path: '/api/tenants/{tenant}/soar/rules/{id}',
    summary: 'Change or switch a policy',
    access: { kind: 'tenant', ...requirements.airAutomation },
    params: tenantIdParamsSchema,
    body: policyUpdateSchema,
    response: policySchema,
    errors: ['NOT_FOUND'],
  },
});
