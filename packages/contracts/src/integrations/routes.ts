import { z } from 'zod';
import { requirements } from '../access/requirements.ts';
import { idSchema, tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import { integrationDetailSchema, integrationSchema } from './schema.ts';

const path = '/api/tenants/{tenant}/available_integrations';

export const integrationRoutes = defineRoutes({
  'integrations.list': {
    method: 'GET',
    path,
    summary: 'Integrations that can be configured: the visible ones',
    access: { kind: 'tenant', ...requirements.signedIn },
    params: tenantParamsSchema,
    response: z.array(integrationSchema),
  },
  'integrations.get': {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'One integration; also one that can no longer be configured but still is',
    access: { kind: 'tenant', ...requirements.signedIn },
    params: z.strictObject({ tenant: idSchema, id: z.string().max(100) }),
    response: integrationDetailSchema,
    errors: ['NOT_FOUND'],
  },
});
