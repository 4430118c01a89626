import { requirements } from '../access/requirements.ts';
import { tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import { dashboardQuerySchema, dashboardSchema, firstStepsSchema } from './schema.ts';

export const dashboardRoutes = defineRoutes({
  'dashboards.get': {
    method: 'GET',
    path: '/api/tenants/{tenant}/dashboards',
    summary: 'Figures of the home page for a period (the last seven days unless said)',
    access: { kind: 'tenant', ...requirements.signedIn },
    params: tenantParamsSchema,
    query: dashboardQuerySchema,
    response: dashboardSchema,
  },
  'first-steps.get': {
    method: 'GET',
    path: '/api/tenants/{tenant}/first_steps',
    summary: 'Which of the first steps of a new tenant are done',
    access: { kind: 'tenant', ...requirements.signedIn },
    params: tenantParamsSchema,
    response: firstStepsSchema,
  },
});
