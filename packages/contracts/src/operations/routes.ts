import { requirements } from '../access/requirements.ts';
import { tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import { operationsSchema } from './schema.ts';

export const operationsRoutes = defineRoutes({
  'operations.get': {
    method: 'GET',
    path: '/api/tenants/{tenant}/operations',
    summary: 'Processes, queues, stores and promises of the whole installation; for the Admins of its provider',
    access: { kind: 'tenant', ...requirements.customers },
    params: tenantParamsSchema,
    response: operationsSchema,
    errors: ['NOT_A_PROVIDER'],
  },
});
