import { requirements } from '../access/requirements.ts';
import { tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import { tenantSchema } from './schema.ts';

export const tenantRoutes = defineRoutes({
  'tenants.get': {
    method: 'GET',
    path: '/api/tenants/{tenant}',
    summary: 'Tenant with its plan',
    access: { kind: 'tenant', ...requirements.signedIn },
    params: tenantParamsSchema,
    response: tenantSchema,
  },
});
