import { requirements } from '../access/requirements.ts';
import { tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import { telemetryInputSchema, usageQuerySchema, usageSchema } from './schema.ts';

const path = '/api/tenants/{tenant}/telemetry';

export const telemetryRoutes = defineRoutes({
  'telemetry.report': {
    method: 'POST',
    path,
    summary: 'Page views and errors of a dashboard, where no other service is configured for them',
    access: { kind: 'tenant', ...requirements.signedIn },
    params: tenantParamsSchema,
    body: telemetryInputSchema,
    response: 'empty',
    status: 204,
  },
  'telemetry.usage': {
    method: 'GET',
    path: `${path}/usage`,
    summary: 'How the dashboard is used in a tenant, and what failed in it',
    access: { kind: 'tenant', ...requirements.tenantSettings },
    params: tenantParamsSchema,
    query: usageQuerySchema,
    response: usageSchema,
  },
});
