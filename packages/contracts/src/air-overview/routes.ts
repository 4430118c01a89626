import { requirements } from '../access/requirements.ts';
import { tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import { airOverviewQuerySchema, airOverviewSchema } from './schema.ts';

export const airOverviewRoutes = defineRoutes({
  'air.overview': {
    method: 'GET',
    path: '/api/tenants/{tenant}/air/overview',
    summary: 'Incident response at a glance: what is open, how fast it went, what automation did',
    access: { kind: 'tenant', ...requirements.signedIn },
    params: tenantParamsSchema,
    query: airOverviewQuerySchema,
    response: airOverviewSchema,
  },
});
